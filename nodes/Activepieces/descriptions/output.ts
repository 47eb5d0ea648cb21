import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { IN_NODE, IN_TOOL, optionsField, textField } from './fields';
import { splitList, toBoolean, toOption } from './parameters';
import type { FieldReader } from '../execution/fieldReader';
import type { ApiClient } from '../transport/api/client';
import { validationError } from '../transport/errors/error';
import { pathSegment, withoutSlashes } from '../transport/values';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	...IN_NODE,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Replaces Simplify when the node is used as a tool, because an agent pays for each field that it reads. */
const outputField = optionsField('Output', 'output', {
	options: [
		['Simplified', 'simplified', 'The most useful fields of the record'],
		['Raw', 'raw', 'The record as Activepieces returns it'],
		['Selected Fields', 'selectedFields', 'Only the fields that you enter'],
	],
	default: 'simplified',
	...IN_TOOL,
	description: 'Which fields of each record to return to the agent',
});

const fieldsField = textField('Fields', 'fields', {
	// Not required: n8n would ask for it whenever Output is an expression, whatever its value.
	placeholder: 'e.g. name, status, version.trigger.displayName',
	displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
	description:
		'Comma-separated names of simplified fields, or paths in the raw record. Returns null for a path that a record does not have. Operations that only read do not accept a name that no record has.',
});

export const outputFields: INodeProperties[] = [simplifyField, outputField, fieldsField];

/**
 * Where a simplified record takes values from that it lacks itself: the URL of its page, the name of its
 * project.
 */
export type RecordSource = Pick<ApiClient, 'baseUrl' | 'projectNames'>;

/**
 * Picks the fields of a record that a person reads. For an empty record it returns the names of these fields.
 */
export type Simplify = (record: IDataObject, source?: RecordSource) => IDataObject;

export interface OutputMode {
	/** What is returned of a record */
	transform: (record: IDataObject) => IDataObject;
	/** Called once with all records of the item: refuses a field that none of them has */
	finish: (records: IDataObject[]) => IDataObject[];
	/** Whether this field of the simplified record is returned, so that its value is needed */
	has: (field: string) => boolean;
}

/** The value at a path such as `version.trigger.type`; null if the record has none. */
function valueAt(record: IDataObject, path: string): unknown {
	let value: unknown = record;
	for (const key of path.split('.')) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
		value = (value as IDataObject)[key];
	}
	return value;
}

/**
 * Picks the ID and the named fields of each record, under the names as given. A field of the simplified
 * record takes precedence over a field of the raw record. A path without a value gives null.
 *
 * An unknown field is refused, because an agent would take null for a fact. A path is not refused,
 * because some records lack a value that others have, such as the schedule of a flow.
 */
function selectedFields(names: string[], toSimple: OutputMode['transform']): OutputMode {
	const simplifiedNames = Object.keys(toSimple({}));
	const unseen = new Set(
		names.filter((name) => !name.includes('.') && !simplifiedNames.includes(name)),
	);
	return {
		transform(record) {
			for (const name of unseen) if (Object.hasOwn(record, name)) unseen.delete(name);
			const simple = toSimple(record);
			const withId = Object.hasOwn(record, 'id') ? ['id', ...names] : names;
			return Object.fromEntries(
				withId.map((name) => [
					name,
					Object.hasOwn(simple, name) ? simple[name] : valueAt(record, name),
				]),
			) as IDataObject;
		},
		has: (field) => names.includes(field),
		finish(records) {
			const [unknownField] = unseen;
			if (unknownField === undefined || records.length === 0) return records;
			throw validationError(
				`No record has the field "${unknownField}"`,
				`Change Fields. The simplified fields are ${simplifiedNames.join(', ')}. You can also enter fields of the raw record, including paths such as version.state.`,
			);
		},
	};
}

/** The names of the fields to return; undefined for another option. */
function readNames(fields: FieldReader, option: string): string[] | undefined {
	if (option !== 'selectedFields') return undefined;
	const names = splitList('Fields', fields.get('fields', ''));
	if (names.length > 0) return names;
	throw validationError(
		'Fields is empty',
		'Enter the fields to return, or choose another option in Output.',
	);
}

/** What an item wants of its records, once it is known how they are simplified. */
export function readOutput(fields: FieldReader): (simplify: Simplify) => OutputMode {
	const option = toOption('Output', fields.get('output', 'simplified'), outputField);
	const names = readNames(fields, option);
	// Of the two fields, the one that is hidden gives its default.
	const isSimplified =
		option === 'simplified' && toBoolean('Simplify', fields.get('simplify', true));
	return (simplify) => {
		const transform = (record: IDataObject) => simplify(record, fields.client);
		if (names !== undefined) return selectedFields(names, transform);
		return {
			transform: isSimplified ? transform : (record) => record,
			finish: (records) => records,
			has: (field) => isSimplified && Object.hasOwn(transform({}), field),
		};
	};
}

/** The records that have a page in the web app of Activepieces. */
export type LinkedRecord = 'flow' | 'flowRun' | 'project' | 'table';

/**
 * The path segments of the pages, the same in every release from 0.73 on (read in the service's source:
 * 0.73.0 `packages/react-ui/src/app/guards/index.tsx` and `lib/utils.ts`, 0.85.2
 * `packages/web/src/app/routes/project-routes.tsx` and `lib/route-utils.ts`, and the main branch after
 * 0.86).
 */
export const RECORD_PATHS: Record<LinkedRecord, string> = {
	flow: 'flows',
	flowRun: 'runs',
	project: 'projects',
	table: 'tables',
};

export const RECORD_NOUNS: Record<LinkedRecord, string> = {
	flow: 'flow',
	flowRun: 'flow run',
	project: 'project',
	table: 'table',
};

/** The URL of the web app, which serves the API at `/api`; undefined for a Base URL with another path. */
function webAppUrl(baseUrl: string | undefined): string | undefined {
	return baseUrl?.endsWith('/api') ? baseUrl.slice(0, -'/api'.length) : undefined;
}

function segment(id: unknown): string | undefined {
	const result = pathSegment(id);
	return 'invalid' in result ? undefined : result.segment;
}

export function recordUrl(
	baseUrl: string | undefined,
	kind: LinkedRecord,
	{ id, projectId }: IDataObject,
): string | null {
	const webApp = webAppUrl(baseUrl);
	const own = segment(id);
	if (webApp === undefined || own === undefined) return null;
	if (kind === 'project') return `${webApp}/${RECORD_PATHS.project}/${own}`;
	const project = segment(projectId);
	if (project === undefined) return null;
	return `${webApp}/${RECORD_PATHS.project}/${project}/${RECORD_PATHS[kind]}/${own}`;
}

/** The path within the web app, without trailing slashes. */
function pathOf({ pathname }: URL, baseUrl: string): string {
	const prefix = new URL(webAppUrl(baseUrl) ?? baseUrl).pathname.replace(/^\/$/, '');
	const path = withoutSlashes(pathname);
	return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** The path of a flow's webhook, which the Activepieces editor shows */
const WEBHOOK = /^(?:\/api)?\/v1\/webhooks\/([^/]+)(?:\/(?:draft|test))?(?:\/sync)?$/;

/**
 * The ID in the path of a page. The web app also accepts the path of a flow or a run
 * without its project. The page of a project is one of its lists. A flow also has the URL of its webhook.
 */
function idInPath(kind: LinkedRecord, path: string): string | undefined {
	const webhook = WEBHOOK.exec(path);
	if (webhook !== null) return kind === 'flow' ? webhook[1] : undefined;
	const segments = path.split('/').slice(1);
	if (segments.includes('')) return undefined;
	const isWithinProject = kind !== 'project' && segments[0] === RECORD_PATHS.project;
	const [word, id, ...more] = isWithinProject ? segments.slice(2) : segments;
	return word === RECORD_PATHS[kind] && more.length <= (kind === 'project' ? 1 : 0)
		? id
		: undefined;
}

/**
 * The ID in the URL of a page, as a browser shows it; undefined for a page of another record or server. Only the
 * host identifies the server: people may open the web app with https while n8n calls the API with http.
 */
export function idInUrl(baseUrl: string, kind: LinkedRecord, text: string): string | undefined {
	const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
	if (url?.host !== new URL(baseUrl).host) return undefined;
	return idInPath(kind, pathOf(url, baseUrl)) || undefined;
}

/** The record whose page a URL of the server is, if it is not one of this kind; undefined for any other page. */
export const otherPageOf = (baseUrl: string, kind: LinkedRecord, text: string) =>
	(Object.keys(RECORD_PATHS) as LinkedRecord[]).find(
		(other) => other !== kind && idInUrl(baseUrl, other, text) !== undefined,
	);
