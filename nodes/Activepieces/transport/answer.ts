import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Effort } from './retry';
import { readRetryAfter } from './retryAfter';

/** What a server answered, read once so that every judgement of it uses the same words. */
export interface Answer {
	status: number;
	/** Decoded JSON; `undefined` when the body is empty; a string when it is not JSON */
	body: unknown;
	/** A web page, not data: the web app of the service, or a proxy in front of it */
	isHtml: boolean;
	/** Target of a redirect, as the server gave it */
	location?: string;
	/** Milliseconds that the server asks to wait before the next request */
	retryAfter?: number;
	/** Not JSON, and ended by the end of the connection, so that nobody can tell an end from a cut */
	mayBeCut: boolean;
	/** `code` of either of the service's two shapes, for example ENTITY_NOT_FOUND */
	code?: string;
	/** `params.message` or `message`, unless it is one of the texts that help nobody */
	text?: string;
	/** `params` of the service's own shape */
	params: IDataObject;
	/** The framework's own 404: this server has no such route */
	isRouteMissing: boolean;
	/** What it took to get this answer */
	effort?: Effort;
}

/** Internal mishaps of the service that come with any status (recorded on real servers): never shown. */
const USELESS_TEXT = /^cannot read propert(y|ies) of (undefined|null)/i;

export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the service did what it was asked. A web page with status 200 is no success. */
export function succeeded({ status, isHtml }: Pick<Answer, 'status' | 'isHtml'>): boolean {
	return status >= 200 && status < 300 && !isHtml;
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' && !USELESS_TEXT.test(value)
		? value
		: undefined;
}

function header(response: IN8nHttpFullResponse, name: string): string | undefined {
	const value = response.headers?.[name];
	return typeof value === 'string' ? value : undefined;
}

export function readAnswer(response: IN8nHttpFullResponse): Answer {
	const status = response.statusCode;
	const raw: unknown = response.body;
	const body = raw === '' || raw === null ? undefined : raw;
	const error = isRecord(body) ? body : {};
	const params = isRecord(error.params) ? error.params : {};
	const message = textOf(error.message);
	const isHtml =
		/\bhtml\b/i.test(header(response, 'content-type') ?? '') ||
		(typeof body === 'string' && /^\s*<(!doctype|html)/i.test(body));
	const isFramed =
		header(response, 'content-length') !== undefined ||
		header(response, 'transfer-encoding') !== undefined;
	return {
		status,
		body,
		isHtml,
		location: header(response, 'location'),
		retryAfter: readRetryAfter(header(response, 'retry-after'), header(response, 'date')),
		mayBeCut: succeeded({ status, isHtml }) && typeof body === 'string' && !isFramed,
		code: textOf(error.code),
		text: textOf(params.message) ?? message,
		params,
		isRouteMissing: status === 404 && error.statusCode === 404 && message === 'Route not found',
	};
}
