/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside the tests, never inside n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Service } from '../service/index';
import { type RawAnswer, sendRaw } from './rawRequest';

interface Header {
	name: string;
	value: string;
}

/** One recorded exchange: the fields of HAR 1.2 that are read here. */
export interface Entry {
	pageref: string;
	startedDateTime: string;
	time: number;
	/** Part and number, and the subject: `b/7: create with an unknown folderId` */
	comment: string;
	request: {
		method: string;
		url: string;
		headers: Header[];
		postData?: { text: string; comment?: string };
	};
	response: {
		status: number;
		headers: Header[];
		content: { mimeType: string; text?: string; comment?: string };
	};
}

export type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
export type JsonObject = { [field: string]: Json };

const FOLDER = join(__dirname, 'har');

/** The entries of all files of a server, in their order. */
export const entriesOf = (edition: string, release: string): Entry[] =>
	readdirSync(FOLDER)
		.filter((file) => file.startsWith(`${edition}-${release}`))
		.sort()
		.flatMap((file) => {
			const text = readFileSync(join(FOLDER, file), 'utf8');
			return (JSON.parse(text) as { log: { entries: Entry[] } }).log.entries;
		});

/** Part and number of an entry, unique within its release. */
export const numberOf = ({ comment }: Entry): string => comment.split(':')[0];

/** The subject of an entry, with the same text in each release. */
export const titleOf = ({ comment }: Entry): string =>
	comment.replace(/^\w\/\d+: /, '').replace(/ — .*/, '');

/** The recorded body as JSON; undefined when it is not JSON. */
export function jsonOf(text: string | undefined): Json | undefined {
	try {
		return text === undefined ? undefined : (JSON.parse(text) as Json);
	} catch {
		return undefined;
	}
}

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isId = (value: unknown): value is string =>
	typeof value === 'string' && /^[0-9a-zA-Z]{21}$/.test(value) && /\d|[A-Z]/.test(value);

const isTime = (value: Json): boolean =>
	typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$|^\d{13}$/.test(value);

/** Maps IDs and cursors of the recorded server to those of the stand-in. */
export type Ids = Map<string, string>;

const translate = (text: string, ids: Ids): string =>
	text.replace(/[0-9a-zA-Z]{21,}={0,2}/g, (id) => ids.get(id) ?? id);

/** Sends a recorded request unchanged, except for the IDs and credentials of this service. */
export async function send({ request: asked }: Entry, service: Service, ids: Ids) {
	const credentials: Record<string, string> = {
		$API_KEY: service.apiKey,
		$USER_TOKEN: service.userToken,
		$MEMBER_TOKEN: service.tokens.member,
		$JWT: service.tokens.garbled,
	};
	const headers = asked.headers.map(({ name, value }): [string, string] => [
		name,
		value.replace(/\$[A-Z_]+/, (name) => credentials[name]),
	]);
	const { pathname, search } = new URL(asked.url);
	return await sendRaw(service, {
		method: asked.method,
		path: translate(decodeURI(pathname), ids) + translate(search, ids),
		headers: { accept: 'application/json, */*', ...Object.fromEntries(headers) },
		body: written(asked.postData, ids),
	});
}

/** A body. Only the size of a body of several megabytes is kept. */
function written(data: Entry['request']['postData'], ids: Ids): string | undefined {
	const megabytes = Number(/ of (\d+) MB/.exec(data?.comment ?? '')?.[1] ?? 0);
	if (megabytes === 0) return data && translate(data.text, ids);
	return JSON.stringify({ order: 1, pad: 'x'.repeat(megabytes * 1024 * 1024) });
}

/** Fields whose values are random, personal or specific to that server: only their type is compared. */
const BY_KIND = new Set([
	...'color email firstName lastName name.owner resumeDateTime durationMs handlerId'.split(' '),
	...'stepsCount WEBHOOK_URL_PREFIX PUBLIC_URL EDITION CURRENT_VERSION'.split(' '),
]);

/** Fields that the node does not read. */
const NOT_READ = new Set('analytics plan steps flowVersion icon owner timeline'.split(' '));

const isRead = (name: string): boolean => !NOT_READ.has(name) && !name.startsWith('flowVersion_');

const kindOf = (value: Json | undefined): string =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Compares two values, and learns which IDs correspond. */
function differences(
	recorded: Json,
	actual: Json | undefined,
	ids: Ids,
	place = 'body',
	isCut = false,
): string[] {
	const [there, here] = [recorded, actual].map((value) => JSON.stringify(value));
	const unless = (isSame: boolean): string[] =>
		isSame ? [] : [`${place}: ${there} was recorded, not ${here}`.slice(0, 400)];
	const field = place.split('.').at(-1) ?? '';
	if (!isRead(field)) return [];
	if (BY_KIND.has(field)) return unless(kindOf(recorded) === kindOf(actual));
	if (Array.isArray(recorded)) {
		if (isCut && Array.isArray(actual)) return cutList(recorded, actual, ids, place);
		if (!Array.isArray(actual) || actual.length !== recorded.length) return unless(false);
		return recorded.flatMap((each, i) => differences(each, actual[i], ids, `${place}.${i}`, isCut));
	}
	if (isObject(recorded)) {
		if (!isObject(actual)) return unless(false);
		// Cells are keyed by the ID of their column.
		const here = Object.keys(recorded).map((name) => ids.get(name) ?? name);
		const more = Object.keys(actual).filter((name) => !here.includes(name) && isRead(name));
		const added = isCut ? [] : more.map((name) => `${place}.${name} was not recorded`);
		const changed = Object.entries(recorded).flatMap(([name, value]) =>
			differences(value, actual[ids.get(name) ?? name], ids, `${place}.${name}`, isCut),
		);
		return [...added, ...changed];
	}
	if (typeof recorded !== 'string' || typeof actual !== 'string')
		return unless(recorded === actual);
	const known = ids.get(recorded);
	if (known !== undefined) return unless(known === actual);
	const isCursor = /^(next|previous)$/.test(field);
	if ((isId(recorded) && isId(actual)) || isCursor) {
		ids.set(recorded, actual);
		return [];
	}
	if (isTime(recorded)) return unless(isTime(actual));
	// Stacks of the recorded server are shortened.
	if (recorded.endsWith('…')) return unless(actual.startsWith(recorded.slice(0, -1)));
	return unless(translate(recorded, ids) === actual);
}

/**
 * Compares a list that was shortened in the recording: what is kept of each record is compared with the
 * record of its ID, or, the first time, with that at its place.
 */
function cutList(recorded: Json[], actual: Json[], ids: Ids, place: string): string[] {
	return recorded.filter(isObject).flatMap((row, i) => {
		const id = ids.get(String(row.id)) ?? row.id;
		const isNew = !ids.has(String(row.id));
		const here =
			actual.find((each) => isObject(each) && each.id === id) ?? (isNew ? actual[i] : undefined);
		return here === undefined
			? [`${place}.${i}: ${String(row.id)} was recorded, and is not there`]
			: differences(row, here, ids, `${place}.${i}`, true);
	});
}

/** The difference between a response and the recorded one; undefined when there is none. */
export function compare({ request, response }: Entry, answer: RawAnswer, ids: Ids): string[] {
	const { status, headers, text: body } = answer;
	if (status !== response.status) {
		return [`status: ${response.status} was recorded, not ${status} ${body.slice(0, 200)}`];
	}
	const told = response.headers.flatMap(({ name, value }) => {
		const here = headers[name.toLowerCase()];
		const isSame = name === 'x-webhook-id' ? isId(here) : here === value;
		return isSame ? [] : [`${name}: ${value} was recorded, not ${here}`];
	});
	const hasId = response.headers.some(({ name }) => name === 'x-webhook-id');
	if (headers['x-webhook-id'] && !hasId) told.push('x-webhook-id was not recorded');
	const { mimeType, text = '', comment } = response.content;
	if (headers['content-type'] && mimeType === '') told.push('content-type was not recorded');
	const recorded = jsonOf(text);
	if (recorded !== undefined && request.method !== 'HEAD') {
		return [...told, ...differences(recorded, jsonOf(body), ids, 'body', comment !== undefined)];
	}
	const isSame = translate(text, ids) === body;
	return isSame ? told : [...told, `body: ${text} was recorded, not ${body}`.slice(0, 400)];
}
