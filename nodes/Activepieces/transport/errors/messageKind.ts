import { isRecord } from '../isRecord';
import { type ApiResponse, isServiceRefusal, isSuccess } from '../response';
import type { ConnectionErrorKind } from './connectionError';
import { type ErrorContext, hasFilters, refusedField } from './messageParts';

/** What a response means to the person. `messages.ts` has the text of each. */
export type ResponseKind =
	| 'badRequest'
	| 'blockedByFirewall'
	| 'cannotListVersions'
	| 'changeUnderWay'
	| 'editionWithoutKeys'
	| 'endedSession'
	| 'filtersTooLong'
	| 'flowInUse'
	| 'forbidden'
	| 'forbiddenWithoutReason'
	| 'forbiddenTemplate'
	| 'incompleteBody'
	| 'invalidId'
	| 'missingEndpoint'
	| 'missingPermission'
	| 'nameTaken'
	| 'noCustomTemplates'
	| 'notAuthenticated'
	| 'notFound'
	| 'notFoundByProxy'
	| 'personalProject'
	| 'planFeature'
	| 'planLimit'
	| 'projectInvitation'
	| 'proxyLogin'
	| 'redirect'
	| 'redirectToNowhere'
	| 'refused'
	| 'refusedByProxy'
	| 'refusedField'
	| 'requestTooLarge'
	| 'retentionOver'
	| 'serverFailed'
	| 'tooManyRequests'
	| 'triggerNotChanged'
	| 'unavailable'
	| 'unexpectedBody'
	| 'unknownList'
	| 'unknownRecord'
	| 'unpublishedFlow'
	| 'unstorableCharacter'
	| 'webPage'
	| 'wrongCredential'
	| 'wrongPath';

/** What a sign-in was refused with. */
export type SignInKind =
	| 'emailDomain'
	| 'emailOrPasswordForm'
	| 'inactiveUser'
	| 'noPlatform'
	| 'noProject'
	| 'singleSignOnOnly'
	| 'tooManySignIns'
	| 'unverifiedEmail'
	| 'wrongPassword';

/** Why no response came, as far as the person has to do something else about it. */
export type ConnectionKind =
	| 'delayed'
	| 'listTooLarge'
	| 'noAnswer'
	| 'noAnswerOfProxy'
	| 'unknownProxy'
	| Exclude<ConnectionErrorKind, 'connectionRefused' | 'connectTimeout' | 'unreachable'>;

export type MessageKind = ResponseKind | SignInKind | ConnectionKind;

type Classify = (response: ApiResponse, context: ErrorContext) => ResponseKind | undefined;

/** Whether a Base URL goes on after the place where the API of a server begins. */
const goesPastApi = (baseUrl: string): boolean => /^\/api\/./.test(new URL(baseUrl).pathname);

const saysInMessage = ({ message = '' }: ApiResponse, text: RegExp): boolean => text.test(message);

/**
 * Where a platform has no templates of its own, releases up to 0.73 hand on what the vendor's Cloud
 * answers: that it has no such route, with status 200, or that it was not reached (recorded).
 */
const isHandedOn = ({ status, body, message }: ApiResponse, { noun }: ErrorContext): boolean =>
	noun === 'flow templates' &&
	((status === 200 && isRecord(body) && body.statusCode === 404) ||
		(status === 500 && message === 'fetch failed'));

function kindOfRedirect({ status, location }: ApiResponse): ResponseKind | undefined {
	if (status < 300 || status >= 400) return undefined;
	return location === undefined ? 'redirectToNowhere' : 'redirect';
}

/** A page of the web app, or of what stands in front of the server. */
const WEB_PAGES: Record<number, ResponseKind> = {
	400: 'refusedByProxy',
	401: 'blockedByFirewall',
	403: 'blockedByFirewall',
	404: 'webPage',
	// What nginx in front of releases before 0.80 answers to POST and DELETE outside /api.
	405: 'webPage',
};

function kindOfWebPage({ isHtml, status }: ApiResponse): ResponseKind | undefined {
	if (!isHtml) return undefined;
	return status < 300 ? 'webPage' : WEB_PAGES[status];
}

const kindOfTooLarge: Classify = (_response, context) =>
	hasFilters(context) ? 'filtersTooLong' : 'requestTooLarge';

/** The record that was asked for by ID, or in which a list was asked for. */
const kindOfUnknown = ({ id, within, field }: ErrorContext): ResponseKind => {
	if (id === undefined && within === undefined) return 'unknownList';
	return field === undefined ? 'unknownRecord' : 'notFound';
};

const kindOf400: Classify = (response, context) => {
	// Flows and runs, unlike other records, refuse what cannot be an id before they look for it.
	if (context.id !== undefined && saysInMessage(response, /^params\/id /)) return 'invalidId';
	if (response.code === 'FLOW_RUN_NOT_FOUND') return kindOfUnknown(context);
	if (response.code === 'TRIGGER_UPDATE_STATUS') return 'triggerNotChanged';
	return refusedField(response) === undefined ? 'badRequest' : 'refusedField';
};

const kindOf403: Classify = (response, { noun }) => {
	const { code, message } = response;
	if (code === 'PERMISSION_DENIED') return 'missingPermission';
	if (code === 'SESSION_EXPIRED' || code === 'USER_IS_INACTIVE') return 'endedSession';
	if (code === 'AUTHORIZATION' && saysInMessage(response, /principal/)) return 'wrongCredential';
	// Releases up to 0.73 refuse project invitations with "Project ID is required" to every API key.
	if (code === 'AUTHORIZATION' && saysInMessage(response, /project id is required/i)) {
		return 'projectInvitation';
	}
	// 0.73 answers with empty params for a template of type PROJECT, later ones with a sentence.
	if (noun === 'flow template') return 'forbiddenTemplate';
	// Flows and folders answer without one, too, when a session has ended (recorded).
	return message === undefined ? 'forbiddenWithoutReason' : 'forbidden';
};

const kindOf404: Classify = (response, context) => {
	const { code, params, isRouteMissing } = response;
	if (isRouteMissing) return goesPastApi(context.baseUrl) ? 'wrongPath' : 'missingEndpoint';
	if (code === 'ENTITY_NOT_FOUND' && params.entityType === 'FlowVersion') {
		// Observed on 0.73: one flow without a published version spoils the whole list.
		return context.path.endsWith('/retry') ? 'unpublishedFlow' : 'cannotListVersions';
	}
	// The service's own have a code, or the form of its framework.
	return isServiceRefusal(response) ? kindOfUnknown(context) : 'notFoundByProxy';
};

const kindOf409: Classify = (response, { newName }) => {
	const { code } = response;
	if (code === 'FLOW_IN_USE') return 'flowInUse';
	if (code === 'FLOW_OPERATION_IN_PROGRESS') return 'changeUnderWay';
	if (saysInMessage(response, /team project/i)) return 'personalProject';
	const isTaken = code === 'VALIDATION' && saysInMessage(response, /is used/);
	return newName !== undefined && isTaken ? 'nameTaken' : undefined;
};

const BY_STATUS: Record<number, Classify> = {
	400: kindOf400,
	401: ({ isWithoutKeys }) => (isWithoutKeys ? 'editionWithoutKeys' : 'notAuthenticated'),
	402: ({ code }) => (code === 'FEATURE_DISABLED' ? 'planFeature' : 'planLimit'),
	403: kindOf403,
	404: kindOf404,
	407: () => 'proxyLogin',
	409: kindOf409,
	410: ({ code }) => (code === 'FLOW_RUN_RETRY_OUTSIDE_RETENTION' ? 'retentionOver' : undefined),
	413: kindOfTooLarge,
	414: kindOfTooLarge,
	429: () => 'tooManyRequests',
	431: kindOfTooLarge,
};

/** For statuses that say nothing by themselves. */
function kindOfOther(response: ApiResponse): ResponseKind {
	const { status } = response;
	if (saysInMessage(response, /invalid byte sequence/i)) return 'unstorableCharacter';
	if (status === 502 || status === 503 || status === 504) return 'unavailable';
	return status >= 500 ? 'serverFailed' : 'refused';
}

/**
 * What a response that is not the one asked for means. Who answered comes first (the vendor's Cloud, a
 * redirect, a web page of a proxy), then the status, then the code and the words of the service.
 * Sources: answers recorded with real servers (`test/contract`) and the service's error handler.
 */
export function responseKind(response: ApiResponse, context: ErrorContext): ResponseKind {
	if (isHandedOn(response, context)) return 'noCustomTemplates';
	if (isSuccess(response)) {
		return typeof response.body === 'string' ? 'incompleteBody' : 'unexpectedBody';
	}
	return (
		kindOfRedirect(response) ??
		kindOfWebPage(response) ??
		BY_STATUS[response.status]?.(response, context) ??
		kindOfOther(response)
	);
}

/** `<status> <code>` of what signing in is refused with (recorded, and read in the service's source) */
const SIGN_IN_REFUSALS: Record<string, SignInKind> = {
	// The service looks at their form before it looks for the user (recorded).
	'400 FST_ERR_VALIDATION': 'emailOrPasswordForm',
	// From 0.73 and 0.79. Later ones give a session that opens nothing.
	'401 AUTHENTICATION': 'noPlatform',
	'401 INVALID_CREDENTIALS': 'wrongPassword',
	'403 DOMAIN_NOT_ALLOWED': 'emailDomain',
	'403 EMAIL_AUTH_DISABLED': 'singleSignOnOnly',
	'403 EMAIL_IS_NOT_VERIFIED': 'unverifiedEmail',
	'403 INVITATION_ONLY_SIGN_UP': 'noProject',
	'403 USER_IS_INACTIVE': 'inactiveUser',
};

/** What the response to a sign-in means; nothing where it means the same as to any other request. */
export function signInKind(response: ApiResponse): SignInKind | undefined {
	const { status, code, body } = response;
	if (status === 429) return 'tooManySignIns';
	if (isSuccess(response) && isRecord(body) && body.platformId === null) return 'noPlatform';
	return code === undefined ? undefined : SIGN_IN_REFUSALS[`${status} ${code}`];
}

/** With a proxy it is the proxy that n8n connects to. */
export function connectionKind(kind: ConnectionErrorKind, context: ErrorContext): ConnectionKind {
	const { proxyHost, delayedBy } = context;
	switch (kind) {
		case 'unknownHost':
			return proxyHost === undefined ? kind : 'unknownProxy';
		case 'connectionRefused':
		case 'connectTimeout':
		case 'unreachable':
			return proxyHost === undefined ? 'noAnswer' : 'noAnswerOfProxy';
		case 'timeout':
			return delayedBy === undefined ? kind : 'delayed';
		case 'tooLarge':
			return hasFilters(context) ? 'listTooLarge' : kind;
		default:
			return kind;
	}
}
