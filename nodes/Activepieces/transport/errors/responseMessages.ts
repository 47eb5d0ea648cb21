import {
	ADD_HEADER,
	blockedByFirewall,
	hasTarget,
	isNotOfWebhook,
	isSignInPage,
	ofGateway,
} from './gateway';
import { isStatus } from '../http/httpStatus';
import { refusedByProxy } from './connectionMessages';
import {
	type Condition,
	hasCode,
	hasStatus,
	isPage,
	isVersionMissing,
	type ResponseRule,
	says,
	when,
} from './rule';
import { type ApiResponse, isServiceRefusal, isSuccess } from '../http/response';
import { capitalize, inBytes, inSeconds, shortName } from '../text';
import { describeValue, textOf } from '../values';
import type { Words } from './words';

/** Codes of a 403 about the session, or its user. */
export const SESSION_CODES = ['SESSION_EXPIRED', 'USER_IS_INACTIVE'];

/** The name of the field in `querystring/status/0 must be …`, `body/displayName Invalid input: …`. */
const refusedField = (message = ''): string | undefined =>
	/^(?:querystring|body|params)(?:\/| must have required property ')([\w-]+)/.exec(message)?.[1];

/** Display name of a field, or the service's name for it. */
const fieldLabel = (labels: Record<string, string>, name = ''): string =>
	Object.hasOwn(labels, name) ? labels[name] : `"${name}"`;

/** How large the body of the request is: a sentence or nothing. */
function sizeOfBody({ body, json = body && JSON.stringify(body) }: Words): string {
	return json === undefined ? '' : `It has ${inBytes(Buffer.byteLength(json))}. `;
}

/** How long the service wants a pause: a sentence or nothing. */
const asksToWait = ({ retryAfterMs: ms }: ApiResponse): string =>
	ms === undefined
		? ''
		: `Activepieces asks you to wait ${inSeconds(Math.ceil(ms / 1000) * 1000)}. `;

/** The service does not know the record that was requested, or the project whose list was requested. */
const isUnknown: Condition<ApiResponse> = (response) =>
	isStatus(response.status, 'badRequest')
		? response.code === 'FLOW_RUN_NOT_FOUND'
		: isStatus(response.status, 'notFound') && isServiceRefusal(response);

/**
 * The meaning of an unexpected response at any endpoint. It depends first on who responded (a redirect, a web page of a
 * proxy), then on the status, and then on the code and text of the service. Sources: responses recorded with
 * real servers (`test/contract`) and the service's error handler.
 */
export const RESPONSE_RULES: ResponseRule[] = [
	/* The response is not from Activepieces, or from another path of it. */

	when([hasTarget], (words, response) => ({
		message: `The server redirects to ${response.location}`,
		description: `The node does not send the ${words.isCall ? 'input' : words.shortCredential} to another URL. If that URL is on your Activepieces server, set Base URL in the credential to its API URL instead of ${words.baseUrl}.${ofGateway(response, words)}`,
	})),
	when([isNotOfWebhook], ({ baseUrl }, { status }) => ({
		message: `A proxy or firewall in front of Activepieces responded instead of the flow (HTTP ${status})`,
		description: `The node sends this request without the credential, except Headers. Configure the proxy or firewall to pass POST ${baseUrl}/v1/webhooks/… to Activepieces, or ${ADD_HEADER}.`,
	})),
	when([hasStatus('redirect')], ({ baseUrl }, { status }) => ({
		message: `The server responded with HTTP ${status} and no target URL`,
		description: `Activepieces does not respond like this. Check the proxy in front of it. Also check that ${baseUrl}, the Base URL in the credential, is the URL of the API.`,
	})),
	when([isPage, isSignInPage, hasStatus('success', 'redirect')], ({ baseUrlHint }) => ({
		message: 'Base URL points to a sign-in page, not to the Activepieces API',
		description: `If a gateway in front of Activepieces asks you to sign in, ${ADD_HEADER}. ${baseUrlHint}`,
	})),
	when(
		// With 405 nginx in front of releases before 0.80 responds to POST and DELETE outside /api.
		[isPage, hasStatus('success', 'redirect', 'notFound', 'methodNotAllowed')],
		({ baseUrlHint }) => ({
			message: 'Base URL points to a web page, not to the Activepieces API',
			description: baseUrlHint,
		}),
	),
	when([({ body }) => /HTTP request .{0,9}to .{0,3}HTTPS/i.test(textOf(body))], ({ baseUrl }) => ({
		message: 'The server expects HTTPS',
		description: `Base URL in the credential must begin with https://, not as in ${baseUrl}.`,
	})),
	when([isPage, hasStatus('badRequest')], ({ record, input }) => ({
		message: `A proxy in front of Activepieces refused the request for ${record}`,
		description: `Remove control characters (such as the NUL character) from ${input}.`,
	})),
	when(
		[
			hasStatus('unauthorized', 'paymentRequired', 'forbidden', 'conflict'),
			(response) => !isServiceRefusal(response),
		],
		blockedByFirewall,
	),

	/* The response is a success, but not the expected one. */

	when([isSuccess, ({ body }) => typeof body === 'string'], ({ noun, again }) => ({
		message: `The response for the ${noun} is incomplete or is not JSON`,
		description: `The connection may have been interrupted, or a proxy may have changed the response. ${again}.`,
	})),
	when([isSuccess], ({ noun, baseUrlHint }) => ({
		message: `The response for the ${noun} does not have the expected format`,
		description: baseUrlHint,
	})),

	/* The credential, its user or the plan do not allow it. */

	when([hasStatus('paymentRequired'), hasCode('FEATURE_DISABLED')], ({ feature }) => ({
		message: `The Activepieces plan does not include ${feature ?? 'this feature'}`,
		description: 'This request needs a plan with that feature (Enterprise or a paid Cloud plan).',
	})),
	when([hasStatus('paymentRequired')], ({ quoted }) => ({
		message: 'You have reached a limit of the Activepieces plan',
		description: `${quoted}Check your plan and usage in the platform admin console.`,
	})),
	when([hasStatus('unauthorized'), ({ isWithoutKeys }) => isWithoutKeys === true], () => ({
		message: 'This is the Community edition of Activepieces, which has no API keys',
		description:
			'Create a credential with Sign-In instead of API Key. You choose this at the top right of the dialog in n8n 2, or below Connect using in n8n 1. Then enter the email and password of a user.',
	})),
	when([hasStatus('unauthorized')], ({ credential, sentWith, baseUrl, expiredHint }) => ({
		message: `Activepieces did not accept the ${credential}`,
		description: `The ${credential}${sentWith && `,${sentWith},`} was sent to ${baseUrl}, the Base URL. ${expiredHint}`,
	})),
	when(
		[hasStatus('forbidden'), hasCode('PERMISSION_DENIED')],
		({ user, noun, shortCredential }, { params }) => ({
			message: `The ${user} is not allowed to do this with the ${noun}`,
			description: `The role of that user does not include the permission ${shortName(textOf(params.permission)) || 'for it'}. Give the user a role that includes it, or use the ${shortCredential} of another user.`,
		}),
	),
	when([hasStatus('forbidden'), hasCode(...SESSION_CODES)], ({ credential, expiredHint }) => ({
		message: `The ${credential} or its user is no longer active`,
		description: expiredHint,
	})),
	when(
		[hasStatus('forbidden'), hasCode('AUTHORIZATION'), says(/principal/)],
		({ credential, expiredHint }) => ({
			message: `Activepieces did not accept the ${credential} for this request`,
			description: `This endpoint may not accept this type of credential. ${expiredHint}`,
		}),
	),
	when([hasStatus('forbidden')], ({ actor, record, quoted, thing, field, hint, expiredHint }) => ({
		message: `The ${actor} is not allowed to access the ${record}`,
		// Flows and folders also respond without a message when a session has expired (recorded).
		description: `${quoted}${field === undefined ? '' : `The ${thing} may belong to another platform: check ${field}. `}${quoted === '' ? expiredHint : hint}`,
	})),
	when([hasStatus('proxyAuthenticationRequired')], refusedByProxy),

	/* The server does not have the record or the endpoint. */

	when(
		[
			hasStatus('notFound'),
			({ isRouteMissing }) => isRouteMissing,
			// The Base URL continues after the path of the API.
			(_response, { baseUrl }) => /^\/api\/./.test(new URL(baseUrl).pathname),
		],
		({ baseUrlHint }) => ({
			message: 'Base URL points to the wrong path on the Activepieces server',
			description: baseUrlHint,
		}),
	),
	when(
		[hasStatus('notFound'), ({ isRouteMissing }) => isRouteMissing],
		({ method, path, feature, baseUrl }) => ({
			message: `This Activepieces server has no ${feature ?? `endpoint ${method} ${path}`}`,
			description: `${feature === undefined ? 'The release or edition of the server may not support this endpoint' : `The Community edition has no ${feature}`}. If this is not the reason, check that ${baseUrl}, the Base URL in the credential, is the URL of the API.`,
		}),
	),
	when([isVersionMissing], ({ record, again }) => ({
		message: `The version of ${record} was not found`,
		description: `It may have been deleted. ${again}.`,
	})),
	when(
		// For flows and runs, unlike other records, the service checks the form of the ID before it looks for
		// the record.
		[hasStatus('badRequest'), says(/^params\/id /), (_response, { id }) => id !== undefined],
		({ field, noun, id }) => ({
			message: `${capitalize(field ?? noun)} must be an Activepieces ID, not ${describeValue(id)}`,
			description: `Activepieces IDs have 21 letters and digits. Choose the ${noun} from the list, or copy its ID.`,
		}),
	),
	when(
		[isUnknown, (_response, { id, container }) => id === undefined && container === undefined],
		({ noun, quoted, baseUrlHint }, { status }) => ({
			message: `The server has no ${noun} endpoint for this request (HTTP ${status})`,
			description: `${quoted}${baseUrlHint}`,
		}),
	),
	when([isUnknown], ({ Record, ifMissing, quoted, baseUrlHint }) => ({
		message: `${Record} was not found`,
		description: ifMissing ?? `${quoted}${baseUrlHint}`,
	})),
	// A proxy that knows the path of Activepieces knows that of its API.
	when(
		[hasStatus('notFound', 'methodNotAllowed'), (_response, words) => !words.isBaseUrlOfApi],
		({ baseUrlHint }, { status }) => ({
			message: `Base URL does not point to the Activepieces API (HTTP ${status})`,
			description: baseUrlHint,
		}),
	),
	when([hasStatus('notFound')], ({ baseUrlHint }) => ({
		message: 'A proxy in front of Activepieces responded that nothing was found (HTTP 404)',
		description: `The proxy may be unable to reach Activepieces, for example while it starts. Try again. If this continues, Base URL may be wrong. ${baseUrlHint}`,
	})),

	/* The request cannot be used. */

	when(
		[hasStatus('badRequest'), ({ message }) => refusedField(message) !== undefined],
		({ labels, quoted, input, again }, { message }) => ({
			message: `Activepieces did not accept the value of ${fieldLabel(labels, refusedField(message))}`,
			description: `${quoted}Check ${input}. ${again}.`,
		}),
	),
	when([hasStatus('badRequest')], ({ quoted, input }) => ({
		message: 'Activepieces did not accept the request',
		description: `${quoted}Check ${input}.`,
	})),
	when([hasStatus('contentTooLarge', 'uriTooLong', 'headersTooLarge')], (words, { status }) => ({
		message: 'The request is larger than the server accepts',
		description: words.hasFilters
			? 'Use fewer or shorter values in the filters, or split them across several items.'
			: `${isStatus(status, 'contentTooLarge') ? sizeOfBody(words) : ''}Check ${words.input}. A value may be too long, or a proxy in front of Activepieces may have a low limit.`,
	})),
	when([hasStatus('tooManyRequests')], ({ lessOften }, response) => ({
		message: 'Activepieces is receiving too many requests',
		description: `${asksToWait(response)}${lessOften}`,
	})),

	/* Anything else */

	when([says(/invalid byte sequence/i)], ({ input }) => ({
		message: 'A value contains a character that Activepieces cannot store',
		description: `Remove control characters (such as the NUL character) from ${input}.`,
	})),
	when(
		[hasStatus('badGateway', 'serviceUnavailable', 'gatewayTimeout', 'unreachableOrigin')],
		({ waitsFor }, response) => ({
			message: `Activepieces is unavailable (HTTP ${response.status})`,
			description: `${asksToWait(response)}The server may be starting or overloaded. Try again later, and check that its API is running.${waitsFor === undefined ? '' : ` A proxy may not have waited for the response. ${waitsFor}`}`,
		}),
	),
	when([hasStatus('serverError')], ({ quoted }, { status }) => ({
		message: `Activepieces could not process the request (HTTP ${status})`,
		description: `${quoted}The cause is on the server. Check its log.`,
	})),
	when([], ({ quoted, input }, { status }) => ({
		message: `Activepieces refused the request (HTTP ${status})`,
		description: `${quoted}Check ${input}.`,
	})),
];
