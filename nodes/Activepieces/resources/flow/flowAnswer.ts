import type { IDataObject } from 'n8n-workflow';

import type { BinaryFile } from '../../execution/operationContext';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';
import { isStatus } from '../../transport/response/httpStatus';
import type { ApiResponse, WebhookAnswer } from '../../transport/response/response';
import { isRecord } from '../../transport/values/isRecord';
import { capitalised, inSeconds, plainText } from '../../transport/values/plainText';

/** The texts in which the service itself says that a run ended without an answer (recorded at 0.73, 0.79). */
const NO_ANSWER_TEXTS = [
	'The flow has failed and there is no response returned',
	'An internal error has occurred',
];

const isEmptyObject = (body: unknown): boolean => isRecord(body) && Object.keys(body).length === 0;

/** Headers of every answer to a call (recorded); whatever else there is comes from Return Response. */
const COMMON_HEADERS =
	/^(access-control-.*|alt-svc|cache-control|cf-.*|connection|content-(length|security-policy|type)|date|keep-alive|server|strict-transport-security|transfer-encoding|vary|via|x-(content-type-options|webhook-id|powered-by|frame-options)|x-request-id)$/i;

const hasOwnHeaders = ({ headers }: WebhookAnswer): boolean =>
	Object.keys(headers).some((name) => !COMMON_HEADERS.test(name));

/** What a call came to. */
export type CallResult =
	/** Return Response */
	| 'answered'
	/** The server has waited as long as it does */
	| 'timedOut'
	/** The run ended before Return Response */
	| 'failed'
	/** The flow was disabled or deleted since the node looked at it; Return Response can look like that */
	| 'notRun'
	/** The server did not take the call */
	| 'refused';

/**
 * Tells the answer of a flow from those that the service gives itself. A 204, and a 408 with an empty object,
 * look the same whether the flow gave them or the time was over (recorded), so that the time decides.
 *
 * @param serverTimeoutMs how long the server waits for a flow, where it says so
 */
export function callResult(
	{ status, body }: ApiResponse,
	answer: WebhookAnswer,
	serverTimeoutMs?: number,
): CallResult {
	const isUnsigned = !hasOwnHeaders(answer);
	// Clocks differ a little.
	const isLate = answer.elapsedMs >= (serverTimeoutMs ?? limits.flowAnswer.defaultMs) * 0.95;
	if (isStatus(status, 'noContent') && isUnsigned && isLate) return 'timedOut';
	if (isStatus(status, 'requestTimeout') && isEmptyObject(body) && isUnsigned) {
		// Flows hardly ever send it, so that it is the server's where the server does not say how long it waits.
		return isLate || serverTimeoutMs === undefined ? 'timedOut' : 'answered';
	}
	if (isStatus(status, 'notFound', 'gone') && isEmptyObject(body) && isUnsigned) return 'notRun';
	if (!isRecord(body) || Object.keys(body).length !== 1) return 'answered';
	const { message } = body;
	if (isStatus(status, 'contentTooLarge') && message === 'Payload too large') return 'refused';
	const isFailed = NO_ANSWER_TEXTS.some((text) => text === message);
	return isStatus(status, 'internalServerError') && isFailed ? 'failed' : 'answered';
}

const LOOK =
	'To see what happened, open the newest run of the flow in Activepieces, or use Flow Run > Get Many.';

/** The error for a call that was taken and brought no answer of the flow. */
export function noAnswerError(
	label: string,
	result: Exclude<CallResult, 'answered' | 'refused'> | 'inDoubt',
	{ status, webhook }: ApiResponse,
	serverTimeoutMs = webhook?.elapsedMs ?? 0,
): ActivepiecesError {
	switch (result) {
		case 'timedOut':
			return new ActivepiecesError(
				{
					message: capitalised(
						`${label} returned no response within ${inSeconds(serverTimeoutMs)}`,
					),
					description: `The run continues, or it ended without reaching Return Response. From Activepieces 0.85 on, a run that fails looks the same. ${LOOK} For flows that take long, turn off Wait for Response.`,
				},
				{ httpStatus: status, isAmbiguous: true },
			);
		case 'failed':
			return new ActivepiecesError(
				{
					message: capitalised(`The run of ${label} ended before it reached Return Response`),
					description: LOOK,
				},
				{ httpStatus: status, isSettled: true },
			);
		case 'inDoubt':
			// The service's own 404 and 410 have the same headers and the same body (recorded).
			return new ActivepiecesError(
				{
					message: capitalised(
						`${label} responded with HTTP ${status} and no content, or did not run`,
					),
					description: `Its Return Response step may have sent this. Activepieces responds in the same way if the flow was disabled or deleted after the node checked it. It is not known whether the flow ran. ${LOOK}`,
				},
				{ httpStatus: status, isAmbiguous: true },
			);
		case 'notRun':
			return new ActivepiecesError(
				{
					message: capitalised(`${label} did not run`),
					description:
						'It was disabled or deleted after the node checked it. Check the flow in Activepieces.',
				},
				{ httpStatus: status },
			);
	}
}

/** Characters of the flow's own answer that a message repeats */
const MAX_QUOTE = 1000;

/** The error for a status of 400 and more that the flow gave itself. */
export function flowsOwnError(
	label: string,
	{ status }: ApiResponse,
	{ text }: WebhookAnswer,
): ActivepiecesError {
	const body = plainText(text, MAX_QUOTE);
	return new ActivepiecesError(
		{
			message: capitalised(`${label} responded with HTTP ${status}`),
			description: `This is the response of its Return Response step${body === '' ? ', which has no body' : `: ${body}`}`,
		},
		{ httpStatus: status, isSettled: true },
	);
}

/** What n8n's HTTP Request takes for files, by their Content-Type. */
const BINARY =
	/^(image|audio|video|font)\/|^application\/(octet-stream|gzip|zip|pdf|epub\+zip|msword|vnd\.|x-(7z-compressed|bzip2?|freearc|rar-compressed|tar)|java-archive|rtf)/i;

/** The parts of an answer, read as n8n's HTTP Request reads them. */
interface Content {
	/** JSON, or text */
	body?: unknown;
	file?: BinaryFile;
}

function contentOf({ body }: ApiResponse, { headers, text, content }: WebhookAnswer): Content {
	const type = String(headers['content-type'] ?? '');
	// Without a body the type says what it would be.
	if (/\bjson\b/i.test(type)) return { body: body === undefined ? {} : body };
	if (BINARY.test(type)) return { file: { content, mimeType: type.split(';')[0].trim() } };
	return { body: text };
}

/** n8n's HTTP Request gives an empty item for null. */
const toItem = (value: unknown): IDataObject => {
	if (isRecord(value)) return value;
	return value === null ? {} : ({ data: value } as IDataObject);
};

/**
 * Makes the items of an answer: an object is one, a list has one for each of its values, text is `data`, and
 * anything else a file named `data`.
 */
export function recordsOfAnswer(
	response: ApiResponse,
	answer: WebhookAnswer,
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
					'The flow has run. Let it return fewer items, or an object that contains the list.',
			},
			{ isAmbiguous: true },
		);
	}
	return body.map(toItem);
}
