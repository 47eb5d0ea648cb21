/** Why a request brought no answer, as far as it makes a difference to the person or to a further try. */
export type TroubleKind =
	| 'unknownHost'
	| 'notConnected'
	| 'unreachable'
	| 'timedOut'
	| 'untrusted'
	| 'noTls'
	| 'cut'
	| 'other';

export interface Trouble {
	kind: TroubleKind;
	/** The first text that came with it */
	text?: string;
}

interface Rule {
	kind: TroubleKind;
	codes: string[];
	/** For what reaches us without a code */
	text?: RegExp;
}

/** From the codes of Node, TLS and axios to what happened. The first rule that fits speaks. */
const RULES: Rule[] = [
	{ kind: 'unknownHost', codes: ['ENOTFOUND', 'EAI_AGAIN'] },
	// Before there was a connection; on an open one the same codes say that the way was lost.
	{
		kind: 'notConnected',
		codes: ['ECONNREFUSED', 'connect EHOSTUNREACH', 'connect ENETUNREACH'],
	},
	{ kind: 'unreachable', codes: ['EHOSTUNREACH', 'ENETUNREACH'] },
	{
		kind: 'timedOut',
		codes: ['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT'],
		text: /timeout|timed out/i,
	},
	{
		kind: 'untrusted',
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
		kind: 'noTls',
		codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'],
		text: /wrong version number|ssl routines/i,
	},
	{
		kind: 'cut',
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

/** What the engine's request helper threw, read once so that retries and messages agree on it. */
export function readTrouble(error: unknown): Trouble {
	const texts = textsOf(error);
	const rule =
		RULES.find(({ codes }) => codes.some((code) => texts.some((text) => text.includes(code)))) ??
		RULES.find(({ text }) => text !== undefined && texts.some((each) => text.test(each)));
	return { kind: rule?.kind ?? 'other', text: texts[0] };
}
