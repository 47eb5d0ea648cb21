import type { INodePropertyMode } from 'n8n-workflow';

import type { ApiClient } from '../transport/client';
import { type ValidationError, validationError } from '../transport/errors/activepiecesError';
import { cleanInput } from '../transport/values/cleanInput';
import {
	RECORD_PATHS,
	type RecordUrl,
	type LinkedRecord,
	parseRecordUrl,
} from '../transport/recordUrl';

/** A field that may hold the address of a page, where its records have one. */
interface PageField {
	displayName: string;
	noun: string;
	page?: LinkedRecord;
}

/** What messages call the record of a page. */
const PAGE_NOUNS: Record<LinkedRecord, string> = {
	flow: 'flow',
	flowRun: 'flow run',
	project: 'project',
};

/** For whatever in n8n asks for it: the node reads the address itself, and says what is wrong with it. */
export const extractIdOf = (
	page: LinkedRecord,
): NonNullable<INodePropertyMode['extractValue']> => ({
	type: 'regex',
	regex: `https?://[^?#]+/${RECORD_PATHS[page]}/([^/?#]+)`,
});

export const exampleOf = (page: LinkedRecord): string =>
	`e.g. https://cloud.activepieces.com/${page === 'project' ? '' : `${RECORD_PATHS.project}/Xk7wPq2mN9rT4vB8sL1cZ/`}${RECORD_PATHS[page]}/Yb3nRs8kD5wQ1zF6hJ2mT`;

/** The error for an address that does not lead to the page of such a record. */
function addressError(
	{ displayName, noun }: PageField,
	address: Exclude<RecordUrl, { id: string }> | undefined,
): ValidationError {
	if (address !== undefined && 'host' in address) {
		return validationError(
			`The address in ${displayName} leads to another server, ${address.host}`,
			`Base URL of the credential leads to ${address.ownHost}. Copy the address of a ${noun} on that server, choose another credential, or enter the ID of the ${noun} with By ID.`,
		);
	}
	const kind = address?.otherKind;
	return validationError(
		kind === undefined
			? `The address in ${displayName} does not lead to a ${noun}`
			: `The address in ${displayName} leads to a ${PAGE_NOUNS[kind]}, not to a ${noun}`,
		`Open the ${noun} in Activepieces and copy the address of its page, or enter its ID with By ID.`,
	);
}

/**
 * The ID in the address of a page. An address is known as one in every mode, since an expression or a model
 * gives what it has; a text without slashes is an ID in every mode.
 *
 * @returns nothing for what is no address
 * @throws {ValidationError} for the address of anything else
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
