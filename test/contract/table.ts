/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside the tests, never inside n8n */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeOtherPlatform } from '../service/data';
import type { Edition, Plan, Release, Service } from '../service/index';
import { TRAITS } from '../service/releases';
import { sendRaw } from './rawRequest';

/** JSON types by field name; an array contains the form of its first element. */
export type Form = string | Form[] | { [field: string]: Form };

/** A text, or parts of which some are generated. */
type Text =
	string | Array<string | { repeat: string; times: number } | { series: string; count: number }>;

/** One recorded exchange: the request, and the form of the response. */
export interface Row {
	/** Number in the recording, or the file name of a sample */
	n: number | string;
	title: string;
	/** The feature that the platform's plan lacks */
	plan?: keyof Plan;
	method: string;
	path: Text;
	headers?: Record<string, string>;
	body?: Text;
	/** How often to send the request; the last response counts */
	times?: number;
	/** Seconds from the first of these to the last */
	elapsed?: number;
	status: number;
	type: string | null;
	empty?: true;
	error?: { keys: string[]; code: string | null; message: string | null; params?: Json };
	keys?: string[];
	count?: number;
	/** null, the cursor itself, or true for any cursor */
	next?: string | true | null;
	previous?: string | true | null;
	first?: string;
	last?: string;
	item?: Form;
	fields?: Form;
	/** Whether the response has more fields than these */
	partial?: true;
	displayName?: string;
}

/** The fields of a row that describe the response. */
const ANSWER = (
	'status type empty error value elements keys count next previous first last item fields ' +
	'displayName state then walk'
).split(' ');

/** What a row says about a response. */
export type Answer = Record<string, unknown>;

/** A row in the files: with its number in the recording of each release that responded in this way. */
export type SharedRow<Each> = Omit<Each, 'n'> & { n: Partial<Record<Release, Row['n']>> };

export function readTable<Each = Row>(table: string): Array<SharedRow<Each>> {
	const text = readFileSync(join(__dirname, `exchanges-${table}.json`), 'utf8');
	return JSON.parse(text) as Array<SharedRow<Each>>;
}

/** The rows of one release, in the order in which they were recorded. */
export const readRows = <Each = Row>(table: string, release: Release): Each[] =>
	readTable<Each>(table)
		.filter(({ n }) => release in n)
		.map((row) => ({ ...row, n: row.n[release] }) as Each);

/** Names of the recorded projects, in the order of the data set. */
const PROJECTS: Record<Edition, string[]> = {
	enterprise: ['project', 'project2', 'emptyProject', 'personalProject'],
	community: ['project', 'secondProject', 'teamProject'],
};

/** The meaning of names in a table, in a service started with the recorded data. */
export function namesOf(service: Service): Map<string, string> {
	const { data, edition, release } = service;
	const other = makeOtherPlatform(TRAITS[release]);
	const { member, expired, garbled, revoked, deletedUser, wrongKey } = service.tokens;
	const tokens = { member, expired, garbled, revoked, deletedUser, user: service.userToken };
	const names = new Map([
		...Object.entries(tokens).map(([name, token]): [string, string] => [`${name}Token`, token]),
		['key', service.apiKey],
		['otherPlatformKey', service.otherPlatformKey],
		['wrongKey', wrongKey],
		['member', data.users[1].id],
		['platform', data.platformId],
		['foreignPlatform', other.platformId],
		['foreignProject', other.projects[0].id],
	]);
	PROJECTS[edition].forEach((name, i) => names.set(name, data.projects[i]?.id ?? ''));
	for (const folder of data.folders) names.set(`folder:${folder.displayName}`, folder.id);
	const elsewhere = data.folders.find((folder) => folder.projectId === data.projects[1].id);
	names.set('folderOfProject2', elsewhere?.id ?? '');
	names.set('lower:folder:Marketing', names.get('folder:Marketing')?.toLowerCase() ?? '');
	for (const flow of data.flows) names.set(`flow:${flow.version.displayName}`, flow.id);
	for (const { type, name, id } of data.templates) {
		names.set(`template:${type === 'SHARED' || type === 'PROJECT' ? type : name}`, id);
	}
	for (const type of ['PLATFORM', 'PROJECT'] as const) {
		data.invitations
			.filter((invitation) => invitation.type === type)
			.forEach(({ id }, i) => names.set(`invitation:${type}:${i}`, id));
	}
	return names;
}

/** Replaces names by IDs and credentials. */
export function resolve<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
	const text = JSON.stringify(value).replace(
		/\{([A-Za-z]\w*(?::[^{}"]+)*)\}/g,
		(whole, name: string) => names.get(name) ?? whole,
	);
	return JSON.parse(text) as Value;
}

function written(text: Text): string {
	if (typeof text === 'string') return text;
	return text
		.map((part) => {
			if (typeof part === 'string') return part;
			if ('repeat' in part) return part.repeat.repeat(part.times);
			return Array.from({ length: part.count }, (_, i) =>
				part.series.replace('{i}', String(i)).replace('{iii}', String(i).padStart(3, '0')),
			).join('&');
		})
		.join('');
}

/** Sends a row's request as it was recorded, with path and headers unchanged. */
export async function ask(
	row: Row,
	service: Service,
): Promise<{ status: number; type: string | null; body: string }> {
	const { status, headers, text } = await sendRaw(service, {
		method: row.method,
		path: written(row.path),
		headers: row.headers ?? {},
		body: row.body === undefined ? undefined : written(row.body),
	});
	return { status, type: headers['content-type']?.split(';')[0] ?? null, body: text };
}

/** JSON types by field name, sorted. */
export function formOf(value: unknown): Form {
	if (value === null) return 'null';
	if (Array.isArray(value)) return value.slice(0, 1).map(formOf);
	if (typeof value !== 'object') return typeof value;
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(entries.map(([key, inner]) => [key, formOf(inner)]));
}

type Json = Record<string, unknown>;

function nameOf(row: Json): unknown {
	const of = (key: string) => (row[key] as Json | undefined)?.displayName;
	return row.displayName ?? row.name ?? row.email ?? of('version') ?? of('flowVersion');
}

function isFields(form: Form | undefined): form is { [field: string]: Form } {
	return typeof form === 'object' && !Array.isArray(form);
}

/** The fields of a form that are listed, including those of nested objects. */
function pick(form: Form, told: Form | undefined): Form {
	if (!isFields(form) || !isFields(told)) return form;
	const kept = Object.keys(told).filter((key) => key in form);
	return Object.fromEntries(kept.map((key) => [key, pick(form[key], told[key])]));
}

/** The role in `params` differs in the stand-in. */
function errorOf(json: Json) {
	const { code = null, message, params } = json as Json & { params?: Json | null };
	const told: Json = { ...params };
	delete told.projectRole;
	const text = (message ?? told.message ?? '') as string;
	const error = { keys: Object.keys(json).sort(), code, message: text || null };
	return params ? { ...error, params: told } : error;
}

function seenInJson(row: Partial<Row>, json: unknown, status: number): Answer {
	if (typeof json === 'number') return { value: json };
	const cut = (form: Form, told: Form | undefined) => (row.partial ? pick(form, told) : form);
	if (Array.isArray(json) && row.fields === undefined) {
		const item = json.length > 0 ? { item: cut(formOf(json[0]), row.item) } : {};
		return { elements: json.length, ...item };
	}
	if (status >= 400) return { error: errorOf(json as Json) };
	const { data, displayName, status: state, operationStatus } = json as Json;
	if (!Array.isArray(data) || row.fields !== undefined) {
		const fields = cut(formOf(json), row.fields);
		return { fields, displayName, state: [state, operationStatus] };
	}
	const cursor = (name: 'next' | 'previous') => {
		const value = (json as Json)[name];
		return row[name] === true && typeof value === 'string' ? true : value;
	};
	return {
		keys: Object.keys(json as Json).sort(),
		count: data.length,
		next: cursor('next'),
		previous: cursor('previous'),
		first: data[0] && nameOf(data[0] as Json),
		last: data[0] && nameOf(data[data.length - 1] as Json),
		item: data[0] && cut(formOf(data[0]), row.item),
	};
}

/** The parts of a response that a row describes; the others are not compared. */
export function seen(
	row: Pick<Row, 'method' | 'status'> & Partial<Row>,
	{ status, type, body }: { status: number; type: string | null; body: string },
): Answer {
	const answer: Answer = { status, type };
	if (row.method === 'HEAD') return answer;
	if (body === '') return { ...answer, empty: true };
	if (type !== 'application/json') return answer;
	Object.assign(answer, seenInJson(row, JSON.parse(body), status));
	// A wrong response is kept completely, so that the difference is visible.
	if (status !== row.status) return answer;
	return Object.fromEntries(Object.entries(answer).filter(([key]) => key in row));
}

/**
 * Sends rows in their order, because later ones depend on changes of earlier ones, and compares all
 * responses at once, so that each difference is visible.
 *
 * @param send returns the compared parts of the response, and the row with IDs and credentials instead
 * of names
 */
export async function replay<Each extends Pick<Row, 'n' | 'title'>>(
	rows: Each[],
	send: (row: Each) => Promise<[Answer, Each]>,
): Promise<void> {
	const here: object[] = [];
	const recorded: object[] = [];
	for (const row of rows) {
		const [answer, asked] = await send(row);
		const of = `${row.n}. ${row.title}`;
		here.push({ of, ...answer });
		const told = Object.entries(asked).filter(([key]) => ANSWER.includes(key));
		recorded.push({ of, ...Object.fromEntries(told) });
	}
	expect(here).toEqual(recorded);
}
