import {
	type ConnectionError,
	type ConnectionErrorKind,
	NOT_CONNECTED,
} from '../http/connectionError';
import type { UserMessage } from './error';
import { isStatus } from '../http/httpStatus';
import { plainText, unended } from '../text';
import { rowOf } from '../http/verdict';
import type { Vocabulary } from './words';

export type Condition<Facts> = (facts: Facts, about: Vocabulary) => boolean;

/** What a response, a missing response or an incomplete list means, and its text. */
export interface Rule<Facts> {
	conditions: Array<Condition<Facts>>;
	text: (about: Vocabulary, facts: Facts) => UserMessage;
}

/**
 * One rule: `message` says what happened, `description` what to change. Of a list of rules the first whose
 * conditions all hold counts.
 */
export const when = <Facts>(
	conditions: Array<Condition<NoInfer<Facts>>>,
	text: Rule<NoInfer<Facts>>['text'],
): Rule<Facts> => ({ conditions, text });

/* There is no response, or none that can be read. */

type Kind = ConnectionErrorKind | ListFacts['kind'];

const kind =
	(...kinds: Kind[]): Condition<{ kind: Kind }> =>
	(facts) =>
		kinds.includes(facts.kind);

/** With a proxy, n8n connects to the proxy. */
const hasProxy = (_facts: unknown, { proxyHost }: Vocabulary): boolean => proxyHost !== undefined;

const checkProxy = ({ proxyHost, proxyField }: Vocabulary): string =>
	proxyHost === undefined ? '' : ` Also check ${proxyField}: the proxy is ${proxyHost}.`;

/** For a proxy that wants a user, or another one. */
export const refusedByProxy = ({
	proxyHost = '',
	proxyField,
	isProxyUserSent,
}: Vocabulary): UserMessage => ({
	message: `The proxy${proxyHost && ` ${proxyHost}`} ${isProxyUserSent ? 'did not accept the' : 'requires a'} username and password`,
	description: isProxyUserSent
		? `Check them in ${proxyField}. Special characters in them must be encoded, for example @ as %40.`
		: `Add them to the URL in ${proxyField}. For example: http://user:password@proxy.example:3128`,
});

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
	when([kind('timeout')], ({ host, delayedBy, orSmaller, timeoutField }) => ({
		message: `${host} did not respond in time`,
		description: delayedBy ?? `Try again later, ${orSmaller}or raise ${timeoutField}.`,
	})),
	when([kind('connectionReset')], (about) => ({
		message: `${about.host} closed the connection before the response was complete`,
		description: `The server or a proxy in front of it may be restarting. Try again.${about.hasResponded ? '' : ' If this continues, check whether Base URL in the credential must begin with http:// or https://.'}${checkProxy(about)}`,
	})),
	when([kind('untrustedCertificate')], ({ host, sslField }) => ({
		message: `The certificate of ${host} is not trusted`,
		description: `On the server, install a certificate that n8n trusts. If you trust the server, you can turn on ${sslField} instead.`,
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
	when([], (about, { text }) => ({
		message: `The request to ${about.host}${about.proxyHost === undefined ? '' : ` through the proxy ${about.proxyHost}`} could not be completed`,
		description: `${text ? `${reasonOf(text)}. ` : ''}Check Base URL in the credential.${checkProxy(about)}`,
	})),
];

const reasonOf = (text = ''): string => unended(plainText(text));

/* A list was not read to its end. */

export type IncompleteReason =
	/** Pages were repeated: for a cursor that the service does not know, it silently returns the first page */
	| 'repeatedPages'
	| 'tooManyRecords'
	/** The service left out records, and a larger page did not contain them */
	| 'missingRecords';

export interface ListFacts {
	kind: 'pageTooLong' | IncompleteReason;
	count?: number;
	most?: number;
}

const stopped = (reason: IncompleteReason, message: (noun: string) => string): Rule<ListFacts> =>
	when([kind(reason)], ({ noun, fewerPages }, { count }) => ({
		message: message(noun),
		description: `The node stopped after ${count} records. ${fewerPages ?? 'Check that nothing in front of Activepieces, such as a proxy or a cache, changes or repeats its responses'}.`,
	}));

export const LIST_RULES: Array<Rule<ListFacts>> = [
	when([kind('pageTooLong')], ({ noun }, { count, most }) => ({
		message: `The server returned ${count} ${noun} at once, more than the node reads (${most})`,
		description: 'Check that Base URL in the credential is the URL of the Activepieces API.',
	})),
	when([kind('tooManyRecords')], ({ noun, perItem, fewerRecords }, { count, most }) => ({
		message: `There are more ${noun} than the node ${perItem ?? 'reads at once'} (${most})`,
		description: `${fewerRecords ?? `The node stopped after ${count} records`}.`,
	})),
	stopped('repeatedPages', (noun) => `The server repeats pages of the list of ${noun}`),
	stopped('missingRecords', (noun) => `The server leaves records out of the list of ${noun}`),
];

/* What is added to the texts */

export const afterTries = (tries: number, time: string) => `, after ${tries} tries in ${time}`;

/** Added to the description when another response came to the email and password */
export const signInSent = ({ baseUrl, path }: Vocabulary): string =>
	` The email and password were sent to ${baseUrl}${path}.`;

/** Added to the description when the request is for one of several projects */
export function projectNote({ container, project, leaveOut }: Vocabulary, status?: number): string {
	// A key applies to all projects.
	if (isStatus(status, 'unauthorized')) return '';
	if (status === undefined || rowOf(status).scope !== 'list')
		return ` The error occurred while reading the project ${project}.`;
	// A plan applies to all projects as well.
	const mayLeaveOut = (container?.of ?? 1) > 1 && !isStatus(status, 'paymentRequired');
	const hint = mayLeaveOut && leaveOut !== undefined ? ` ${leaveOut}` : '';
	return ` The error occurred in the project ${project}.${hint}`;
}
