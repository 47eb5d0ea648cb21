import type { Trouble, TroubleKind } from './connectionTrouble';
import type { Explanation } from './explanation';

const nothingAnswers = (host: string): Explanation => ({
	message: `Nothing answers at ${host}`,
	description:
		'Check host and port of Base URL in the credential, and that Activepieces is running and can be reached from the n8n server. Inside Docker, localhost is the container itself.',
});

/** From what happened on the way to what the person reads. */
const EXPLANATIONS: Record<TroubleKind, (host: string, text?: string) => Explanation> = {
	unknownHost: (host) => ({
		message: `The host ${host} was not found`,
		description:
			'Check Base URL in the credential for typing slips, and the name service of the n8n server.',
	}),
	notConnected: nothingAnswers,
	unreachable: nothingAnswers,
	timedOut: (host) => ({
		message: `${host} did not answer in time`,
		description:
			"Try again later, ask for less (Limit, Page Size), or raise Timeout in the node's Settings tab under Request Options.",
	}),
	untrusted: (host) => ({
		message: `The certificate of ${host} is not trusted`,
		description:
			"Give the server a certificate that n8n trusts, or turn on Ignore SSL Issues in the node's Settings tab under Request Options if you know the server.",
	}),
	noTls: (host) => ({
		message: `${host} does not speak HTTPS`,
		description:
			'If the server has no certificate, Base URL in the credential must begin with http://',
	}),
	cut: (host) => ({
		message: `${host} closed the connection before the answer was complete`,
		description:
			'The server or a proxy in front of it may be restarting. Try again; if it stays so, check Base URL (http or https) in the credential.',
	}),
	other: (host, text) => ({
		message: `The request to ${host} could not be completed`,
		description: text ?? 'Check Base URL in the credential.',
	}),
};

/** The explanation of a request that brought no answer at all. */
export function explainConnection({ kind, text }: Trouble, baseUrl: string): Explanation {
	return EXPLANATIONS[kind](new URL(baseUrl).host, text);
}
