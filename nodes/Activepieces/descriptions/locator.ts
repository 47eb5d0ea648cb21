import type { INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import type { OperationContext } from '../execution/operationContext';
import { validationError } from '../transport/errors/activepiecesError';
import { limits } from '../transport/limits';
import type { ApiRequest } from '../transport/request/request';
import { isRecord } from '../transport/values/isRecord';
import { toId } from '../transport/values/toId';
import type { LinkedRecord } from '../transport/recordUrl';
import type { GetSources } from './listSource';
import { readOptional } from './optional';
import { exampleOf, extractIdOf, idOfAddress } from './byUrl';

/** A field that selects one record, together with the lists that it shows. */
export interface Locator {
	/** Parameter name, which workflows save */
	name: string;
	displayName: string;
	/** Noun for the record in messages, for example "flow template" */
	noun: string;
	description: string;
	/** Shown below the field unless it holds an expression; at most 120 characters */
	hint?: string;
	required: boolean;
	/** What an empty field means, for messages; by default "all" */
	emptyMeans?: string;
	/** The page of its records in the web app. Without one there is no By URL */
	page?: LinkedRecord;
	/** Name under which the node registers the search */
	searchMethod: string;
	/** First entry of From List, before the records */
	firstEntry?: INodeListSearchItems;
	/** The lists behind From List */
	sources: GetSources;
}

type LocatorReader = Pick<OperationContext, 'client' | 'getParameter'>;

/** The editor's field of a locator: From List first, By URL where the records have a page, then By ID. */
export function locatorField(locator: Locator): INodeProperties {
	const { name, displayName, noun, description, hint, required, page, searchMethod } = locator;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required,
		description,
		...(hint === undefined ? {} : { hint }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${noun}...`,
				typeOptions: {
					searchListMethod: searchMethod,
					searchable: true,
					// n8n 1 does not know notices and shows a loading state instead.
					slowLoadNotice: {
						message: `Still searching. If you know the ID of the ${noun}, switch to By ID and enter it.`,
						timeout: limits.locatorSlowNoticeMs,
					},
				},
			},
			...(page === undefined
				? []
				: [
						{
							displayName: 'By URL',
							name: 'url',
							type: 'string' as const,
							placeholder: exampleOf(page),
							extractValue: extractIdOf(page),
						},
					]),
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. Xk7wPq2mN9rT4vB8sL1cZ',
			},
		],
	};
}

/**
 * The value of a locator. No mode needs n8n's extraction, which costs as much per item as evaluating the
 * parameter again.
 */
export const locatorValue = (value: unknown): unknown =>
	isRecord(value) && 'value' in value ? value.value : value;

const isByUrl = (value: unknown): boolean => isRecord(value) && value.mode === 'url';

/**
 * The ID in a locator; an empty text if there is none.
 *
 * @throws {ValidationError} for a value that is not an ID
 */
export function toLocatorId({ displayName, noun, required }: Locator, value: unknown): string {
	const id = toId(value);
	if (id !== undefined) return id;
	throw validationError(
		`${displayName} must be an ID`,
		`Choose the ${noun} from the list or enter its ID${required ? '' : ', or leave the field empty'}.`,
	);
}

/**
 * The ID that an item gives for an optional field.
 *
 * @throws {ValidationError} for a value that is not an ID
 */
export function getOptionalId(
	{ client, getParameter }: LocatorReader,
	locator: Locator,
): string | undefined {
	const { name } = locator;
	const value = getParameter(name, '');
	return readOptional({
		label: locator.displayName,
		value: locatorValue(value),
		saved: () => locatorValue(getParameter(name, '', { rawExpressions: true })),
		emptyMeans: locator.emptyMeans,
		parse: (_label, id) =>
			toLocatorId(locator, idOfAddress(locator, client, id, isByUrl(value)) ?? id),
	});
}

/**
 * The ID that an item gives for a required field.
 *
 * @throws {ValidationError} when the ID is missing or invalid
 */
function getRequiredId({ client, getParameter }: LocatorReader, locator: Locator): string {
	const value = getParameter(locator.name, '');
	const held = locatorValue(value) ?? '';
	const id = toLocatorId(locator, idOfAddress(locator, client, held, isByUrl(value)) ?? held);
	if (id !== '') return id;
	throw validationError(
		`${locator.displayName} is empty`,
		`Choose the ${locator.noun} from the list or enter its ID.`,
	);
}

/** The part of a request that identifies its record. */
export type RequestTarget = Pick<ApiRequest, 'id' | 'subject'>;

/**
 * Reads from the item which record a request is for.
 *
 * @throws {ValidationError} when the item names none
 */
export function requestTarget(context: LocatorReader, locator: Locator): RequestTarget {
	return {
		id: getRequiredId(context, locator),
		subject: { noun: locator.noun, field: locator.displayName },
	};
}
