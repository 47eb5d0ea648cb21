import {
	type ConnectionError,
	type ConnectionErrorKind,
	NOT_CONNECTED,
} from '../http/connectionError';
import { plainText, unended } from '../text';
import type { UserMessage } from './error';
import { type Condition, type Rule, when } from './rule';
import type { Words } from './words';

/* There is no response, or none that can be read. */

const kind =
	(...kinds: ConnectionErrorKind[]): Condition<ConnectionError> =>
	(error) =>
		kinds.includes(error.kind);

const reasonOf = (text = ''): string => unended(plainText(text));

/** With a proxy, n8n connects to the proxy. */
const hasProxy = (_facts: unknown, { proxyHost }: Words): boolean => proxyHost !== undefined;

const checkProxy = ({ proxyHost, proxyField }: Words): string =>
	proxyHost === undefined ? '' : ` Also check ${proxyField}: the proxy is ${proxyHost}.`;

/** For a proxy that wants a user, or another one. */
export const refusedByProxy = ({
	proxyHost = '',
	proxyField,
	isProxyUserSent,
}: Words): UserMessage => ({
	message: `The proxy${proxyHost && ` ${proxyHost}`} ${isProxyUserSent ? 'did not accept the' : 'requires a'} username and password`,
	description: isProxyUserSent
		? `Check them in ${proxyField}. Special characters in them must be encoded, for example @ as %40.`
		: `Add them to the URL in ${proxyField}. For example: http://user:password@proxy.example:3128`,
});

/** What helps, beside a longer Timeout, when a list takes too long: the start of an enumeration or nothing. */
const orLess = ({ fewerRecords, method, id }: Words): string =>
	fewerRecords !== undefined && method === 'GET' && id === undefined ? `${fewerRecords}, ` : '';

export const CONNECTION_RULES: Array<Rule<ConnectionError>> = [
	when([kind('unknownHost'), hasProxy], ({ proxyHost, proxyField }) => ({
		message: `The proxy ${proxyHost} was not found`,
		description: `Check ${proxyField}. Look for typos, and check the DNS of the n8n server.`,
	})),
	when([kind('unknownHost')], ({ host }) => ({
		message: `The host ${host} was not found`,
		description: 'Check Base URL in the credential for typos, and the DNS of the n8n server.',
	})),
	when([kind(...NOT_CONNECTED), hasProxy], ({ proxyHost, proxyField }) => ({
		message: `The proxy ${proxyHost} does not respond`,
		description: `Check ${proxyField}. Also check that the proxy is running and that the n8n server can reach it.`,
	})),
	when([kind(...NOT_CONNECTED)], ({ host }) => ({
		message: `No server responds at ${host}`,
		description:
			'Check the host and port of Base URL in the credential. Also check that Activepieces is running and that the n8n server can reach it. In Docker, localhost is the container itself.',
	})),
	when([kind('timeout')], (words) => ({
		message: `${words.host} did not respond in time`,
		description:
			words.delayedBy ??
			`Try again later, ${orLess(words)}or raise ${words.fieldOf('Timeout', 'timeoutMs')}.`,
	})),
	when([kind('connectionReset')], (words) => ({
		message: `${words.host} closed the connection before the response was complete`,
		description: `The server or a proxy in front of it may be restarting. ${words.waitsFor ?? 'Try again.'}${words.hasResponded ? '' : ' If this continues, check whether Base URL in the credential must begin with http:// or https://.'}${checkProxy(words)}`,
	})),
	when([kind('untrustedCertificate')], ({ host, fieldOf }) => ({
		message: `The certificate of ${host} is not trusted`,
		description: `On the server, install a certificate that n8n trusts. If you trust the server, you can turn on ${fieldOf('Ignore SSL Issues', 'skipSslCertificateValidation')} instead.`,
	})),
	when([kind('tlsProtocol')], ({ host }) => ({
		message: `${host} does not support HTTPS`,
		description:
			'If the server has no certificate, Base URL in the credential must start with http://',
	})),
	when([kind('undecodable')], ({ host }) => ({
		message: `The response from ${host} could not be decompressed`,
		description:
			'Its content does not match its Content-Encoding header. Check the proxy in front of Activepieces, or Base URL in the credential.',
	})),
	when([kind('tooLarge'), (_facts, { isCall }) => isCall === true], ({ noun }, { text }) => ({
		message: `The response of the ${noun} ${reasonOf(text) || 'is too large'}`,
		description: `The node does not read larger responses. Change the ${noun} to return less.`,
	})),
	when([kind('tooLarge')], ({ host, hasFilters }, { text }) => ({
		message: `The response from ${host} ${reasonOf(text) || 'is too large'}`,
		// A smaller page was requested before.
		description: `The node does not read larger responses. ${hasFilters ? 'Use filters. If the response is still too large,' : 'No single Activepieces record is that large:'} check Base URL in the credential.`,
	})),
	when([], (words, { text }) => ({
		message: `The request to ${words.host}${words.proxyHost === undefined ? '' : ` through the proxy ${words.proxyHost}`} could not be completed`,
		description: `${text ? `${reasonOf(text)}. ` : ''}Check Base URL in the credential.${checkProxy(words)}`,
	})),
];
