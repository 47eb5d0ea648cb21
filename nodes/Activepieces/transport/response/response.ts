import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Redactor } from '../errors/redact';
import { isRecord } from '../values/isRecord';
import { oneLine, shorten } from '../values/plainText';
import { isStatus, isSuccessStatus } from './httpStatus';
import { parseRetryAfter } from './retryAfter';

/** What the attempts of one request came to. */
export interface Attempts {
	count: number;
	/** Since the first one began */
	elapsedMs: number;
	/** After one of them at least it is not known whether the service did what it was asked */
	isAmbiguous: boolean;
}

/** What a webhook answered, without secrets where it is text. */
export interface WebhookAnswer {
	headers: IDataObject;
	text: string;
	content: Buffer;
	/** From the request to the last byte, in milliseconds; earlier tries do not count */
	elapsedMs: number;
}

/** A response of a server, read once so that every judgement of it uses the same words. */
export interface ApiResponse {
	status: number;
	/** Decoded JSON; `undefined` when the body is empty; a string when it is not JSON */
	body: unknown;
	/** A web page, not data: the web app of the service, or a proxy in front of it */
	isHtml: boolean;
	/** Target of a redirect, as a message repeats it */
	location?: string;
	/** Milliseconds that the server asks to wait before the next request */
	retryAfterMs?: number;
	/** Not JSON, and ended by the end of the connection, so that nobody can tell an end from a cut */
	maybeTruncated: boolean;
	/** `code` of either of the service's two shapes, for example ENTITY_NOT_FOUND */
	code?: string;
	/** `params.message` or `message`, unless it is one of the texts that help nobody */
	message?: string;
	/** `params` of the service's own shape: data, to be shown by `plainText` only */
	params: IDataObject;
	/** The framework's own 404: this server has no such route */
	isRouteMissing: boolean;
	/** The server's clock when it answered, in milliseconds since 1970 */
	date?: number;
	/** Decompressed, of the body */
	bytes?: number;
	/** An API key was refused by a server that says it is the Community edition, which has none */
	isWithoutKeys?: boolean;
	/** The answer as it came, of a webhook only: it may hold anything */
	webhook?: WebhookAnswer;
	/** What it took to get this response */
	attempts?: Attempts;
}

/** Internal mishaps of the service that come with any status (recorded on real servers): never shown. */
const USELESS_MESSAGE = /^cannot read propert(y|ies) of (undefined|null)/i;

/**
 * Whether a body is in one of the service's two shapes of refusals (all recorded ones are), rather than in
 * the words of a proxy, which may be JSON with a `code` as well: `{code, params}` of the service itself,
 * `{statusCode, error, message}` of its framework.
 */
export function isServiceRefusal({ body, status }: Pick<ApiResponse, 'body' | 'status'>): boolean {
	if (!isRecord(body)) return false;
	const { code, params, statusCode, error, message } = body;
	return (
		(typeof code === 'string' && isRecord(params)) ||
		(statusCode === status && typeof error === 'string' && typeof message === 'string')
	);
}

/** Whether the service did what it was asked. A web page with status 200 is no success. */
export function isSuccess({ status, isHtml }: Pick<ApiResponse, 'status' | 'isHtml'>): boolean {
	return isSuccessStatus(status) && !isHtml;
}

/** Characters of a text of the server that are looked at: what is shown of it is its begin */
const MAX_TEXT = 20_000;
/** Of a cut text, behind which half a secret may stand: no secret has more */
const MAX_SECRET = 4096;

/** The begin of a text without secrets, nor the half of one. */
function redactBegin(text: string, redactor: Redactor): string {
	if (text.length <= MAX_TEXT) return redactor.message(text);
	return redactor.message(text.slice(0, MAX_TEXT)).slice(0, -MAX_SECRET);
}

/** A text of the server as a message repeats it; nothing when it helps nobody. */
function usefulMessage(value: unknown, redactor: Redactor): string | undefined {
	if (typeof value !== 'string') return undefined;
	// Twice: a password may have what is not in one line, and without what nobody sees a secret is whole.
	const text = shorten(redactor.message(oneLine(redactBegin(value, redactor))));
	return text === '' || USELESS_MESSAGE.test(text) ? undefined : text;
}

/**
 * Reads what a webhook answered beside what every response is read for.
 *
 * @param came the body as it came, and in which time
 */
export function parseWebhookAnswer(
	{ headers, body }: IN8nHttpFullResponse,
	came: Pick<WebhookAnswer, 'content' | 'elapsedMs'>,
	redactor: Redactor,
): WebhookAnswer {
	const clean = (value: unknown): unknown =>
		typeof value === 'string' ? redactor.data(value) : value;
	// A header that may come several times is a list: set-cookie.
	const texts = Object.entries(headers ?? {}).map(([name, value]): [string, unknown] => [
		name,
		Array.isArray(value) ? value.map(clean) : clean(value),
	]);
	return {
		headers: Object.fromEntries(texts) as IDataObject,
		text: redactor.data(typeof body === 'string' ? body : ''),
		...came,
	};
}

/**
 * The id that the service gives every call that came to a webhook, whatever became of it (recorded on every
 * release). It is no id of a run.
 */
export function requestIdOf({ webhook }: Pick<ApiResponse, 'webhook'>): string | undefined {
	const id = webhook?.headers['x-webhook-id'];
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** What messages use of `params`: a server may send millions of others */
const PARAMS = ['message', 'entityType', 'permission', 'standardError', 'failedJobRetentionDays'];

/** The params as a message may repeat them. */
const paramsOf = (params: IDataObject, redactor: Redactor): IDataObject =>
	Object.fromEntries(
		PARAMS.filter((name) => Object.hasOwn(params, name)).map((name) => {
			const value = params[name];
			return [name, typeof value === 'string' ? redactBegin(value, redactor) : value];
		}),
	);

function header(response: IN8nHttpFullResponse, name: string): string | undefined {
	const value = response.headers?.[name];
	return typeof value === 'string' ? value : undefined;
}

/** The JSON of a body, or the body as it is where it holds none. */
function decode(body: unknown, redactor: Redactor): unknown {
	if (body === '' || body === null) return undefined;
	if (typeof body !== 'string') return body;
	try {
		return redactor.json(body);
	} catch {
		return redactor.data(body);
	}
}

/**
 * Reads what the engine's request helper gave.
 *
 * @param response with its body as text, as `readBody` gives it
 * @param redactor takes secrets out of the body, so that nothing made from it, neither an item nor a
 * message, can show them
 */
export function parseResponse(response: IN8nHttpFullResponse, redactor: Redactor): ApiResponse {
	const status = response.statusCode;
	const body = decode(response.body, redactor);
	const error = isRecord(body) ? body : {};
	const params = isRecord(error.params) ? paramsOf(error.params, redactor) : {};
	const usefulText = (value: unknown) => usefulMessage(value, redactor);
	const message = usefulText(error.message);
	const isHtml =
		/\bhtml\b/i.test(header(response, 'content-type') ?? '') ||
		(typeof body === 'string' && /^\s*<(!doctype|html)/i.test(body));
	const date = Date.parse(header(response, 'date') ?? '');
	const isFramed =
		header(response, 'content-length') !== undefined ||
		header(response, 'transfer-encoding') !== undefined;
	// The counts of jobs are text, and whole as they are.
	const isJson = /\bjson\b/i.test(header(response, 'content-type') ?? 'json');
	return {
		status,
		body,
		isHtml,
		location: usefulText(header(response, 'location')),
		retryAfterMs: parseRetryAfter(header(response, 'retry-after'), header(response, 'date')),
		maybeTruncated:
			isSuccess({ status, isHtml }) && isJson && typeof body === 'string' && !isFramed,
		code: usefulText(error.code),
		message: usefulText(params.message) ?? message,
		params,
		date: Number.isNaN(date) ? undefined : date,
		isRouteMissing:
			isStatus(status, 'notFound') && error.statusCode === status && message === 'Route not found',
	};
}
