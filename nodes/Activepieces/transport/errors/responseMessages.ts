import {
	ADD_HEADER,
	blockedByFirewall,
	hasTarget,
	isNotOfWebhook,
	isSignInPage,
	ofGateway,
} from './gateway';
import { isStatus, type StatusClass, type StatusName } from '../http/httpStatus';
import { refusedByProxy } from './connectionMessages';
import { type Condition, type Rule, when } from './rule';
import { type ApiResponse, isRecordUnknown, isServiceRefusal, isSuccess } from '../http/response';
import { capitalize, inBytes, inSeconds, plainText, shortName, unended } from '../text';
import { describeValue, isRecord, textOf } from '../values';
import type { Vocabulary } from './words';

export type ResponseRule = Rule<ApiResponse>;

const status =
	(...names: Array<StatusName | StatusClass>): Condition<ApiResponse> =>
	(response) =>
		isStatus(response.status, ...names);

const code =
	(...codes: string[]): Condition<ApiResponse> =>
	(response) =>
		response.code !== undefined && codes.includes(response.code);

const says =
	(text: RegExp): Condition<ApiResponse> =>
	({ message = '' }) =>
		text.test(message);

const isPage: Condition<ApiResponse> = ({ isHtml }) => isHtml;

const ofService: Condition<ApiResponse> = (response) =>
	!response.isHtml && isServiceRefusal(response);

const isVersionMissing: Condition<ApiResponse> = (response) =>
	isRecordUnknown(response) && response.params.entityType === 'FlowVersion';

export const CANNOT_LIST_VERSIONS: ResponseRule = when([isVersionMissing], () => ({
	message:
		'This Activepieces release cannot list published versions if a flow has never been published',
	description: 'Set the Status filter to Enabled, or remove the Version filter.',
}));

export const UNPUBLISHED_FLOW: ResponseRule = when([isVersionMissing], ({ record }) => ({
	message: `The flow of ${record} is not published`,
	description: 'Publish the flow, or set Strategy to From Failed Step.',
}));

export const ONE_TEAM_PROJECT: ResponseRule = when(
	[status('paymentRequired'), ({ isHtml }) => !isHtml],
	() => ({
		message: 'The Activepieces plan does not allow another team project',
		description:
			'The Community edition allows one team project. Use the existing project, or a plan that allows more.',
	}),
);

/**
 * The responses of the vendor's Cloud for a route that it does not have, with status 200, or that did not
 * reach the service (recorded).
 */
const isOfCloud: Condition<ApiResponse> = ({ status, body, message }) =>
	(isStatus(status, 'ok') && isRecord(body) && isStatus(body.statusCode, 'notFound')) ||
	(isStatus(status, 'internalServerError') && message === 'fetch failed');

/** For endpoints whose requests some releases hand on to the vendor's Cloud. */
export const NO_CUSTOM_TEMPLATES: ResponseRule = when([isOfCloud], () => ({
	message: 'This Activepieces server has no custom templates',
	description:
		'The Community edition has no custom templates. Other editions need a plan that includes them (Enterprise or a paid Cloud plan).',
}));

/** The server asks Activepieces Cloud for a template that it does not have (recorded). */
export const UNKNOWN_TEMPLATE: ResponseRule = when([isOfCloud], ({ Record, field }) => ({
	message: `${Record} was not found`,
	description: `Check ${field}. This server does not have the template, and did not get it from Activepieces Cloud.`,
}));

/** How 0.73 refuses every API key, in lists and for a single record (recorded). */
const isKeyRefused: Condition<ApiResponse> = ({ status, body, code, message }, about) => {
	if (about.credentialKind === 'signIn') return false;
	if (isStatus(status, 'conflict')) return isRecord(body) && (code ?? message) === undefined;
	return isStatus(status, 'notFound') && /^TypeError/.test(textOf(body));
};

export const TABLES_WITHOUT_KEYS: ResponseRule = when([isKeyRefused], () => ({
	message: 'In this Activepieces release, tables cannot be used with an API key',
	description:
		"This requires Activepieces 0.79 or later. In this release, use an Activepieces Sign-In API credential, which can use the tables of the user's personal project.",
}));

/** 0.73 reads every key as that of a project, and refuses it without one (recorded for other lists). */
export const PIECES_WITHOUT_KEYS: ResponseRule = when([status('conflict')], () => ({
	message: 'In this Activepieces release, pieces cannot be listed with an API key',
	description: 'Switch to By Name, and enter the name of the piece.',
}));

export const NO_VARIABLES: ResponseRule = when(
	[status('notFound'), ({ isRouteMissing }) => isRouteMissing],
	({ baseUrl }) => ({
		message: 'This Activepieces server has no variables',
		description: `Variables require Activepieces 0.85 or later. If the server has such a release, check that ${baseUrl}, the Base URL in the credential, is the URL of the API.`,
	}),
);

export const TABLE_IS_FULL: ResponseRule = when(
	[status('conflict'), code('VALIDATION'), says(/^max records/i)],
	({ quoted }) => ({
		message: 'The table does not have room for the table records',
		description: `${quoted}The node creates up to 50 table records with one request, and none of this request were created. Delete table records, or use another table.`,
	}),
);

const SESSION_CODES = ['SESSION_EXPIRED', 'USER_IS_INACTIVE'];

/** The service says that the record is not for deleting, and nothing about the credential. */
const isAboutRecord: Condition<ApiResponse> = ({ code = '', message = '' }) =>
	!['PERMISSION_DENIED', ...SESSION_CODES].includes(code) &&
	!(code === 'AUTHORIZATION' && /principal|project id is required/i.test(message));

export const NOT_OWN_TEMPLATE: ResponseRule = when(
	[status('forbidden'), ofService, isAboutRecord],
	({ actor, record, quoted }) => ({
		message: `The ${actor} is not allowed to delete the ${record}`,
		description: `${quoted}You can delete only custom templates of your own platform, not official, shared or project templates.`,
	}),
);

/* Signing in */

/** Why the service does not let a user sign in, and what to do, by the code of its 403. */
const REFUSED_USERS = {
	DOMAIN_NOT_ALLOWED: [
		'The Activepieces platform does not allow this email domain',
		'Ask an admin of the Activepieces platform to allow the domain, or sign in as another user.',
	],
	EMAIL_AUTH_DISABLED: [
		'The Activepieces platform allows single sign-on only',
		'It does not accept passwords. Use an API key instead, in an Activepieces API credential.',
	],
	EMAIL_IS_NOT_VERIFIED: [
		'The email address of the Activepieces user is not verified',
		'Open the link in the email that Activepieces sent, then try again.',
	],
	INVITATION_ONLY_SIGN_UP: [
		'The Activepieces user has no project',
		'Ask an admin of the Activepieces platform to invite the user to a project, or sign in as another user.',
	],
	USER_IS_INACTIVE: [
		'The Activepieces user is deactivated',
		'Ask an admin of the Activepieces platform to activate the user, or sign in as another user.',
	],
};

/**
 * How the service refuses a sign-in, by status and code (recorded, and read in the service's source). For
 * everything else `errorFor.ts` adds what was sent.
 */
export const SIGN_IN_RULES: ResponseRule[] = [
	when([status('tooManyRequests')], ({ again }) => ({
		message: 'Activepieces is receiving too many sign-ins',
		description: `It allows 50 sign-ins per minute for all users who share an IP address. Wait a minute. ${again}.`,
	})),
	// 0.73 and 0.79 return the one code, 0.92 the other (read in the service's source). Those in between return a
	// session without access to anything.
	when(
		[
			(response) =>
				(isSuccess(response) && isRecord(response.body) && response.body.platformId === null) ||
				(isStatus(response.status, 'unauthorized') && response.code === 'AUTHENTICATION') ||
				response.code === 'USER_NOT_FOUND_ON_PLATFORM',
		],
		() => ({
			message: 'The Activepieces user does not belong to a platform yet',
			description:
				'Sign in to Activepieces in a browser once to finish signing up, or ask for an invitation.',
		}),
	),
	...Object.entries(REFUSED_USERS).map(([each, [message, description]]) =>
		when<ApiResponse>([status('forbidden'), code(each)], () => ({ message, description })),
	),
	// With 400 the service refuses their form, before it looks for the user. Its 401 has no `params` (recorded).
	when(
		[
			status('badRequest', 'unauthorized'),
			(response, about) => response.code === 'INVALID_CREDENTIALS' || ofService(response, about),
		],
		({ quoted, baseUrl, path }) => ({
			message: 'Activepieces did not accept the email and password',
			description: `${quoted}Check Email and Password in the credential. Email must be a complete address, and passwords in Activepieces have at least 8 characters. They were sent to ${baseUrl}${path}.`,
		}),
	),
	when([status('forbidden'), ofService], ({ quoted, baseUrl, path }) => ({
		message: 'Activepieces does not allow the user to sign in',
		description: `${quoted}Check Email in the credential, and whether the user may sign in to Activepieces with a password. The email and password were sent to ${baseUrl}${path}.`,
	})),
];

/* Any response */

/** A word or number from a server, shortened for a message. */
const wordOf = (value: unknown): string | undefined => shortName(textOf(value)) || undefined;

/** The name of the field in `querystring/status/0 must be …`, `body/displayName Invalid input: …`. */
const refusedField = (message = ''): string | undefined =>
	/^(?:querystring|body|params)(?:\/| must have required property ')([\w-]+)/.exec(message)?.[1];

/** Display name of a field, or the service's name for it. */
const labelOf = (labels: Record<string, string>, name = ''): string =>
	Object.hasOwn(labels, name) ? labels[name] : `"${name}"`;

/** How large the body of the request is: a sentence or nothing. */
function sizeOfBody({ body, json = body && JSON.stringify(body) }: Vocabulary): string {
	return json === undefined ? '' : `It has ${inBytes(Buffer.byteLength(json))}. `;
}

/** How long the service wants a pause: a sentence or nothing. */
const asksToWait = ({ retryAfterMs: ms }: ApiResponse): string =>
	ms === undefined
		? ''
		: `Activepieces asks you to wait ${inSeconds(Math.ceil(ms / 1000) * 1000)}. `;

/** The first line of the output of a trigger that could not be started: a sentence or nothing. */
function triggerOutput(output: unknown): string {
	const [line] = textOf(output).trim().split('\n');
	const shown = unended(plainText(line, 200));
	return shown && `Activepieces says: ${shown}. `;
}

/** The service does not know the record that was requested, or the project whose list was requested. */
const isUnknown: Condition<ApiResponse> = (response) =>
	isStatus(response.status, 'badRequest')
		? response.code === 'FLOW_RUN_NOT_FOUND'
		: isStatus(response.status, 'notFound') && isServiceRefusal(response);

/**
 * The meaning of an unexpected response. It depends first on who responded (a redirect, a web page of a
 * proxy), then on the status, and then on the code and text of the service. Sources: responses recorded with
 * real servers (`test/contract`) and the service's error handler.
 */
export const RESPONSE_RULES: ResponseRule[] = [
	/* The response is not from Activepieces, or from another path of it. */

	when([hasTarget], (about, response) => ({
		message: `The server redirects to ${response.location}`,
		description: `The node does not send the ${about.isCall ? 'input' : about.shortCredential} to another URL. If that URL is on your Activepieces server, set Base URL in the credential to its API URL instead of ${about.baseUrl}.${ofGateway(response, about)}`,
	})),
	when([isNotOfWebhook], ({ baseUrl }, { status }) => ({
		message: `A proxy or firewall in front of Activepieces responded instead of the flow (HTTP ${status})`,
		description: `The node sends this request without the credential, except Headers. Configure the proxy or firewall to pass POST ${baseUrl}/v1/webhooks/… to Activepieces, or ${ADD_HEADER}.`,
	})),
	when([status('redirect')], ({ baseUrl }, { status }) => ({
		message: `The server responded with HTTP ${status} and no target URL`,
		description: `Activepieces does not respond like this. Check the proxy in front of it. Also check that ${baseUrl}, the Base URL in the credential, is the URL of the API.`,
	})),
	when([isPage, isSignInPage, status('success', 'redirect')], ({ baseUrlHint }) => ({
		message: 'Base URL points to a sign-in page, not to the Activepieces API',
		description: `If a gateway in front of Activepieces asks you to sign in, ${ADD_HEADER}. ${baseUrlHint}`,
	})),
	when(
		// With 405 nginx in front of releases before 0.80 responds to POST and DELETE outside /api.
		[isPage, status('success', 'redirect', 'notFound', 'methodNotAllowed')],
		({ baseUrlHint }) => ({
			message: 'Base URL points to a web page, not to the Activepieces API',
			description: baseUrlHint,
		}),
	),
	when([({ body }) => /HTTP request .{0,9}to .{0,3}HTTPS/i.test(textOf(body))], ({ baseUrl }) => ({
		message: 'The server expects HTTPS',
		description: `Base URL in the credential must begin with https://, not as in ${baseUrl}.`,
	})),
	when([isPage, status('badRequest')], ({ record, input }) => ({
		message: `A proxy in front of Activepieces refused the request for ${record}`,
		description: `Remove control characters (such as the NUL character) from ${input}.`,
	})),
	when([isPage, status('unauthorized', 'paymentRequired', 'forbidden')], blockedByFirewall),

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

	when([status('paymentRequired'), code('FEATURE_DISABLED')], ({ feature }) => ({
		message: `The Activepieces plan does not include ${feature ?? 'this feature'}`,
		description: 'This request needs a plan with that feature (Enterprise or a paid Cloud plan).',
	})),
	when([status('paymentRequired')], ({ quoted }) => ({
		message: 'You have reached a limit of the Activepieces plan',
		description: `${quoted}Check your plan and usage in the platform admin console.`,
	})),
	when([status('unauthorized'), ({ isWithoutKeys }) => isWithoutKeys === true], () => ({
		message: 'This is the Community edition of Activepieces, which has no API keys',
		description:
			'Create a credential with Sign-In instead of API Key. You choose this at the top right of the dialog in n8n 2, or below Connect using in n8n 1. Then enter the email and password of a user.',
	})),
	when([status('unauthorized'), ofService], ({ credential, sentWith, baseUrl, expiredHint }) => ({
		message: `Activepieces did not accept the ${credential}`,
		description: `The ${credential}${sentWith && `,${sentWith},`} was sent to ${baseUrl}, the Base URL. ${expiredHint}`,
	})),
	when([status('unauthorized')], blockedByFirewall),
	when(
		[status('forbidden'), code('PERMISSION_DENIED')],
		({ user, noun, shortCredential }, { params }) => ({
			message: `The ${user} is not allowed to do this with the ${noun}`,
			description: `The role of that user does not include the permission ${wordOf(params.permission) ?? 'for it'}. Give the user a role that includes it, or use the ${shortCredential} of another user.`,
		}),
	),
	when([status('forbidden'), code(...SESSION_CODES)], ({ credential, expiredHint }) => ({
		message: `The ${credential} or its user is no longer active`,
		description: expiredHint,
	})),
	when(
		[status('forbidden'), code('AUTHORIZATION'), says(/principal/)],
		({ credential, expiredHint }) => ({
			message: `Activepieces did not accept the ${credential} for this request`,
			description: `This endpoint may not accept this type of credential. ${expiredHint}`,
		}),
	),
	// Up to 0.73 every API key is refused for project invitations with this text.
	when(
		[status('forbidden'), code('AUTHORIZATION'), says(/project id is required/i)],
		({ record }) => ({
			message: `In this Activepieces release, ${record} cannot be deleted with an API key`,
			description:
				'Deleting invitations to a project with an API key requires Activepieces 0.79 or later. Update Activepieces, or delete the invitation in Activepieces.',
		}),
	),
	when([status('forbidden'), (response) => !isServiceRefusal(response)], blockedByFirewall),
	when([status('forbidden')], ({ actor, record, quoted, thing, field, hint, expiredHint }) => ({
		message: `The ${actor} is not allowed to access the ${record}`,
		// Flows and folders also respond without a message when a session has expired (recorded).
		description: `${quoted}${field === undefined ? '' : `The ${thing} may belong to another platform: check ${field}. `}${quoted === '' ? expiredHint : hint}`,
	})),
	when([status('proxyAuthenticationRequired')], refusedByProxy),

	/* The server does not have the record or the endpoint. */

	when(
		[
			status('notFound'),
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
		[status('notFound'), ({ isRouteMissing }) => isRouteMissing],
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
		[status('badRequest'), says(/^params\/id /), (_response, { id }) => id !== undefined],
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
	when([isUnknown], ({ Record, field, thing, quoted, baseUrlHint }) => ({
		message: `${Record} was not found`,
		description:
			field === undefined
				? `${quoted}${baseUrlHint}`
				: `Check ${field}. The ${thing} may have been deleted, or may belong to another Activepieces server or platform.`,
	})),
	when([status('notFound')], ({ baseUrlHint }) => ({
		message: 'A proxy in front of Activepieces responded that nothing was found (HTTP 404)',
		description: `The proxy may be unable to reach Activepieces, for example while it starts. Try again. If this continues, Base URL may be wrong. ${baseUrlHint}`,
	})),

	/* The request cannot be used. */

	when([status('badRequest'), code('TRIGGER_UPDATE_STATUS')], ({ record }, { params }) => ({
		message: `Activepieces could not start or stop the trigger of ${record}`,
		description: `${triggerOutput(params.standardError)}Check the trigger and its connection in Activepieces. Also check the status of the flow: its latest version may be published although the flow is disabled.`,
	})),
	// Later than 0.92.0 (read in the service's source).
	when([status('badRequest'), code('REQUIRED_ACTIONS_MISSING')], ({ Record, quoted }) => ({
		message: `${Record} was not published, because actions that the platform requires are missing`,
		description: `${quoted}Add steps with these actions in Activepieces, and do not skip them.`,
	})),
	when(
		[status('badRequest'), ({ message }) => refusedField(message) !== undefined],
		({ labels, quoted, input, again }, { message }) => ({
			message: `Activepieces did not accept the value of ${labelOf(labels, refusedField(message))}`,
			description: `${quoted}Check ${input}. ${again}.`,
		}),
	),
	when([status('badRequest')], ({ quoted, input }) => ({
		message: 'Activepieces did not accept the request',
		description: `${quoted}Check ${input}.`,
	})),
	when([status('contentTooLarge', 'uriTooLong', 'headersTooLarge')], (about, { status }) => ({
		message: 'The request is larger than the server accepts',
		description: about.hasFilters
			? 'Use fewer or shorter values in the filters, or split them across several items.'
			: `${isStatus(status, 'contentTooLarge') ? sizeOfBody(about) : ''}Check ${about.input}. A value may be too long, or a proxy in front of Activepieces may have a low limit.`,
	})),
	when([status('tooManyRequests')], ({ lessOften }, response) => ({
		message: 'Activepieces is receiving too many requests',
		description: `${asksToWait(response)}${lessOften}`,
	})),

	/* The state of the record does not allow it. */

	when([status('conflict'), code('FLOW_IN_USE')], ({ record }) => ({
		message: `Another user is editing ${record}`,
		description: 'Run the node again one minute after the last edit.',
	})),
	when([status('conflict'), code('FLOW_OPERATION_IN_PROGRESS')], ({ record }) => ({
		message: `Another change to ${record} is in progress`,
		description:
			'Run the node again in a moment. If this continues, check that an Activepieces worker is running.',
	})),
	when([status('conflict'), says(/team project/i)], ({ Record, field }) => ({
		message: `${Record} is a personal project, so you cannot invite users to it`,
		description: `Choose a team project in ${field ?? 'Project'}.`,
	})),
	when(
		[
			status('conflict'),
			code('VALIDATION'),
			says(/is used/),
			(_response, { newName }) => newName !== undefined,
		],
		({ noun, newName }) => ({
			message: `Another ${noun} in the project already has the name "${newName}"`,
			description: 'Names are not case-sensitive. Change New Name and run the node again.',
		}),
	),
	when([status('gone'), code('FLOW_RUN_RETRY_OUTSIDE_RETENTION')], ({ Record }, { params }) => ({
		message: `${Record} is too old to retry`,
		description: `Activepieces keeps the data needed for a retry for ${wordOf(params.failedJobRetentionDays) ?? 'a few'} days. Run the flow again instead, for example with Flow > Run.`,
	})),

	/* Anything else */

	when([says(/invalid byte sequence/i)], ({ input }) => ({
		message: 'A value contains a character that Activepieces cannot store',
		description: `Remove control characters (such as the NUL character) from ${input}.`,
	})),
	when(
		[status('badGateway', 'serviceUnavailable', 'gatewayTimeout', 'unreachableOrigin')],
		(_about, response) => ({
			message: `Activepieces is unavailable (HTTP ${response.status})`,
			description: `${asksToWait(response)}The server may be starting or overloaded. Try again later, and check that its API is running.`,
		}),
	),
	when([status('serverError')], ({ quoted }, { status }) => ({
		message: `Activepieces could not process the request (HTTP ${status})`,
		description: `${quoted}The cause is on the server. Check its log.`,
	})),
	when([], ({ quoted, input }, { status }) => ({
		message: `Activepieces refused the request (HTTP ${status})`,
		description: `${quoted}Check ${input}.`,
	})),
];
