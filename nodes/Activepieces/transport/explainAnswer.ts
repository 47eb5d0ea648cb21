import { type Answer, isRecord } from './answer';
import {
	baseUrlHint,
	capitalised,
	type Circumstances,
	type Explanation,
	goesPastApi,
	KEY_HINT,
	KEY_OR_TOKEN_HINT,
	named,
} from './explanation';

interface Rule {
	when: (answer: Answer, asked: Circumstances) => boolean;
	say: (answer: Answer, asked: Circumstances) => Explanation;
}

const is =
	(status: number, code?: string, text?: RegExp) =>
	(answer: Answer): boolean =>
		answer.status === status &&
		(code === undefined || answer.code === code) &&
		(text === undefined || text.test(answer.text ?? ''));

/** What the service said, as a sentence of its own, or nothing. */
const quote = ({ text }: Answer): string =>
	text === undefined ? '' : `Activepieces says: ${text}. `;

const waitAsked = ({ retryAfter }: Answer): string =>
	retryAfter === undefined ? '' : `It asks to wait ${Math.ceil(retryAfter / 1000)} seconds. `;

/** Whether an answer is in one of the service's two shapes, rather than in the words of a proxy. */
const isOfService = ({ body }: Answer): boolean =>
	isRecord(body) && ('code' in body || 'statusCode' in body);

/** `querystring/status/0 must be …`, `body/displayName Invalid input: …`: the field's name. */
const refusedField = ({ text }: Answer): string | undefined =>
	/^(?:querystring|body|params)(?:\/| must have required property ')([\w-]+)/.exec(text ?? '')?.[1];

/**
 * From what the service answers to what the person reads. The first rule that fits speaks.
 * Sources: answers recorded with real servers (`test/contract`) and the service's error handler.
 */
const RULES: Rule[] = [
	{
		when: ({ status }) => status >= 300 && status < 400,
		say: ({ location }, { baseUrl }) => ({
			message: `The server redirects to ${location ?? 'another address'}`,
			description: `The key is not sent on to another address. If the target is your Activepieces server, set Base URL in the credential to it instead of ${baseUrl}.`,
		}),
	},
	{
		// 405 is what nginx in front of releases before 0.80 answers to POST and DELETE outside /api.
		when: ({ isHtml, status }) => isHtml && (status < 300 || status === 404 || status === 405),
		say: (_answer, { baseUrl }) => ({
			message: 'Base URL leads to a web page, not to the API of Activepieces',
			description: baseUrlHint(baseUrl),
		}),
	},
	{
		when: ({ status, isHtml }) => isHtml && (status === 401 || status === 403),
		say: ({ status }, { baseUrl }) => ({
			message: `Something in front of Activepieces refused the request (HTTP ${status})`,
			description: `A proxy or firewall answered with a web page, so the API key was not looked at. Let the n8n server through to ${baseUrl}.`,
		}),
	},
	{
		when: ({ status, isHtml }) =>
			status === 414 || status === 431 || status === 413 || (status === 400 && isHtml),
		say: ({ status }, asked) =>
			status === 400
				? {
						message: `The server in front of Activepieces refused the request for ${named(asked)}`,
						description: `Check ${asked.field ?? 'the filters'} for control characters.`,
					}
				: {
						message: 'The request is larger than the server accepts',
						description:
							'Use fewer or shorter values in the filters, or split the list over several items.',
					},
	},
	{
		when: (answer) => is(400)(answer) && refusedField(answer) !== undefined,
		say: (answer) => ({
			message: `Activepieces did not accept the value of "${refusedField(answer)}"`,
			description: `${quote(answer)}Change that field and run the node again.`,
		}),
	},
	{
		when: is(400),
		say: (answer) => ({
			message: 'Activepieces did not accept the request',
			description: `${quote(answer)}Check the fields of the node.`,
		}),
	},
	{
		when: is(401),
		say: (_answer, { baseUrl }) => ({
			message: 'Activepieces does not accept the API key',
			description: `${KEY_OR_TOKEN_HINT} It was sent to ${baseUrl}, the Base URL.`,
		}),
	},
	{
		when: is(402, 'FEATURE_DISABLED'),
		say: (_answer, { feature, noun }) => ({
			message: `The Activepieces plan does not include ${feature ?? noun}`,
			description:
				'The server answers this request only on a plan with that feature (Enterprise or a paid cloud plan).',
		}),
	},
	{
		when: is(402),
		say: (answer) => ({
			message: 'A limit of the Activepieces plan is reached',
			description: `${quote(answer)}Check plan and usage in the platform admin console.`,
		}),
	},
	{
		when: is(403, 'PERMISSION_DENIED'),
		say: ({ params }, asked) => ({
			message: `The user behind the API key may not do this with the ${asked.noun}`,
			description: `The role of that user lacks the permission ${String(params.permission ?? 'for it')}. Give the user a role with it, or use the key of another user.`,
		}),
	},
	{
		when: is(403, 'AUTHORIZATION', /principal/),
		say: () => ({
			message: 'No API key that Activepieces accepts came with the request',
			description: `The key may be empty, or of a kind that this endpoint does not take. ${KEY_OR_TOKEN_HINT}`,
		}),
	},
	{
		when: (answer) =>
			is(403)(answer) && ['SESSION_EXPIRED', 'USER_IS_INACTIVE'].includes(answer.code ?? ''),
		say: () => ({
			message: 'The session or user behind the API key is no longer active',
			description: KEY_OR_TOKEN_HINT,
		}),
	},
	{
		// Releases up to 0.73 refuse project invitations with "Project ID is required" to every API key.
		when: is(403, 'AUTHORIZATION', /project id is required/i),
		say: (_answer, asked) => ({
			message: `This release of Activepieces lets no API key delete ${named(asked)}`,
			description:
				'Invitations to a project can be deleted with an API key from release 0.79 on. Invitations to the platform can be deleted on every release.',
		}),
	},
	{
		// 0.73 answers with empty params for a template of type PROJECT, later ones with a sentence.
		when: (answer, asked) => is(403)(answer) && asked.noun === 'flow template',
		say: (answer, asked) => ({
			message: `The API key may not delete the ${named(asked)}`,
			description: `${quote(answer)}Only custom templates of the platform that made the key can be deleted; official, shared and project templates cannot.`,
		}),
	},
	{
		when: is(403),
		say: (answer, asked) => ({
			message: `The API key may not access the ${named(asked)}`,
			description: `${quote(answer)}It may belong to another platform than the key does${asked.field ? `: check ${asked.field}` : ''}. ${KEY_HINT}`,
		}),
	},
	{
		when: ({ isRouteMissing }, { baseUrl }) => isRouteMissing && goesPastApi(baseUrl),
		say: (_answer, { baseUrl }) => ({
			message: 'Base URL leads to the wrong place on the server of Activepieces',
			description: baseUrlHint(baseUrl),
		}),
	},
	{
		when: ({ isRouteMissing }) => isRouteMissing,
		say: (_answer, { method, path, baseUrl, feature }) => ({
			message: `This Activepieces server has no endpoint ${method} ${path}`,
			description: `${
				feature === undefined
					? 'Its release or edition may not offer it'
					: `The Community edition has no ${feature}`
			}. Otherwise check that ${baseUrl}, the Base URL in the credential, is the address of the API.`,
		}),
	},
	{
		// Observed on 0.73: one flow without a published version spoils the whole list.
		when: (answer) =>
			is(404, 'ENTITY_NOT_FOUND')(answer) && answer.params.entityType === 'FlowVersion',
		say: () => ({
			message:
				'This release of Activepieces cannot list published versions when a flow was never published',
			description:
				'Set the filter Status to Enabled beside Version State Locked, or leave Version State out.',
		}),
	},
	{
		// The service's own have a code, or the form of its framework.
		when: (answer) => is(404)(answer) && !isOfService(answer),
		say: (_answer, { baseUrl }) => ({
			message: 'Something in front of Activepieces answered that nothing was found (HTTP 404)',
			description: `A proxy may have no way to the server, for example while it starts. Try again; if it stays so: ${baseUrlHint(baseUrl)}`,
		}),
	},
	{
		when: is(404),
		say: (answer, asked) => ({
			message:
				asked.id === undefined && asked.within === undefined
					? `The server does not know the ${asked.noun}`
					: `${capitalised(named(asked))} was not found`,
			description: asked.field
				? `Check ${asked.field}: it may have been deleted, or belong to another Activepieces server or platform.`
				: `${quote(answer)}${baseUrlHint(asked.baseUrl)}`,
		}),
	},
	{
		when: (answer, { newName }) =>
			newName !== undefined && is(409, 'VALIDATION', /is used/)(answer),
		say: (_answer, { noun, newName }) => ({
			message: `Another ${noun} of the project already has the name "${newName}"`,
			description:
				'Names are compared without regard to case. Change New Name and run the node again.',
		}),
	},
	{
		when: is(429),
		say: (answer) => ({
			message: 'Activepieces is receiving too many requests',
			description: `${waitAsked(answer)}Run the node less often, or set Batching in its Settings tab under Request Options.`,
		}),
	},
	{
		when: (answer) => /invalid byte sequence/i.test(answer.text ?? ''),
		say: (_answer, { field }) => ({
			message: 'A value has a character that Activepieces cannot store',
			description: `Remove control characters (such as the NUL character) from ${field ?? 'the filters'}.`,
		}),
	},
	{
		when: ({ status }) => status === 502 || status === 503 || status === 504,
		say: (answer) => ({
			message: `Activepieces is not available behind its proxy (HTTP ${answer.status})`,
			description: `${waitAsked(answer)}The server may be starting or overloaded. Try again later, and check that its API is running.`,
		}),
	},
	{
		when: ({ status }) => status >= 500,
		say: (answer) => ({
			message: `Activepieces could not process the request (HTTP ${answer.status})`,
			description: `${quote(answer)}The cause is on the server: its log says more.`,
		}),
	},
	{
		when: () => true,
		say: (answer) => ({
			message: `Activepieces refused the request (HTTP ${answer.status})`,
			description: `${quote(answer)}Check the fields of the node.`,
		}),
	},
];

/** The explanation of an answer that is not the one asked for. */
export function explainAnswer(answer: Answer, asked: Circumstances): Explanation {
	const rule = RULES.find(({ when }) => when(answer, asked)) ?? RULES[RULES.length - 1];
	return rule.say(answer, asked);
}

/** The explanation of a 2xx answer whose body is not what the endpoint promises. */
export function explainUnexpectedBody(answer: Answer, asked: Circumstances): Explanation {
	if (answer.isHtml) return explainAnswer(answer, asked);
	if (typeof answer.body === 'string') {
		return {
			message: `The answer for the ${asked.noun} is incomplete or not JSON`,
			description:
				'The connection may have been cut, or a proxy may have changed the answer. Run the node again.',
		};
	}
	return {
		message: `The answer for the ${asked.noun} does not have the expected form`,
		description: baseUrlHint(asked.baseUrl),
	};
}
