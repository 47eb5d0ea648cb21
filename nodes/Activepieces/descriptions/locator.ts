import type { IDataObject, INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import type { ApiClient } from '../transport/api/client';
import type { Project } from '../transport/api/projects';
import type { ApiRequest, RequestTarget } from '../transport/client/request';
import { validationError } from '../transport/errors/error';
import { toId } from '../transport/ids';
import { limits } from '../transport/limits';
import { cleanInput } from '../transport/names';
import { isRecord, textOf } from '../transport/values';
import { emptyError, locatorValue, readOptional } from './parameters';
import { idInUrl, RECORD_PATHS, type LinkedRecord } from './webApp';

interface ServiceSearch {
	parameter: string;
	/**
	 * Words that labels show in brackets after the name, and in which the service does not search; undefined
	 * for labels without brackets
	 */
	labelWords?: string[];
}

/** What a list in the editor shows of the records of one or more lists of the service. */
interface Listed {
	request: ApiRequest;
	pageSize?: number;
	/** The value that a chosen record puts into the field; by default its ID */
	value?: (record: IDataObject) => unknown;
	/** Set where the service can search the list */
	search?: ServiceSearch;
}

export interface ListSource extends Listed {
	/**
	 * Identifies the list while others appear and disappear, such as a project's ID. n8n keeps it between
	 * two pages of a locator
	 */
	key: string;
	/** Whether the service returns the list in one piece */
	isUnpaged?: boolean;
	/** @param timeZone that of the workflow, by its IANA name */
	label: (record: IDataObject, timeZone: string) => string;
}

/** The lists of all projects, where the service returns a list only by project. */
export interface ProjectLists extends Listed {
	/**
	 * @param project without a name if the person has chosen it
	 * @param isOnly whether there is no other project
	 */
	label: (record: IDataObject, project: Project, isOnly: boolean, timeZone: string) => string;
	/** Whether the list is limited to the project that is chosen in the node */
	isOfChosenProject?: boolean;
}

/** The lists of a field, in the order in which the editor shows them. */
export type Sources = ProjectLists | ((client: ApiClient) => ListSource[] | Promise<ListSource[]>);

/** Whether each project has a list of its own. */
export const isByProject = (sources: Sources): sources is ProjectLists =>
	typeof sources !== 'function';

const trimmed = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The name of a record, or its ID if it has no name. */
export function nameOf(record: IDataObject, key = 'displayName'): string {
	return trimmed(record[key]) || trimmed(record.id);
}

/** The details of an entry in brackets, with a leading space; an empty text when there are none. */
export function inBrackets(...parts: string[]): string {
	const shown = parts.filter((part) => part !== '');
	return shown.length === 0 ? '' : ` (${shown.join(', ')})`;
}

/** Turns `PENDING` into `pending`, for entries that show a state. */
export function lowerCase(value: unknown): string {
	return trimmed(value).toLowerCase();
}

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
	/** Whether its records have an email, by which an item may name one */
	hasEmail?: true;
	/** The name of a record, by which an item may name it */
	byName?: (record: IDataObject) => unknown;
	/** Its external IDs, likewise */
	byExternalId?: (record: IDataObject) => unknown[];
	/** What an empty field means, for messages; by default "all" */
	emptyMeans?: string;
	/** The page of its records in the web app. Without one there is no By URL */
	page?: LinkedRecord;
	/** How a record is entered, instead of By ID */
	entry?: { displayName: string; name: string; placeholder: string };
	/** Locators with the same one have the same records and names */
	searchMethod: string;
	/** First entry of From List, before the records */
	firstEntry?: INodeListSearchItems;
	sources: Sources;
}

const BY_ID = { displayName: 'By ID', name: 'id', placeholder: 'e.g. Xk7wPq2mN9rT4vB8sL1cZ' };

const entered = (displayName: string, name: string, placeholder: string) => ({
	...{ displayName, name, placeholder },
	type: 'string' as const,
});

function makeField(locator: Locator): INodeProperties {
	const { name, displayName, noun, description, hint, required, page, searchMethod } = locator;
	const { entry = BY_ID, hasEmail = false, byName, byExternalId } = locator;
	const given = entry.displayName.replace('By ', '');
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
						message: `Still searching. If you know the ${given === 'ID' ? given : given.toLowerCase()} of the ${noun}, switch to ${entry.displayName} and enter it.`,
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
							placeholder: `e.g. https://cloud.activepieces.com/${page === 'project' ? '' : `${RECORD_PATHS.project}/Xk7wPq2mN9rT4vB8sL1cZ/`}${RECORD_PATHS[page]}/Yb3nRs8kD5wQ1zF6hJ2mT`,
							// For n8n itself. The node reads the URL, and reports what is wrong with it.
							extractValue: {
								type: 'regex' as const,
								regex: `https?://[^?#]+/${page === 'flow' ? '(?:flows|v1/webhooks)' : RECORD_PATHS[page]}/([^/?#]+)`,
							},
						},
					]),
			entered(entry.displayName, entry.name, entry.placeholder),
			...(byName === undefined ? [] : [entered('By Name', 'name', `e.g. My ${noun}`)]),
			...(byExternalId === undefined
				? []
				: [entered('By External ID', 'externalId', 'e.g. customer-42')]),
			...(hasEmail ? [entered('By Email', 'email', 'e.g. name@example.com')] : []),
		],
	};
}

const madeFields = new WeakMap<Locator, INodeProperties>();
const locators = new WeakMap<object, Locator>();

/** The field of a locator: the same object for all operations, so that the node's description has it once. */
export function locatorField(locator: Locator): INodeProperties {
	const field = madeFields.get(locator) ?? makeField(locator);
	madeFields.set(locator, field);
	locators.set(field.modes!, locator);
	return field;
}

/** The locator of a field, or of a copy that an operation shows for some choices: it has the same modes. */
export const locatorOf = ({ modes }: INodeProperties): Locator | undefined =>
	modes && locators.get(modes);

/**
 * The ID in the value of a locator; an empty text if there is none. The URL of a record's page is
 * recognized in every mode, because an expression or a model may give one in any of them. A text without
 * slashes is an ID in every mode.
 *
 * @param client of the server to which a URL must point; without it URLs are not recognized
 */
export function toLocatorId(locator: Locator, value: unknown, client?: ApiClient): string {
	const { displayName, noun, required, page } = locator;
	let held = locatorValue(value) ?? '';
	if (client !== undefined && page !== undefined && textOf(held).includes('/')) {
		const text = cleanInput(held);
		const isUrl = /^\w+:\/\//.test(text) || (isRecord(value) && value.mode === 'url');
		const idOfPage = idInUrl(client.baseUrl, page, text);
		if (isUrl && idOfPage === undefined) {
			const { host } = new URL(client.baseUrl);
			throw validationError(
				`The URL in ${displayName} does not point to a ${noun} on ${host}`,
				`Base URL in the credential points to ${host}. Open the ${noun} there and copy the URL of its page, switch to By ID and enter its ID, or select another credential.`,
			);
		}
		held = idOfPage ?? held;
	}
	const id = toId(held);
	if (id !== undefined) return id;
	throw validationError(
		`${displayName} must be an ID`,
		`Choose the ${noun}, or enter its ID${required ? '' : ', or leave the field empty'}.`,
	);
}

/** @param proposesEmptyText see `readOptional` */
export function getOptionalId(
	fields: FieldReader,
	locator: Locator,
	proposesEmptyText = true,
): string | undefined {
	const { name, displayName: label, emptyMeans } = locator;
	const parse = (_label: string, value: unknown) => toLocatorId(locator, value, fields.client);
	return readOptional(fields, { label, name, emptyMeans, proposesEmptyText, parse });
}

export function requestTarget(
	fields: Pick<FieldReader, 'client' | 'get'>,
	locator: Locator,
): RequestTarget {
	const { name, noun, displayName, entry } = locator;
	const id = toLocatorId(locator, fields.get(name, ''), fields.client);
	if (id !== '') return { id, subject: { noun, field: displayName } };
	throw emptyError(displayName, `Choose the ${noun}, or enter its ${entry?.name ?? 'ID'}.`);
}

export interface OptionList {
	noun: string;
	loadMethod: string;
	/** The name of a record, by which an expression may name it instead of by its ID */
	byName?: (record: IDataObject) => unknown;
	/** Its external ID, in a field that has these instead of IDs */
	byExternalId?: (record: IDataObject) => unknown[];
	sources: Sources;
}

/** The documentation that the descriptions of n8n's own nodes link to in such a field. */
export const EXPRESSION = '<a href="https://docs.n8n.io/code/expressions/">expression</a>';

/**
 * The editor's field for several records of a list, since n8n has no locator for several. An expression
 * gives the values as an array, or as text separated by commas.
 *
 * @param purpose what the values are for, as a sentence without its period
 */
export const optionListField = (
	{ loadMethod }: OptionList,
	field: Pick<INodeProperties, 'displayName' | 'name'>,
	purpose: string,
): INodeProperties => ({
	...field,
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: loadMethod,
		// n8n does not compare objects, and a locator is one.
		loadOptionsDependsOn: ['projectId.value'],
	},
	default: [],
	description: `${purpose}. Choose from the list, or specify IDs using an ${EXPRESSION}.`,
});
