/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside the tests, never inside n8n */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { Edition, Plan, Release, Service } from '../service/index';
import type { Before } from './harSeeds';

interface Header {
	name: string;
	value: string;
}

/** One recorded exchange: the fields of HAR 1.2 that are read here, and those of README.md. */
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
		postData?: { text: string };
	};
	response: {
		status: number;
		headers: Header[];
		content: { mimeType: string; text?: string; comment?: string };
	};
	/** The releases that responded in this way; default that of the file's name */
	_releases?: Release[];
	_before?: Before;
	/** A feature that the platform's plan lacked */
	_plan?: keyof Plan;
	/** How often it was sent; the last response was recorded */
	_times?: number;
	/** The list read to its end: number of records, how many were seen, and in how many pages */
	_walk?: { rows: number; seen: number; pages?: number };
}

export type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
export type JsonObject = { [field: string]: Json };

const FOLDER = join(__dirname, 'har');

const RECORDINGS = readdirSync(FOLDER)
	.sort()
	.map((name) => {
		const text = readFileSync(join(FOLDER, name), 'utf8');
		return { name, entries: (JSON.parse(text) as { log: { entries: Entry[] } }).log.entries };
	});

/** The entries that a release of an edition answered, part by part in their order. */
export const entriesOf = (edition: Edition, release: Release): Entry[] =>
	RECORDINGS.filter(({ name }) => name.startsWith(edition))
		.filter(({ name }) => !/-0\.\d+/.test(name.replace(release, '')))
		.flatMap(({ entries }) => entries)
		.filter(({ _releases = [release] }) => _releases.includes(release));

/** Part and number of an entry, unique within its release. */
export const numberOf = ({ comment }: Entry): string => comment.split(':')[0];

/** The subject of an entry, with the same text in each release. */
export const titleOf = ({ comment }: Entry): string =>
	comment.replace(/^\w\/\S+: /, '').replace(/ — .*/, '');

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

/** The records in a successful response. */
export function rowsOf({ response: { status, content } }: Entry): JsonObject[] {
	const body = jsonOf(content.text);
	if (status >= 300 || !isObject(body)) return [];
	return (Array.isArray(body.data) ? body.data : [body]).filter(isObject);
}

/** Maps IDs, cursors and tokens of the recorded server to those of the stand-in. */
export type Ids = Map<string, string>;

/** With the IDs of this service, and repeated characters in full: `{x×20000}`. */
export const translate = (body: string, ids: Ids): string =>
	body
		.replace(/[0-9a-zA-Z]{21,}={0,2}/g, (id) => ids.get(id) ?? id)
		.replace(/\{(\w)×(\d+)\}/g, (_, each: string, times: string) => each.repeat(Number(times)));

export interface Answer {
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
}

/** How long a client waits that gave up in the recording. */
const GIVE_UP_MS = 100;

const AGENT = new Agent({ keepAlive: true });

/**
 * Sends a recorded request unchanged, except for the IDs and credentials of this service; without `fetch`,
 * which changes paths and refuses some headers.
 */
export async function send(
	{ request: { method, url, headers: recorded, postData }, response: { status } }: Entry,
	service: Service,
	ids: Ids,
): Promise<Answer> {
	const tokens = Object.entries(service.tokens).map(([name, token]): [string, string] => [
		`$${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
		token,
	]);
	const credentials = new Map([
		...ids,
		...tokens,
		['$API_KEY', service.apiKey],
		['$OTHER_PLATFORM_KEY', service.otherPlatformKey],
		['$USER_TOKEN', service.tokens.admin],
		['$MEMBER_TOKEN', service.tokens.member],
		['$JWT', service.tokens.garbled],
	]);
	const headers = recorded.map(({ name, value }): [string, string] => [
		name,
		value.replace(/\$[A-Z_]+/, (credential) => credentials.get(credential) ?? credential),
	]);
	const body = postData && translate(postData.text, ids);
	const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
	const path = translate(url.replace(/^http:\/\/127\.0\.0\.1/, ''), ids);
	const sent = request(service.origin, {
		method,
		path,
		headers: { accept: 'application/json, */*', ...Object.fromEntries(headers), ...length },
		// A server closes the connection after headers that are too long.
		agent: path.length < 8_000 && AGENT,
		...(status === 0 && { signal: AbortSignal.timeout(GIVE_UP_MS) }),
	});
	sent.end(body);
	const responses = once(sent, 'response') as Promise<[IncomingMessage]>;
	const [response] = status === 0 ? await responses.catch(() => []) : await responses;
	if (!response) return { status, headers: {}, text: '' };
	const answer = await text(response);
	const token = /"token":"([^"]+)"/.exec(answer)?.[1];
	if (token) ids.set('$FRESH_TOKEN', token);
	return { status: response.statusCode ?? 0, headers: response.headers, text: answer };
}
