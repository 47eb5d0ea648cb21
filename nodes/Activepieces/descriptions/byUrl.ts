import type { INodePropertyMode } from 'n8n-workflow';

import type { ApiClient } from '../transport/client';
import { type ValidationError, validationError } from '../transport/errors/activepiecesError';
import { cleanInput } from '../transport/values/plainText';
import {
	RECORD_PATHS,
	type RecordUrl,
	type LinkedRecord,
	parseRecordUrl,
} from '../transport/recordUrl';

/** A field that accepts the URL of a record's page, if its records have one. */
interface PageField {
	displayName: string;
	noun: string;
	page?: LinkedRecord;
}

/** The noun that messages use for the record of a page. */
const PAGE_NOUNS: Record<LinkedRecord, string> = {
	flow: 'flow',
	flowRun: 'flow run',
	project: 'project',
};

/** Serves n8n's own extraction of IDs. The node reads the URL itself, and reports what is wrong with it. */
export const extractIdOf = (
	page: LinkedRecord,
): NonNullable<INodePropertyMode['extractValue']> => ({
	type: 'regex',
	regex: `https?://[^?#]+/${RECORD_PATHS[page]}/([^/?#]+)`,
});

export const exampleOf = (page: LinkedRecord): string =>
	`e.g. https://cloud.activepieces.com/${page === 'project' ? '' : `${RECORD_PATHS.project}/Xk7wPq2mN9rT4vB8sL1cZ/`}${RECORD_PATHS[page]}/Yb3nRs8kD5wQ1zF6hJ2mT`;

/** The error for a URL that does not lead to a page of this kind of record. */
function addressError(
	{ displayName, noun }: PageField,
	address: Exclude<RecordUrl, { id: string }> | undefined,
): ValidationError {
	if (address !== undefined && 'host' in address) {
		return validationError(
			`The URL in ${displayName} points to another server, ${address.host}`,
			`Base URL in the credential points to ${address.ownHost}. Copy the URL of a ${noun} on ${address.ownHost}, select another credential, or switch to By ID and enter the ID of the ${noun}.`,
		);
	}
	const kind = address?.otherKind;
	return validationError(
		kind === undefined
			? `The URL in ${displayName} does not point to a ${noun}`
			: `The URL in ${displayName} points to a ${PAGE_NOUNS[kind]}, not to a ${noun}`,
		`Open the ${noun} in Activepieces and copy the URL of its page, or switch to By ID and enter its ID.`,
	);
}

/**
 * Extracts the ID from the URL of a page. A URL is recognized in every mode, because an expression or a
 * model may give one in any of them. A text without slashes is an ID in every mode.
 *
 * @returns undefined for a value that is not a URL
 * @throws {ValidationError} for the URL of anything else
 */
export function idOfAddress(
	field: PageField,
	{ baseUrl }: ApiClient,
	value: unknown,
	byUrl: boolean,
): string | undefined {
	const { page } = field;
	const text = cleanInput(value);
	if (page === undefined || !text.includes('/')) return undefined;
	const address = parseRecordUrl(baseUrl, page, text);
	if (address !== undefined && 'id' in address) return address.id;
	if (address !== undefined || byUrl) throw addressError(field, address);
	return undefined;
}
