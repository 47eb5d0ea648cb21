import type { IDataObject } from 'n8n-workflow';

import type { BinaryFile } from '../../execution/retryOnFail';
import { ActivepiecesError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { isStatus } from '../../transport/httpStatus';
import type { ApiResponse, WebhookResponse } from '../../transport/response';
import { isRecord } from '../../transport/values';
import { capitalize, inSeconds, plainText } from '../../transport/text';
import type { CalledRun } from './calledRun';

/** The texts by which the service reports that a run ended without a response (recorded at 0.73, 0.79). */
const NO_RESPONSE_TEXTS = [
	'The flow has failed and there is no response returned',
	'An internal error has occurred',
];

const isEmptyObject = (body: unknown): boolean => isRecord(body) && Object.keys(body).length === 0;

/** Headers of every response to a call (recorded); all others come from Return Response. */
const COMMON_HEADERS =
	/^(access-control-.*|alt-svc|cache-control|cf-.*|connection|content-(length|security-policy|type)|date|keep-alive|server|strict-transport-security|transfer-encoding|vary|via|x-(content-type-options|webhook-id|powered-by|frame-options)|x-request-id)$/i;

const hasOwnHeaders = ({ headers }: WebhookResponse): boolean =>
	Object.keys(headers).some((name) => !COMMON_HEADERS.test(name));

/** The outcome of a call. */
type CallResult =
	/** The flow responded, with Return Response */
	| 'answered'
	/** The server has waited as long as it does for a flow */
	| 'timedOut'
	/** The run ended before Return Response */
	| 'failed'
	/** The flow was disabled or deleted after the node looked at it; Return Response can look the same */
	| 'notRun'
	/** The server did not accept the call */
	| 'refused';

/**
 * Distinguishes the response of a flow from responses of the service itself. A 204, and a 408 with an
 * empty object, look the same whether they come from the flow or from a time-out (recorded), so the
 * elapsed time decides.
 *
 * @param serverTimeoutMs how long the server waits for a flow; undefined when it does not say so
 */
export function callResult(
	{ status, body }: ApiResponse,
	answer: WebhookResponse,
	serverTimeoutMs?: number,
): CallResult {
	const isUnsigned = !hasOwnHeaders(answer);
	// Allows for clocks that differ a little.
	const isLate = answer.elapsedMs >= (serverTimeoutMs ?? limits.flowResponse.defaultMs) * 0.95;
	if (isStatus(status, 'noContent') && isUnsigned && isLate) return 'timedOut';
	if (isStatus(status, 'requestTimeout') && isEmptyObject(body) && isUnsigned) {
		// If the server does not say how long it waits, a 408 counts as the server's, because flows hardly ever
		// send it.
		return isLate || serverTimeoutMs === undefined ? 'timedOut' : 'answered';
	}
	if (isStatus(status, 'notFound', 'gone') && isEmptyObject(body) && isUnsigned) return 'notRun';
	if (!isRecord(body) || Object.keys(body).length !== 1) return 'answered';
	const { message } = body;
	if (isStatus(status, 'contentTooLarge') && message === 'Payload too large') return 'refused';
	const isFailed = NO_RESPONSE_TEXTS.some((text) => text === message);
	return isStatus(status, 'internalServerError') && isFailed ? 'failed' : 'answered';
}

const CHECK_RUN =
	'To see what happened, open the newest run of the flow in Activepieces, or use Flow Run > Get Many.';

const DO_NOT_WAIT = 'For long-running flows, turn off Wait for Response.';

/** The error for a call that the server accepted and the flow did not respond to. */
export function noResponseError(
	label: string,
	result: Exclude<CallResult, 'answered' | 'refused'> | 'inDoubt',
	{ status, webhook }: ApiResponse,
	{
		serverTimeoutMs = webhook?.elapsedMs ?? 0,
		run,
	}: { serverTimeoutMs?: number; run?: CalledRun } = {},
): ActivepiecesError {
	switch (result) {
		case 'timedOut':
			return new ActivepiecesError(
				{
					message: capitalize(`${label} returned no response within ${inSeconds(serverTimeoutMs)}`),
					description:
						run === undefined
							? `The run may still be in progress, or it ended before it reached Return Response. In Activepieces 0.85 and later, this also happens when the run fails. ${CHECK_RUN} ${DO_NOT_WAIT}`
							: `${run.sentence}${run.hasFailed ? '' : ` ${DO_NOT_WAIT}`}`,
				},
				{ httpStatus: status, saysOutcome: true },
			);
		case 'failed':
			return new ActivepiecesError(
				{
					message: capitalize(`The run of ${label} ended before it reached Return Response`),
					// The status of a run may be visible only a moment after its response.
					description: run?.hasFailed === true ? run.sentence : CHECK_RUN,
				},
				{ httpStatus: status, isSettled: true },
			);
		case 'inDoubt':
			// The service's own 404 and 410 have the same headers and the same body (recorded).
			return new ActivepiecesError(
				{
					message: capitalize(
						`${label} responded with HTTP ${status} and no content, or did not run`,
					),
					description: `The Return Response step of the flow may have sent this response. Activepieces responds the same way if the flow was disabled or deleted after the node checked it, so the flow may or may not have run. ${CHECK_RUN}`,
				},
				{ httpStatus: status, saysOutcome: true },
			);
		case 'notRun':
			return new ActivepiecesError(
				{
					message: capitalize(`${label} did not run`),
					description:
						'It was disabled or deleted after the node checked it. Check the flow in Activepieces.',
				},
				{ httpStatus: status },
			);
	}
}

/** How many characters of a flow's response a message quotes */
const MAX_QUOTE = 1000;

/** The error for a status of 400 or more that the flow itself sent. */
export function flowResponseError(
	label: string,
	{ status }: ApiResponse,
	{ text }: WebhookResponse,
): ActivepiecesError {
	const body = plainText(text, MAX_QUOTE);
	return new ActivepiecesError(
		{
			message: capitalize(`${label} responded with HTTP ${status}`),
			description: `This is the response of its Return Response step${body === '' ? ', which has no body' : `: ${body}`}`,
		},
		{ httpStatus: status, isSettled: true },
	);
}

/** The Content-Types that n8n's HTTP Request reads as files. */
const BINARY =
	/^(image|audio|video|font)\/|^application\/(octet-stream|gzip|zip|pdf|epub\+zip|msword|vnd\.|x-(7z-compressed|bzip2?|freearc|rar-compressed|tar)|java-archive|rtf)/i;

/** The content of a response, read as n8n's HTTP Request reads it. */
interface Content {
	/** JSON, or text */
	body?: unknown;
	file?: BinaryFile;
}

function contentOf({ body }: ApiResponse, { headers, text, content }: WebhookResponse): Content {
	const type = String(headers['content-type'] ?? '');
	// The type of an empty body says what it would contain.
	if (/\bjson\b/i.test(type)) return { body: body === undefined ? {} : body };
	if (BINARY.test(type)) return { file: { content, mimeType: type.split(';')[0].trim() } };
	return { body: text };
}

/** Turns null into an empty item, as n8n's HTTP Request does. */
const toItem = (value: unknown): IDataObject => {
	if (isRecord(value)) return value;
	return value === null ? {} : ({ data: value } as IDataObject);
};

/**
 * Makes items from a response: one from an object, one for each value of a list, `data` from text, and a
 * file named `data` from anything else.
 */
export function recordsOfResponse(
	response: ApiResponse,
	answer: WebhookResponse,
	{ isFull, attach }: { isFull: boolean; attach: (item: IDataObject, file: BinaryFile) => void },
): IDataObject[] {
	const { body, file } = contentOf(response, answer);
	const head = { statusCode: response.status, headers: answer.headers };
	if (file !== undefined) {
		const item: IDataObject = isFull ? head : {};
		attach(item, file);
		return [item];
	}
	if (isFull) return [{ ...head, body } as IDataObject];
	if (!Array.isArray(body)) return [toItem(body)];
	if (body.length > limits.maxRecordsPerItem) {
		throw new ActivepiecesError(
			{
				message: `The flow returned ${body.length} items, more than the node accepts for one input item (${limits.maxRecordsPerItem})`,
				description:
					'The flow did run. Change it to return fewer items, or an object that contains the list.',
			},
			{ saysOutcome: true },
		);
	}
	return body.map(toItem);
}
