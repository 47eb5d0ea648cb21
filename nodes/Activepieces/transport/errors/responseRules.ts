import type { IDataObject } from 'n8n-workflow';

import { describeValue } from '../describeValue';
import { plainText, wordOf } from '../plainText';
import { type ApiResponse, isServiceRefusal } from '../response';
import { ADVICE } from './advice';
import { checkInput, hasFilters, inputOf, refusedField } from './requestInput';
import {
	baseUrlHint,
	capitalised,
	CREDENTIAL_WORDS,
	type ErrorContext,
	goesPastApi,
	named,
	type UserMessage,
} from './userMessage';

interface Rule {
	when: (response: ApiResponse, context: ErrorContext) => boolean;
	message: (response: ApiResponse, context: ErrorContext) => UserMessage;
}

const is =
	(status: number, code?: string, text?: RegExp) =>
	(response: ApiResponse): boolean =>
		response.status === status &&
		(code === undefined || response.code === code) &&
		(text === undefined || text.test(response.message ?? ''));

/** What the service said, as a sentence of its own, or nothing. */
const quote = ({ message }: Pick<ApiResponse, 'message'>): string =>
	message === undefined ? '' : `Activepieces says: ${message}. `;

const waitAsked = ({ retryAfterMs }: ApiResponse): string =>
	retryAfterMs === undefined ? '' : `It asks to wait ${Math.ceil(retryAfterMs / 1000)} seconds. `;

/** A flow has no published version. */
const isVersionMissing = (response: ApiResponse): boolean =>
	is(404, 'ENTITY_NOT_FOUND')(response) && response.params.entityType === 'FlowVersion';

/** What the code of a trigger wrote when it could not be started, as far as its first line. */
function triggerOutput({ standardError }: IDataObject): string | undefined {
	const [line = ''] = typeof standardError === 'string' ? standardError.trim().split('\n') : [];
	return line === '' ? undefined : plainText(line, 200);
}

/** What the person named is not there. */
const notFound = (context: ErrorContext): UserMessage => ({
	message:
		context.id === undefined && context.within === undefined
			? `The server does not know the ${context.noun}`
			: `${capitalised(named(context))} was not found`,
	description: `Check ${context.field ?? context.noun}: it may have been deleted, or belong to another Activepieces server or platform.`,
});

/**
 * From what the service answers to what the person reads. The first rule that fits is used.
 * Sources: answers recorded with real servers (`test/contract`) and the service's error handler.
 */
export const RESPONSE_RULES: Rule[] = [
	{
		when: ({ status, location }) => status >= 300 && status < 400 && location === undefined,
		message: ({ status }, { baseUrl }) => ({
			message: `The server answered with HTTP ${status} and named no address`,
			description: `Activepieces does not answer so. Check the proxy in front of it, and that ${baseUrl}, the Base URL in the credential, is the address of the API.`,
		}),
	},
	{
		when: ({ status }) => status >= 300 && status < 400,
		message: ({ location }, { baseUrl, credentialName }) => ({
			message: `The server redirects to ${location}`,
			description: `The ${CREDENTIAL_WORDS[credentialName].shortNoun} is not sent on to another address. If the target is your Activepieces server, set Base URL in the credential to it instead of ${baseUrl}.`,
		}),
	},
	{
		// 405 is what nginx in front of releases before 0.80 answers to POST and DELETE outside /api.
		when: ({ isHtml, status }) => isHtml && (status < 300 || status === 404 || status === 405),
		message: (_response, { baseUrl }) => ({
			message: 'Base URL leads to a web page, not to the API of Activepieces',
			description: baseUrlHint(baseUrl),
		}),
	},
	{
		when: ({ status }) => status === 407,
		message: (_response, { place, proxyHost }) => ({
			message: `The proxy ${proxyHost === undefined ? '' : `${proxyHost} `}wants a user and a password`,
			description: `Enter them in the address of the proxy, as in http://user:password@proxy.example:3128: in ${ADVICE[place].proxyField}.`,
		}),
	},
	{
		when: ({ status, isHtml }) => isHtml && (status === 401 || status === 403),
		message: ({ status }, { baseUrl, credentialName }) => ({
			message: `Something in front of Activepieces refused the request (HTTP ${status})`,
			description: `A proxy or firewall answered with a web page, so the ${CREDENTIAL_WORDS[credentialName].noun} was not looked at. Let the n8n server through to ${baseUrl}.`,
		}),
	},
	{
		when: ({ status, isHtml }) => status === 400 && isHtml,
		message: (_response, context) => ({
			message: `The server in front of Activepieces refused the request for ${named(context)}`,
			description: checkInput(context, ' for control characters'),
		}),
	},
	{
		when: ({ status }) => status === 414 || status === 431 || status === 413,
		message: (_response, context) => ({
			message: 'The request is larger than the server accepts',
			description: hasFilters(context)
				? 'Use fewer or shorter values in the filters, or split them over several items.'
				: `${checkInput(context)} A value may be too long, or a proxy in front of Activepieces allows too little.`,
		}),
	},
	{
		// Flows and runs, unlike other records, refuse what cannot be an id before they look for it.
		when: (response, { id }) => id !== undefined && is(400, undefined, /^params\/id /)(response),
		message: (_response, { field, noun, id }) => ({
			message: `${capitalised(field ?? noun)} ${describeValue(id)} is not an ID of Activepieces`,
			description: `An ID has 21 letters and digits. Choose the ${noun} from the list, or copy its ID.`,
		}),
	},
	{
		when: is(400, 'FLOW_RUN_NOT_FOUND'),
		message: (_response, context) => notFound(context),
	},
	{
		when: is(400, 'TRIGGER_UPDATE_STATUS'),
		message: ({ params }, context) => ({
			message: `Activepieces could not start or stop the trigger of ${named(context)}`,
			description: `${quote({ message: triggerOutput(params) })}Check the trigger and its connection in Activepieces, and the flow's status: its latest version may be published although the flow is off.`,
		}),
	},
	{
		when: (response) => is(400)(response) && refusedField(response) !== undefined,
		message: (response, context) => {
			const field = refusedField(response) ?? '';
			const check = context.place === 'node' ? 'Change that field.' : checkInput(context);
			return {
				message: `Activepieces did not accept the value of ${context.labels?.[field] ?? `"${field}"`}`,
				description: `${quote(response)}${check} ${ADVICE[context.place].again}.`,
			};
		},
	},
	{
		when: is(400),
		message: (response, context) => ({
			message: 'Activepieces did not accept the request',
			description: quote(response) + checkInput(context),
		}),
	},
	{
		when: is(401),
		message: (_response, { baseUrl, credentialName }) => ({
			message: `Activepieces does not accept the ${CREDENTIAL_WORDS[credentialName].noun}`,
			description: `${CREDENTIAL_WORDS[credentialName].expiredHint} It was sent to ${baseUrl}, the Base URL.`,
		}),
	},
	{
		when: is(402, 'FEATURE_DISABLED'),
		message: (_response, { feature, noun }) => ({
			message: `The Activepieces plan does not include ${feature ?? noun}`,
			description:
				'The server answers this request only on a plan with that feature (Enterprise or a paid cloud plan).',
		}),
	},
	{
		when: is(402),
		message: (response) => ({
			message: 'A limit of the Activepieces plan is reached',
			description: `${quote(response)}Check plan and usage in the platform admin console.`,
		}),
	},
	{
		when: is(403, 'PERMISSION_DENIED'),
		message: ({ params }, context) => ({
			message: `The ${CREDENTIAL_WORDS[context.credentialName].user} may not do this with the ${context.noun}`,
			description: `The role of that user lacks the permission ${wordOf(params.permission, 'for it')}. Give the user a role with it, or use the ${CREDENTIAL_WORDS[context.credentialName].shortNoun} of another user.`,
		}),
	},
	{
		when: is(403, 'AUTHORIZATION', /principal/),
		message: (_response, { credentialName }) => ({
			message: `No ${CREDENTIAL_WORDS[credentialName].noun} that Activepieces accepts came with the request`,
			description: `It may be empty, or of a kind that this endpoint does not take. ${CREDENTIAL_WORDS[credentialName].expiredHint}`,
		}),
	},
	{
		when: (response) =>
			is(403)(response) && ['SESSION_EXPIRED', 'USER_IS_INACTIVE'].includes(response.code ?? ''),
		message: (_response, { credentialName }) => ({
			message: `The session or ${CREDENTIAL_WORDS[credentialName].user} is no longer active`,
			description: CREDENTIAL_WORDS[credentialName].expiredHint,
		}),
	},
	{
		// Releases up to 0.73 refuse project invitations with "Project ID is required" to every API key.
		when: is(403, 'AUTHORIZATION', /project id is required/i),
		message: (_response, context) => ({
			message: `This release of Activepieces lets no API key delete ${named(context)}`,
			description:
				'Invitations to a project can be deleted with an API key from release 0.79 on. Invitations to the platform can be deleted on every release.',
		}),
	},
	{
		// 0.73 answers with empty params for a template of type PROJECT, later ones with a sentence.
		when: (response, context) => is(403)(response) && context.noun === 'flow template',
		message: (response, context) => ({
			message: `The ${CREDENTIAL_WORDS[context.credentialName].actor} may not delete the ${named(context)}`,
			description: `${quote(response)}Only custom templates of the own platform can be deleted; official, shared and project templates cannot.`,
		}),
	},
	{
		when: is(403),
		message: (response, context) => ({
			message: `The ${CREDENTIAL_WORDS[context.credentialName].actor} may not access the ${named(context)}`,
			description: `${quote(response)}It may belong to another platform${context.field ? `: check ${context.field}` : ''}. ${
				// Flows and folders answer so, too, when a session has ended (recorded).
				response.message === undefined
					? CREDENTIAL_WORDS[context.credentialName].expiredHint
					: CREDENTIAL_WORDS[context.credentialName].hint
			}`,
		}),
	},
	{
		when: ({ isRouteMissing }, { baseUrl }) => isRouteMissing && goesPastApi(baseUrl),
		message: (_response, { baseUrl }) => ({
			message: 'Base URL leads to the wrong place on the server of Activepieces',
			description: baseUrlHint(baseUrl),
		}),
	},
	{
		when: ({ isRouteMissing }) => isRouteMissing,
		message: (_response, { method, path, baseUrl, feature }) => ({
			message: `This Activepieces server has no endpoint ${method} ${path}`,
			description: `${
				feature === undefined
					? 'Its release or edition may not offer it'
					: `The Community edition has no ${feature}`
			}. Otherwise check that ${baseUrl}, the Base URL in the credential, is the address of the API.`,
		}),
	},
	{
		when: (response, { path }) => path.endsWith('/retry') && isVersionMissing(response),
		message: (_response, context) => ({
			message: `The flow of ${named(context)} is not published`,
			description: 'Publish the flow, or set Strategy to From Failed Step. Nothing was changed.',
		}),
	},
	{
		// Observed on 0.73: one flow without a published version spoils the whole list.
		when: isVersionMissing,
		message: () => ({
			message:
				'This release of Activepieces cannot list published versions when a flow was never published',
			description:
				'Set the filter Status to Enabled beside Version State Locked, or leave Version State out.',
		}),
	},
	{
		// The service's own have a code, or the form of its framework.
		when: (response) => is(404)(response) && !isServiceRefusal(response),
		message: (_response, { baseUrl }) => ({
			message: 'Something in front of Activepieces answered that nothing was found (HTTP 404)',
			description: `A proxy may have no way to the server, for example while it starts. Try again; if it stays so: ${baseUrlHint(baseUrl)}`,
		}),
	},
	{
		when: is(404),
		message: (response, context) =>
			context.field
				? notFound(context)
				: {
						...notFound(context),
						description: `${quote(response)}${baseUrlHint(context.baseUrl)}`,
					},
	},
	{
		when: is(409, 'FLOW_IN_USE'),
		message: (_response, context) => ({
			message: `Another user is editing ${named(context)}`,
			description: 'Run the node again a minute after the last edit. Nothing was changed.',
		}),
	},
	{
		when: is(409, 'FLOW_OPERATION_IN_PROGRESS'),
		message: (_response, context) => ({
			message: `Another change of ${named(context)} is under way`,
			description:
				'Run the node again in a moment. If it stays so, check that a worker of Activepieces is running. Nothing was changed.',
		}),
	},
	{
		when: is(409, undefined, /team project/i),
		message: (_response, context) => ({
			message: `${capitalised(named(context))} is a personal project, which nobody can be invited to`,
			description: `Choose a team project in ${context.field ?? 'Project'}.`,
		}),
	},
	{
		when: is(410, 'FLOW_RUN_RETRY_OUTSIDE_RETENTION'),
		message: ({ params }, context) => ({
			message: `${capitalised(named(context))} is too old to be retried`,
			description: `Activepieces keeps what a retry needs for ${wordOf(params.failedJobRetentionDays, 'some')} days.`,
		}),
	},
	{
		when: (response, { newName }) =>
			newName !== undefined && is(409, 'VALIDATION', /is used/)(response),
		message: (_response, { noun, newName }) => ({
			message: `Another ${noun} of the project already has the name "${newName}"`,
			description:
				'Names are compared without regard to case. Change New Name and run the node again.',
		}),
	},
	{
		when: is(429),
		message: (response, { place }) => ({
			message: 'Activepieces is receiving too many requests',
			description: `${waitAsked(response)}${ADVICE[place].lessOften}`,
		}),
	},
	{
		when: (response) => /invalid byte sequence/i.test(response.message ?? ''),
		message: (_response, context) => ({
			message: 'A value has a character that Activepieces cannot store',
			description: `Remove control characters (such as the NUL character) from ${inputOf(context)}.`,
		}),
	},
	{
		when: ({ status }) => status === 502 || status === 503 || status === 504,
		message: (response) => ({
			message: `Activepieces is not available behind its proxy (HTTP ${response.status})`,
			description: `${waitAsked(response)}The server may be starting or overloaded. Try again later, and check that its API is running.`,
		}),
	},
	{
		when: ({ status }) => status >= 500,
		message: (response) => ({
			message: `Activepieces could not process the request (HTTP ${response.status})`,
			description: `${quote(response)}The cause is on the server: its log says more.`,
		}),
	},
	{
		when: () => true,
		message: (response, context) => ({
			message: `Activepieces refused the request (HTTP ${response.status})`,
			description: quote(response) + checkInput(context),
		}),
	},
];
