import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Attempts } from './attempts';
import { redact } from './errors/redact';
import { isRecord } from './isRecord';
import { parseRetryAfter } from './retryAfter';

/** A response of a server, read once so that every judgement of it uses the same words. */
export interface ApiResponse {
	status: number;
	/** Decoded JSON; `undefined` when the body is empty; a string when it is not JSON */
	body: unknown;
	/** A web page, not data: the web app of the service, or a proxy in front of it */
	isHtml: boolean;
	/** Target of a redirect, as the server gave it */
	location?: string;
	/** Milliseconds that the server asks to wait before the next request */
	retryAfterMs?: number;
	/** Not JSON, and ended by the end of the connection, so that nobody can tell an end from a cut */
	maybeTruncated: boolean;
	/** `code` of either of the service's two shapes, for example ENTITY_NOT_FOUND */
	code?: string;
	/** `params.message` or `message`, unless it is one of the texts that help nobody */
	message?: string;
	/** `params` of the service's own shape */
	params: IDataObject;
	/** The framework's own 404: this server has no such route */
	isRouteMissing: boolean;
	/** The server's clock when it answered, in milliseconds since 1970 */
	date?: number;
	/** What it took to get this response */
	attempts?: Attempts;
}

/** Internal mishaps of the service that come with any status (recorded on real servers): never shown. */
const USELESS_MESSAGE = /^cannot read propert(y|ies) of (undefined|null)/i;

/** Whether a body is in one of the service's two shapes of refusals, rather than in the words of a proxy. */
export const isServiceRefusal = ({ body }: Pick<ApiResponse, 'body'>): boolean =>
	isRecord(body) && ('code' in body || 'statusCode' in body);

/** Whether the service did what it was asked. A web page with status 200 is no success. */
export function isSuccess({ status, isHtml }: Pick<ApiResponse, 'status' | 'isHtml'>): boolean {
	return status >= 200 && status < 300 && !isHtml;
}

function usefulText(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' && !USELESS_MESSAGE.test(value)
		? value
		: undefined;
}

function header(response: IN8nHttpFullResponse, name: string): string | undefined {
	const value = response.headers?.[name];
	return typeof value === 'string' ? value : undefined;
}

/** The JSON of a body, or the body as it is where it holds none. */
function decode(body: unknown, secrets: string[]): unknown {
	if (body === '' || body === null) return undefined;
	if (typeof body !== 'string') return body;
	const text = redact(body, secrets);
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

/**
 * Reads what the engine's request helper gave.
 *
 * @param secrets are taken out of the body before it is decoded, so that nothing made from it, neither
 * an item nor a message, can show them; a search in the text costs far less than one in every record
 */
export function parseResponse(response: IN8nHttpFullResponse, secrets: string[] = []): ApiResponse {
	const status = response.statusCode;
	const body = decode(response.body, secrets);
	const error = isRecord(body) ? body : {};
	const params = isRecord(error.params) ? error.params : {};
	const message = usefulText(error.message);
	const isHtml =
		/\bhtml\b/i.test(header(response, 'content-type') ?? '') ||
		(typeof body === 'string' && /^\s*<(!doctype|html)/i.test(body));
	const date = Date.parse(header(response, 'date') ?? '');
	const isFramed =
		header(response, 'content-length') !== undefined ||
		header(response, 'transfer-encoding') !== undefined;
	return {
		status,
		body,
		isHtml,
		location: header(response, 'location'),
		retryAfterMs: parseRetryAfter(header(response, 'retry-after'), header(response, 'date')),
		maybeTruncated: isSuccess({ status, isHtml }) && typeof body === 'string' && !isFramed,
		code: usefulText(error.code),
		message: usefulText(params.message) ?? message,
		params,
		date: Number.isNaN(date) ? undefined : date,
		isRouteMissing: status === 404 && error.statusCode === 404 && message === 'Route not found',
	};
}
