import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import { errorOf, outcomeError } from '../../transport/errors/error';
import { isStatus } from '../../transport/http/response';
import { limits } from '../../transport/limits';
import { capitalize, inSeconds, plainText, shortName, unended } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import { hasFailed, simplifyRun } from '../flowRun/flowRun';
import { CHECK_RUN, findCalledRun, type MarkedCall } from './calledRun';

/** The texts by which the service reports that a run ended without a response (recorded at 0.79). */
const NO_RESPONSE_TEXTS = [
	'The flow has failed and there is no response returned',
	'An internal error has occurred',
];

const isEmptyObject = (body: unknown): boolean => isRecord(body) && Object.keys(body).length === 0;

/** The response to a call. */
type Answer = Awaited<ReturnType<ApiClient['call']>>;

type CallResult =
	/** The flow responded, with Return Response */
	| 'answered'
	/** The server has waited as long as it does for a flow */
	| 'timedOut'
	/** The run ended before Return Response */
	| 'failed'
	/** The flow was disabled or deleted after the node looked at it; Return Response can look the same */
	| 'notRun';

export const isRefusedCall = ({ status, body }: Pick<Answer, 'status' | 'body'>): boolean =>
	isStatus(status, 'contentTooLarge') &&
	isRecord(body) &&
	Object.keys(body).length === 1 &&
	body.message === 'Payload too large';

/**
 * Distinguishes the response of a flow from responses of the service itself. A 204, and a 408 with an
 * empty object, look the same whether they come from the flow or from a time-out (recorded), so the
 * elapsed time decides. Headers do not show it: any proxy adds its own.
 *
 * @param serverTimeoutMs how long the server waits for a flow; undefined when it does not say so
 */
export function callResult(
	{ status, body, webhook: { elapsedMs } }: Answer,
	serverTimeoutMs?: number,
): CallResult {
	// Allows for clocks that differ a little.
	const isLate = elapsedMs >= (serverTimeoutMs ?? limits.flowResponse.defaultMs) * 0.95;
	if (isStatus(status, 'noContent') && isLate) return 'timedOut';
	if (isStatus(status, 'requestTimeout') && isEmptyObject(body)) {
		// If the server does not say how long it waits, a 408 counts as the server's, because flows hardly ever
		// send it.
		return isLate || serverTimeoutMs === undefined ? 'timedOut' : 'answered';
	}
	if (isStatus(status, 'notFound', 'gone') && isEmptyObject(body)) return 'notRun';
	if (!isRecord(body) || Object.keys(body).length !== 1) return 'answered';
	const { message } = body;
	const isFailed = NO_RESPONSE_TEXTS.some((text) => text === message);
	return isStatus(status, 'internalServerError') && isFailed ? 'failed' : 'answered';
}

/** What is known of the run of a call that the flow did not respond to: its status, its page, and how it failed. */
function describeRun(client: ApiClient, run: IDataObject) {
	const { status, failedStep, url } = simplifyRun(run, client);
	const { name, displayName, message } = recordOf(failedStep);
	const step = textOf(displayName) || textOf(name);
	const error = unended(plainText(textOf(message)));
	const state = `the status of its run is ${textOf(status)}`;
	const how = step === '' ? `: ${state}` : ` at "${shortName(step)}"${error && `: ${error}`}`;
	return {
		state: `${capitalize(state)}.`,
		page: `Open the run in Activepieces${url === null ? '' : `: ${textOf(url)}`}.`,
		failure: hasFailed(status) ? `failed${how}` : undefined,
	};
}

/**
 * What is known of the run of a call that got no response.
 *
 * @param hasEnded whether the run has ended
 */
export async function describeCalledRun(client: ApiClient, call: MarkedCall, hasEnded: boolean) {
	const run = await findCalledRun(client, call, hasEnded);
	return run && describeRun(client, run);
}

type CalledRun = Awaited<ReturnType<typeof describeCalledRun>>;

/** The error of a flow that did run: a new try runs it again. */
const settledError = (message: string, description: string, httpStatus: number) =>
	errorOf(message, description, { httpStatus, outcome: 'settled' });

/** The error for a run that failed before it reached Return Response. */
export const failedRunError = (name: string, failure: string, page: string, httpStatus: number) =>
	settledError(`The flow "${shortName(name)}" ${failure}`, page, httpStatus);

const DO_NOT_WAIT = 'For long-running flows, turn off Wait for Response.';

export function noResponseError(
	label: string,
	result: Exclude<CallResult, 'answered'> | 'inDoubt',
	{ status: httpStatus, webhook }: Answer,
	serverTimeoutMs = webhook.elapsedMs,
	run?: CalledRun,
) {
	switch (result) {
		case 'timedOut':
			return outcomeError(
				`${label} returned no response within ${inSeconds(serverTimeoutMs)}`,
				run === undefined
					? `The run may still be in progress, or it ended before it reached Return Response. In Activepieces 0.85 and later, this also happens when the run fails. ${CHECK_RUN} ${DO_NOT_WAIT}`
					: `${run.state} ${run.page} ${DO_NOT_WAIT}`,
				{ httpStatus },
			);
		case 'failed':
			return settledError(
				`The run of ${label} ended before it reached Return Response`,
				CHECK_RUN,
				httpStatus,
			);
		case 'inDoubt':
			// The service's own 404 and 410 have the same headers and the same body (recorded).
			return outcomeError(
				`${label} responded with HTTP ${httpStatus} and no content, or did not run`,
				`The Return Response step of the flow may have sent this response. Activepieces responds the same way if the flow was disabled or deleted after the node checked it, so the flow may or may not have run. ${CHECK_RUN}`,
				{ httpStatus },
			);
		case 'notRun':
			return errorOf(
				`${label} did not run`,
				'It was disabled or deleted after the node checked it. Check the flow in Activepieces.',
				{ httpStatus },
			);
	}
}

const MAX_QUOTE = 1000;

export function flowResponseError(label: string, { status: httpStatus, webhook }: Answer) {
	const body = plainText(webhook.text, MAX_QUOTE);
	return settledError(
		`${label} responded with HTTP ${httpStatus}`,
		`This is the response of its Return Response step${body === '' ? ', which has no body' : `: ${body}`}`,
		httpStatus,
	);
}

const BINARY =
	/^(image|audio|video|font)\/|^application\/(octet-stream|gzip|zip|pdf|epub\+zip|msword|vnd\.|x-(7z-compressed|bzip2?|freearc|rar-compressed|tar)|java-archive|rtf)/i;

/** The content of a response, read as n8n's HTTP Request reads it: JSON, text, or a file. */
function bodyOrFileOf({ body, webhook: { headers, text, content } }: Answer) {
	const type = String(headers['content-type'] ?? '');
	// The type of an empty body says what it would contain.
	if (/\bjson\b/i.test(type)) return { body: body === undefined ? {} : body };
	if (BINARY.test(type)) {
		const [, name] =
			/\bfilename="?([^";]+)/i.exec(String(headers['content-disposition'] ?? '')) ?? [];
		return { file: { content, mimeType: type.split(';')[0].trim(), fileName: name } };
	}
	return { body: text };
}

const toItem = (value: unknown): IDataObject => {
	if (isRecord(value)) return value;
	return value === null ? {} : ({ data: value } as IDataObject);
};

/**
 * Makes items from a response: one from an object, one for each value of a list, `data` from text, and a
 * file named `data` from anything else.
 */
export function recordsOfResponse(
	answer: Answer,
	{ isFull, context }: { isFull: boolean; context: OperationContext },
): IDataObject[] {
	const { body, file } = bodyOrFileOf(answer);
	const head = { statusCode: answer.status, headers: answer.webhook.headers };
	if (file !== undefined) {
		const { content, fileName: name = null, mimeType } = file;
		// n8n gives a model no item without fields.
		const item: IDataObject = isFull ? head : { name, type: mimeType, size: content.length };
		context.files.set(item, file);
		return [item];
	}
	if (isFull) return [{ ...head, body } as IDataObject];
	if (!Array.isArray(body)) return [toItem(body)];
	if (body.length > limits.maxRecordsPerItem) {
		throw outcomeError(
			`The flow returned ${body.length} items, more than the node accepts for one input item (${limits.maxRecordsPerItem})`,
			'The flow did run. Change it to return fewer items, or an object that contains the list.',
		);
	}
	return body.map(toItem);
}
