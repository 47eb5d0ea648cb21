/** Why a request brought no response that can be read, as far as it makes a difference to the person or to a further attempt. */
export type ConnectionErrorKind =
	| 'unknownHost'
	| 'connectionRefused'
	| 'connectTimeout'
	| 'unreachable'
	| 'timeout'
	| 'untrustedCertificate'
	| 'tlsProtocol'
	| 'connectionReset'
	| 'undecodable'
	| 'tooLarge'
	| 'other';

export interface ConnectionError {
	kind: ConnectionErrorKind;
	/** The first text that came with it; what is too much, of an answer that is too large */
	text?: string;
}

interface Rule {
	kind: ConnectionErrorKind;
	codes: string[];
	/** For what reaches us without a code */
	text?: RegExp;
}

/** From the codes of Node.js, TLS and axios to what happened. The first rule that fits is used. */
const RULES: Rule[] = [
	{ kind: 'unknownHost', codes: ['ENOTFOUND', 'EAI_AGAIN'] },
	// With `connect`, before there was a connection; on an open one the same codes say that it was lost.
	{
		kind: 'connectionRefused',
		codes: ['ECONNREFUSED', 'connect EHOSTUNREACH', 'connect ENETUNREACH'],
	},
	{ kind: 'connectTimeout', codes: ['connect ETIMEDOUT'] },
	{ kind: 'unreachable', codes: ['EHOSTUNREACH', 'ENETUNREACH'] },
	{
		kind: 'timeout',
		codes: ['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT'],
		text: /timeout|timed out/i,
	},
	{
		kind: 'untrustedCertificate',
		codes: [
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'SELF_SIGNED_CERT_IN_CHAIN',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'UNABLE_TO_GET_ISSUER_CERT',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'CERT_HAS_EXPIRED',
			'CERT_NOT_YET_VALID',
			'ERR_TLS_CERT_ALTNAME_INVALID',
		],
		text: /certificate/i,
	},
	{
		kind: 'tlsProtocol',
		codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'],
		text: /wrong version number|ssl routines/i,
	},
	{
		kind: 'undecodable',
		codes: ['Z_DATA_ERROR', 'Z_NEED_DICT', 'ERR__ERROR_', 'ERR_BROTLI'],
	},
	{
		kind: 'connectionReset',
		codes: ['ECONNRESET', 'EPIPE', 'ERR_BAD_RESPONSE', 'ERR_STREAM_PREMATURE_CLOSE'],
		text: /socket hang up|aborted|closed|parse error|unexpected end of file/i,
	},
];

interface Thrown {
	cause?: unknown;
	code?: unknown;
	description?: unknown;
	/** Holds the code in n8n 1.x */
	httpCode?: unknown;
	message?: unknown;
	messages?: unknown;
}

/** Codes and texts of an error and of what it was made from: n8n wraps axios, axios wraps Node. */
function textsOf(error: unknown): string[] {
	const texts: unknown[] = [];
	let current = error;
	for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
		const { cause, code, description, httpCode, message, messages } = current as Thrown;
		texts.push(code, httpCode, message, description, messages);
		current = cause;
	}
	return texts.flat().filter((text): text is string => typeof text === 'string');
}

/** Reads what the engine's request helper threw, once, so that retries and messages agree on it. */
export function classifyConnectionError(error: unknown): ConnectionError {
	const texts = textsOf(error);
	const rule =
		RULES.find(({ codes }) => codes.some((code) => texts.some((text) => text.includes(code)))) ??
		RULES.find(({ text }) => text !== undefined && texts.some((each) => text.test(each)));
	return { kind: rule?.kind ?? 'other', text: texts[0] };
}
