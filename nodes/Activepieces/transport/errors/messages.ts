import { isStatus, SESSION_CODES } from '../http/response';
import { rowOf } from '../http/verdict';
import {
	append,
	capitalize,
	describeValue,
	inSeconds,
	plainText,
	shortName,
	unended,
} from '../texts';
import { textOf } from '../values';
import { hasTarget, isNotOfWebhook, isSignInRedirect } from './gateway';
import type { ConnectionRule, ListFacts, ListRule, ResponseFacts, ResponseRule } from './rule';
import { fieldLabel, ID_FORM, type Words } from './words';

/*
 * What a person reads when a request fails, at any endpoint. What responses mean at one endpoint is in its `rules`, and
 * for signing in in `client/signIn.ts`. `test/unit/messages.test.ts` shows all of it.
 */

/* There is no response, or none that can be read. */

const reasonOf = (text = ''): string => unended(plainText(text));

/** What to do if a server may be restarting: a sentence, or nothing for a change, which may have been made. */
function tryAgain({ waitsFor, isRead }: Words): string {
	const advice = waitsFor ?? (isRead ? 'Try again.' : '');
	return advice && ` ${advice}`;
}

export const CONNECTION_RULES: ConnectionRule[] = [
	{
		kind: 'unknownHost',
		message: ({ host }) => `The host ${host} was not found`,
		description: ({ alsoProxy }) =>
			`Check Base URL in the credential for typos, and the DNS of the n8n server.${alsoProxy}`,
	},
	{
		kind: 'notConnected',
		message: ({ host }) => `No server responds at ${host}`,
		description: ({ alsoProxy }) =>
			`Check the host and port of Base URL in the credential. Also check that Activepieces is running and that the n8n server can reach it. In Docker, localhost is the container itself.${alsoProxy}`,
	},
	{
		kind: 'timeout',
		message: ({ host }) => `${host} did not respond in time`,
		description: ({ delayedBy, isRead, orLess, timeoutField }) =>
			delayedBy ??
			(isRead ? `Try again later, ${orLess}or raise ${timeoutField}.` : `Raise ${timeoutField}.`),
	},
	{
		kind: 'connectionReset',
		message: (words) => `${words.host} closed the connection before the response was complete`,
		description: (words, { source: { hasResponded } }) =>
			`The server or a proxy in front of it may be restarting.${tryAgain(words)}${hasResponded ? '' : ' If this continues, check whether Base URL in the credential must begin with http:// or https://.'}${words.alsoProxy}`,
	},
	{
		kind: 'untrustedCertificate',
		message: ({ host }) => `The certificate of ${host} is not trusted`,
		description: ({ sslField }) =>
			`On the server, install a certificate that n8n trusts. If you trust the server, you can turn on ${sslField} instead.`,
	},
	{
		kind: 'tooLarge',
		message: ({ host }, { error: { text } }) =>
			`The response from ${host} ${reasonOf(text) || 'is too large'}`,
		// A smaller page was requested before.
		description:
			'The node does not read larger responses. Ask for fewer records, let the flow return less, or check Base URL in the credential.',
	},
	{
		message: (words) => `The request to ${words.host} could not be completed`,
		description: (words, { error: { text } }) =>
			`${text ? `${reasonOf(text)}. ` : ''}Check Base URL in the credential.${words.alsoProxy}`,
	},
];

/** For a release on which only eight operations work (`worksOn073` of an endpoint). */
export const NEEDS_079 = {
	message: 'This needs Activepieces 0.79 or later',
	description:
		'The server has an earlier release. There the node gets queue metrics, lists flows, global connections and flow templates, gets and renames folders, and deletes flow templates and user invitations. For anything else, update Activepieces.',
};

const ADD_HEADER = 'add the header that it requires under Headers in the credential';

const BLOCKED: Pick<ResponseRule, 'message' | 'description'> = {
	message: (_words, { response: { status } }) =>
		`A proxy or firewall in front of Activepieces refused the request (HTTP ${status})`,
	description(
		{ credential, sentWith, baseUrl, isRead },
		{ response: { isHtml, message, status } },
	) {
		const quoted = message && !isHtml ? `It says: ${unended(message)}. ` : '';
		// It may also refuse the response to a change that it has passed on.
		const unchecked =
			isRead || rowOf(status).inFront === 'nothing'
				? `, so Activepieces did not check the ${credential}${sentWith}`
				: '';
		return `${quoted}A proxy or firewall responded${isHtml ? ' with a web page' : ''}${unchecked}. Allow the n8n server to connect to ${baseUrl}, or ${ADD_HEADER}. If that is another application, change Base URL in the credential.`;
	},
};

const RECORD_NOT_FOUND: Pick<ResponseRule, 'message' | 'description'> = {
	message: ({ recordAtStart }) => `${recordAtStart} was not found`,
	description: ({ ifMissing, quoted, baseUrlHint }) => ifMissing ?? `${quoted}${baseUrlHint}`,
};

/** The name of the field in `querystring/status/0 must be …`, `body/displayName Invalid input: …`. */
const REFUSED_FIELD = /^(?:querystring|body|params)(?:\/| must have required property ')([\w-]+)/;

/** How long the service wants a pause: a sentence or nothing. */
const asksToWait = ({ response: { retryAfterMs: ms } }: ResponseFacts): string =>
	ms === undefined
		? ''
		: `Activepieces asks you to wait ${inSeconds(Math.ceil(ms / 1000) * 1000)}. `;

/**
 * The meaning of an unexpected response at any endpoint. It depends first on who responded (a redirect, a web page of a
 * proxy), then on the status, and then on the code and text of the service. Sources: responses recorded with
 * real servers (`test/contract`) and the service's error handler.
 */
export const RESPONSE_RULES: ResponseRule[] = [
	/* The response is not from Activepieces, or from another path of it. */

	{
		when: hasTarget,
		message: (_words, { response: { location } }) => `The server redirects to ${location}`,
		description({ shortCredential, baseUrl }, { isCall, response: { location = '' } }) {
			const ofGateway = isSignInRedirect(location, baseUrl)
				? ` If it is the sign-in page of a gateway in front of Activepieces, ${ADD_HEADER}.`
				: '';
			return `The node does not send the ${isCall ? 'input' : shortCredential} to another URL. If that URL is on your Activepieces server, set Base URL in the credential to its API URL instead of ${baseUrl}.${ofGateway}`;
		},
	},
	{
		when: isNotOfWebhook,
		message: (_words, { response: { status } }) =>
			`A proxy or firewall in front of Activepieces responded instead of the flow (HTTP ${status})`,
		description: ({ baseUrl }) =>
			`The node sends this request without the credential, except Headers. Configure the proxy or firewall to pass POST ${baseUrl}/v1/webhooks/… to Activepieces, or ${ADD_HEADER}.`,
	},
	{
		isPage: true,
		// With 405 nginx in front of releases before 0.80 responds to POST and DELETE outside /api.
		status: ['success', 'redirect', 'notFound', 'methodNotAllowed'],
		message: 'Base URL points to a web page, not to the Activepieces API',
		description: ({ baseUrlHint }) =>
			append(baseUrlHint, ` If a gateway asks you to sign in, ${ADD_HEADER}.`),
	},
	{ isPage: true, status: 'badRequest', ...BLOCKED },
	{
		from: 'inFront',
		status: ['redirect', 'unauthorized', 'paymentRequired', 'forbidden', 'conflict'],
		...BLOCKED,
	},
	{
		status: 'proxyAuthenticationRequired',
		message: 'The proxy did not accept the request without another username and password',
		description: ({ proxyField }) =>
			`Enter them in the URL in ${proxyField}, special characters encoded, for example @ as %40: http://user:password@proxy.example:3128`,
	},

	/* The response is a success, but not the expected one. */

	{
		status: 'success',
		when: ({ response: { body } }) => typeof body === 'string',
		message: ({ noun }) => `The response for the ${noun} is incomplete or is not JSON`,
		description: ({ again, isRead }) =>
			`The connection may have been interrupted, or a proxy may have changed the response.${isRead ? ` ${again}.` : ''}`,
	},
	{
		status: 'success',
		message: ({ noun }) => `The response for the ${noun} does not have the expected format`,
		description: ({ baseUrlHint }) => baseUrlHint,
	},

	/* The credential, its user or the plan do not allow it. */

	{
		status: 'paymentRequired',
		code: 'FEATURE_DISABLED',
		message: ({ feature }) => `The Activepieces plan does not include ${feature ?? 'this feature'}`,
		description: 'This request needs a plan with that feature (Enterprise or a paid Cloud plan).',
	},
	{
		status: 'paymentRequired',
		message: 'You have reached a limit of the Activepieces plan',
		description: ({ quoted }) =>
			`${quoted}Check your plan and usage in the platform admin console.`,
	},
	{
		status: 'unauthorized',
		when: ({ response }) => response.isWithoutKeys === true,
		message: 'This is the Community edition of Activepieces, which has no API keys',
		description:
			'Create a credential with Sign-In instead of API Key. You choose this at the top right of the dialog in n8n 2, or below Connect using in n8n 1. Then enter the email and password of a user.',
	},
	{
		status: 'unauthorized',
		message: ({ credential }) => `Activepieces did not accept the ${credential}`,
		description: ({ credential, sentWith, baseUrl, expiredHint }) =>
			`The ${credential}${sentWith && `,${sentWith},`} was sent to ${baseUrl}, the Base URL. ${expiredHint}`,
	},
	// Up to 0.74 the service wants the project of a key, up to 0.76 that of an invitation (recorded).
	{
		from: 'service',
		status: ['forbidden', 'conflict'],
		when: ({ request: { endpoint }, response: { status, code, message = '' } }) =>
			/project id (?:in request|is required)/i.test(message) ||
			(!endpoint.worksOn073 &&
				isStatus(status, 'conflict') &&
				code === undefined &&
				message === ''),
		...NEEDS_079,
	},
	{
		status: 'forbidden',
		code: 'PERMISSION_DENIED',
		message: ({ user, noun }) => `The ${user} is not allowed to do this with the ${noun}`,
		description: ({ shortCredential }, { response: { params } }) =>
			`The role of that user does not include the permission ${shortName(textOf(params.permission)) || 'for it'}. Give the user a role that includes it, or use the ${shortCredential} of another user.`,
	},
	{
		status: 'forbidden',
		code: SESSION_CODES,
		message: ({ credential }) => `The ${credential} or its user is no longer active`,
		description: ({ expiredHint }) => expiredHint,
	},
	{
		status: 'forbidden',
		message: ({ actor, record }) => `The ${actor} is not allowed to access the ${record}`,
		// Flows and folders also respond without a message when a session has expired (recorded).
		description: ({ quoted, thing, field, hint, expiredHint }) =>
			`${quoted}${field === undefined ? '' : `The ${thing} may belong to another platform: check ${field}. `}${quoted === '' ? expiredHint : hint}`,
	},

	/* The server does not have the record or the endpoint. */

	{
		unknown: 'endpoint',
		message: ({ endpoint, feature }) =>
			`This Activepieces server has no ${feature ?? `endpoint ${endpoint}`}`,
		description: ({ feature, baseUrlHint }) =>
			`${feature === undefined ? 'The release or edition of the server may not support this endpoint' : `The Community edition has no ${feature}`}. ${baseUrlHint}`,
	},
	// For flows and runs, unlike other records, the service checks the form of the ID before it looks for the record.
	{
		status: 'badRequest',
		says: /^params\/id /,
		when: ({ id }) => id !== undefined,
		message: ({ field, noun }, { id }) =>
			`${capitalize(field ?? noun)} must be an Activepieces ID, not ${describeValue(id)}`,
		description: ID_FORM,
	},
	{ from: 'service', status: 'notFound', ...RECORD_NOT_FOUND },
	{ status: 'badRequest', code: 'FLOW_RUN_NOT_FOUND', ...RECORD_NOT_FOUND },
	{
		status: ['notFound', 'methodNotAllowed'],
		message: (_words, { response: { status } }) =>
			`A proxy in front of Activepieces responded that nothing was found (HTTP ${status})`,
		description: ({ baseUrlHint }) =>
			`The proxy may be unable to reach Activepieces, for example while it starts. Try again. If this continues, Base URL may be wrong. ${baseUrlHint}`,
	},

	/* The request cannot be used. */

	{
		status: 'badRequest',
		says: REFUSED_FIELD,
		message: (_words, { request: { subject }, response: { message = '' } }) =>
			`Activepieces did not accept the value of ${fieldLabel(subject.labels ?? {}, REFUSED_FIELD.exec(message)?.[1])}`,
		description: ({ quoted, input, again }) => `${quoted}Check ${input}. ${again}.`,
	},
	{
		status: 'badRequest',
		message: 'Activepieces did not accept the request',
		description: ({ quoted, input }) => `${quoted}Check ${input}.`,
	},
	{
		status: ['contentTooLarge', 'uriTooLong', 'headersTooLarge'],
		message: 'The request is larger than the server accepts',
		description: ({ input }) =>
			`Check ${input}. A value may be too long, or a proxy in front of Activepieces may have a low limit.`,
	},
	{
		status: 'tooManyRequests',
		message: 'Activepieces is receiving too many requests',
		description: ({ lessOften }, facts) => `${asksToWait(facts)}${lessOften}`,
	},

	/* Anything else */

	{
		status: ['badGateway', 'serviceUnavailable', 'gatewayTimeout', 'unreachableOrigin'],
		message: (_words, facts) => `Activepieces is unavailable (HTTP ${facts.response.status})`,
		description: ({ waitsFor, isRead }, facts) =>
			`${asksToWait(facts)}The server may be starting or overloaded. ${isRead || facts.response.attempts?.outcome === 'nothing' ? 'Try again later, and check' : 'Check'} that its API is running.${waitsFor === undefined ? '' : ` A proxy may not have waited for the response. ${waitsFor}`}`,
	},
	{
		status: 'serverError',
		message: (_words, { response: { status } }) =>
			`Activepieces could not process the request (HTTP ${status})`,
		description: ({ quoted }) => `${quoted}The cause is on the server. Check its log.`,
	},
	{
		message: (_words, { response: { status } }) =>
			`Activepieces refused the request (HTTP ${status})`,
		description: ({ quoted, input }) => `${quoted}Check ${input}.`,
	},
];

/* A list was not read to its end. */

const stoppedAfter = ({ list: { count } }: ListFacts) => `The node stopped after ${count} records.`;

const CHECK_IN_FRONT =
	'check that nothing in front of Activepieces, such as a proxy or a cache, changes or repeats its responses.';

export const LIST_RULES: ListRule[] = [
	{
		kind: 'tooManyRecords',
		message: ({ noun }, { list: { most } }) =>
			`There are more ${noun} than the node reads at once (${most})`,
		description: ({ fewerRecords }, { list: { count } }) =>
			`${capitalize(fewerRecords ?? `the node stopped after ${count} records`)}.`,
	},
	{
		kind: 'repeatedPages',
		message: ({ noun }) => `The server repeats pages of the list of ${noun}`,
		description: (_words, facts) => `${stoppedAfter(facts)} ${capitalize(CHECK_IN_FRONT)}`,
	},
	{
		kind: 'missingRecords',
		message: ({ noun }) => `The server leaves records out of the list of ${noun}`,
		description: ({ again }, facts) =>
			`${stoppedAfter(facts)} ${again}: the last ones may have been deleted while it read the list. If this continues, ${CHECK_IN_FRONT}`,
	},
];
