import type { Explanation } from './explanation';

interface Rule {
	codes: string[];
	/** For what reaches us without a code */
	text?: RegExp;
	say: (host: string) => Explanation;
}

const RULES: Rule[] = [
	{
		codes: ['ENOTFOUND', 'EAI_AGAIN'],
		say: (host) => ({
			message: `The host ${host} was not found`,
			description:
				'Check Base URL in the credential for typing slips, and the name service of the n8n server.',
		}),
	},
	{
		codes: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
		say: (host) => ({
			message: `Nothing answers at ${host}`,
			description:
				'Check host and port of Base URL in the credential, and that Activepieces is running and can be reached from the n8n server. Inside Docker, localhost is the container itself.',
		}),
	},
	{
		codes: ['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT'],
		text: /timeout|timed out/i,
		say: (host) => ({
			message: `${host} did not answer in time`,
			description:
				'Try again later, ask for less (Limit, Page Size), or raise Timeout under Options.',
		}),
	},
	{
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
		say: (host) => ({
			message: `The certificate of ${host} is not trusted`,
			description:
				'Give the server a certificate that n8n trusts, or turn on Ignore SSL Issues under Options if you know the server.',
		}),
	},
	{
		codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'],
		text: /wrong version number|ssl routines/i,
		say: (host) => ({
			message: `${host} does not speak HTTPS`,
			description:
				'If the server has no certificate, Base URL in the credential must begin with http://',
		}),
	},
	{
		codes: ['ECONNRESET', 'EPIPE', 'ERR_BAD_RESPONSE', 'ERR_STREAM_PREMATURE_CLOSE'],
		text: /socket hang up|aborted|closed|parse error/i,
		say: (host) => ({
			message: `${host} closed the connection before the answer was complete`,
			description:
				'The server or a proxy in front of it may be restarting. Try again; if it stays so, check Base URL (http or https) in the credential.',
		}),
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

/** The explanation of a request that brought no answer at all. */
export function explainConnection(error: unknown, baseUrl: string): Explanation {
	const { host } = new URL(baseUrl);
	const texts = textsOf(error);
	const rule =
		RULES.find(({ codes }) => codes.some((code) => texts.some((text) => text.includes(code)))) ??
		RULES.find(({ text }) => text !== undefined && texts.some((each) => text.test(each)));
	if (rule !== undefined) return rule.say(host);
	return {
		message: `The request to ${host} could not be completed`,
		description: texts[0] ?? 'Check Base URL in the credential.',
	};
}
