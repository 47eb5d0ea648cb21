import type { INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { validationError } from '../transport/errors/activepiecesError';
import type { ApiRequest } from '../transport/request';
import { isRecord } from '../transport/isRecord';
import { limits } from '../transport/limits';
import { toId } from '../transport/toId';
import type { GetSources } from './listSource';
import { readOptional } from './optional';
import type { ParameterReader } from './parameters';

/** A field that picks one record, together with the lists that it shows. */
export interface Locator {
	/** Parameter name, saved in workflows */
	name: string;
	displayName: string;
	/** The thing in messages, for example "flow template" */
	noun: string;
	description: string;
	/** Shown below the field unless it holds an expression, at most 120 characters */
	hint?: string;
	required: boolean;
	/** Name under which the node registers the search */
	searchMethod: string;
	/** What From List begins with, beside the records */
	firstEntry?: INodeListSearchItems;
	/** The lists behind From List */
	sources: GetSources;
}

/** The editor's field of a locator: From List first, then By ID. */
export function locatorField(locator: Locator): INodeProperties {
	const { name, displayName, noun, description, hint, required, searchMethod } = locator;
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
					// n8n 1 knows no notice; it shows that it is loading.
					slowLoadNotice: {
						message: `Still searching. If you know the ID of the ${noun}, enter it with By ID.`,
						timeout: limits.locatorSlowNoticeMs,
					},
				},
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. Xk7wPq2mN9rT4vB8sL1cZ',
			},
		],
	};
}

/** What a locator holds. Neither mode needs n8n's extraction, which costs as much per item as evaluating once more. */
export const located = (value: unknown): unknown =>
	isRecord(value) && 'value' in value ? value.value : value;

/**
 * The ID that stands in a locator; empty where none does.
 *
 * @throws {ValidationError} for what is no ID
 */
export const toLocatorId = ({ displayName, noun, required }: Locator, value: unknown): string => {
	const id = toId(value);
	if (id !== undefined) return id;
	throw validationError(
		`${displayName} is not an ID`,
		`Choose the ${noun} from the list or enter its ID${required ? '' : ', or leave the field empty'}.`,
	);
};

/**
 * The id that the item names, of a field that may be empty.
 *
 * @throws {ValidationError} when what stands in the field is no ID
 */
export function getOptionalId(
	{ getParameter }: ParameterReader,
	locator: Locator,
): string | undefined {
	const { name } = locator;
	return readOptional({
		label: locator.displayName,
		value: located(getParameter(name, '')),
		saved: () => located(getParameter(name, '', { rawExpressions: true })),
		parse: (_label, value) => toLocatorId(locator, value),
	});
}

/**
 * The id that the item names, of a field that has to name one.
 *
 * @throws {ValidationError} when it does not
 */
export function getRequiredId({ getParameter }: ParameterReader, locator: Locator): string {
	const id = toLocatorId(locator, located(getParameter(locator.name, '')) ?? '');
	if (id !== '') return id;
	throw validationError(
		`${locator.displayName} is empty`,
		`Choose the ${locator.noun} from the list or enter its ID.`,
	);
}

/** The part of a request that says which record it is for. */
export type RequestTarget = Pick<ApiRequest, 'id' | 'subject'>;

/**
 * Reads from the item which record a request is for.
 *
 * @throws {ValidationError} when it names none
 */
export function requestTarget(context: ParameterReader, locator: Locator): RequestTarget {
	return {
		id: getRequiredId(context, locator),
		subject: { noun: locator.noun, field: locator.displayName },
	};
}
