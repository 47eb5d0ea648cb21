import type { INodeProperties } from 'n8n-workflow';

import type { OperationContext } from '../execution/operationContext';
import type { ApiClient } from '../transport/client';
import { validationError } from '../transport/errors/activepiecesError';
import type { ApiRequest } from '../transport/request';
import { isRecord } from '../transport/isRecord';
import { limits } from '../transport/limits';
import type { ListSource } from './listSource';

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
	/** The lists behind From List, in the order in which they are shown */
	sources: (client: ApiClient) => ListSource[] | Promise<ListSource[]>;
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

/**
 * The id that the item names; empty when none is chosen. Neither mode needs n8n's extraction, which
 * costs as much per item as evaluating the expression once more.
 */
function getLocatorId(
	{ getParameter }: Pick<OperationContext, 'getParameter'>,
	{ name }: Locator,
): unknown {
	const located = getParameter(name, '');
	const id = isRecord(located) && 'value' in located ? located.value : located;
	return typeof id === 'string' ? id.trim() : id;
}

/**
 * The id that the item names, of a field that may be empty.
 *
 * @throws {ValidationError} when what stands in the field is no ID
 */
export function getOptionalId(
	context: Pick<OperationContext, 'getParameter'>,
	locator: Locator,
): string | undefined {
	const id = getLocatorId(context, locator);
	if (id === '' || id === undefined || id === null) return undefined;
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	throw validationError(
		`${locator.displayName} is not an ID`,
		`Choose the ${locator.noun} from the list or enter its ID${locator.required ? '' : ', or leave the field empty'}.`,
	);
}

/** The part of a request that says which record it is for. */
export type RequestTarget = Pick<ApiRequest, 'id' | 'subject'>;

/** Reads from the item which record a request is for. */
export function requestTarget(
	context: Pick<OperationContext, 'getParameter'>,
	locator: Locator,
): RequestTarget {
	return {
		id: getLocatorId(context, locator),
		subject: { noun: locator.noun, field: locator.displayName },
	};
}
