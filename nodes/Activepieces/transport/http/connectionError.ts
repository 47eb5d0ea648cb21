import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values';

/* Why there is no response that can be read, from the codes and texts of Node.js, TLS, axios and n8n. */

/**
 * The codes of Node.js, TLS and axios by kind, and texts for errors without a code. The first rule that matches
 * counts.
 */
const RULES = [
	{ kind: 'unknownHost', codes: /ENOTFOUND|EAI_AGAIN/ },
	// With `connect` there was no connection yet; on an open connection the same codes mean that it was lost.
	{ kind: 'notConnected', codes: /ECONNREFUSED|connect E(?:HOST|NET)UNREACH|connect ETIMEDOUT/ },
	{ kind: 'timeout', codes: /E(?:SOCKET)?TIMEDOUT|ECONNABORTED/, text: /timeout|timed out/i },
	{
		kind: 'untrustedCertificate',
		codes:
			/SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET)_|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ALTNAME_INVALID/,
		text: /certificate/i,
	},
	{
		kind: 'connectionReset',
		codes: /ECONNRESET|EPIPE|E(?:HOST|NET)UNREACH|ERR_BAD_RESPONSE|ERR_STREAM_PREMATURE_CLOSE/,
		text: /socket hang up|aborted|closed|parse error|unexpected end of file/i,
	},
] as const;

/** Why a request had no readable response, as far as the reason changes what to do or whether to try again. */
export type ConnectionErrorKind = (typeof RULES)[number]['kind'] | 'tooLarge' | 'other';

export interface ConnectionError {
	kind: ConnectionErrorKind;
	/** The first text that came with it; for a response that is too large, what is too much */
	text?: string;
}

/** A body exceeds the limit; the rest of it was not read. */
export class BodyTooLargeError extends Error {}

/**
 * An error and its causes: n8n wraps axios, axios wraps Node.js, which has an error for each address of a host that has
 * several.
 */
export function causesOf(error: unknown): IDataObject[] {
	const causes: IDataObject[] = [];
	let current = error;
	while (causes.length < 6 && isRecord(current)) {
		const { errors } = current;
		causes.push(current, ...(Array.isArray(errors) ? errors.filter(isRecord) : []));
		current = current.cause;
	}
	return causes;
}

export function classifyConnectionError(error: unknown): ConnectionError {
	if (error instanceof BodyTooLargeError) return { kind: 'tooLarge', text: error.message };
	// `httpCode` contains the code in n8n 1.x.
	const texts = causesOf(error)
		.flatMap((each) => [each.code, each.httpCode, each.message, each.description, each.messages])
		.flat()
		.filter((text) => typeof text === 'string');
	const rule =
		RULES.find(({ codes }) => texts.some((text) => codes.test(text))) ??
		RULES.find((each) => 'text' in each && texts.some((text) => each.text.test(text)));
	return { kind: rule?.kind ?? 'other', text: texts[0] };
}
