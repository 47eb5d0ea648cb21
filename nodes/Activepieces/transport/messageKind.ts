import type { ConnectionErrorKind } from './connectionError';
import {
	isErrorStatus,
	isRedirect,
	isServerError,
	isStatus,
	statusName,
	type StatusName,
} from './httpStatus';
import { type ErrorContext, hasFilters, refusedField } from './messageParts';
import type { ConnectionKind, ResponseKind, SignInKind } from './messages';
import { type ApiResponse, isServiceRefusal, isSuccess, requestIdOf } from './response';
import { isRecord } from './values';

type Classify = (response: ApiResponse, context: ErrorContext) => ResponseKind | undefined;

/** Whether a Base URL continues after the path of a server's API. */
const goesPastApi = (baseUrl: string): boolean => /^\/api\/./.test(new URL(baseUrl).pathname);

const saysInMessage = ({ message = '' }: ApiResponse, text: RegExp): boolean => text.test(message);

/**
 * The responses of the vendor's Cloud for a route that it does not have, with status 200, or that did not
 * reach the service (recorded).
 */
const isHandedOn = (
	{ status, body, message }: ApiResponse,
	{ mayHandOnCloud }: ErrorContext,
): boolean =>
	mayHandOnCloud === true &&
	((isStatus(status, 'ok') && isRecord(body) && isStatus(body.statusCode, 'notFound')) ||
		(isStatus(status, 'internalServerError') && message === 'fetch failed'));

function kindOfRedirect({ status, location }: ApiResponse): ResponseKind | undefined {
	if (!isRedirect(status)) return undefined;
	return location === undefined ? 'redirectToNowhere' : 'redirect';
}

/** Statuses with which a proxy refuses a call. They are not the service's, which lets everybody call a flow. */
const NOT_PASSED: StatusName[] = [
	'unauthorized',
	'forbidden',
	'notFound',
	'methodNotAllowed',
	'gone',
];

/**
 * Who responded to the call of a flow instead of its webhook. The credential was not sent, and the flow
 * was read from the same server before, so neither needs to be changed.
 */
function kindOfCall(response: ApiResponse, { isCall }: ErrorContext): ResponseKind | undefined {
	const { status, isHtml, location } = response;
	if (isCall !== true || requestIdOf(response) !== undefined) return undefined;
	if (isRedirect(status) && location !== undefined) return 'redirectedCall';
	const isRefusal = !isStatus(status, 'unauthorized', 'forbidden') && isServiceRefusal(response);
	const isOfOther =
		isSuccess(response) || (isHtml && !isServerError(status)) || isStatus(status, ...NOT_PASSED);
	return isOfOther && !isRefusal ? 'notWebhook' : undefined;
}

/** Pages of the web app, or of a proxy in front of the server. */
const WEB_PAGES: Partial<Record<StatusName, ResponseKind>> = {
	badRequest: 'refusedByProxy',
	unauthorized: 'blockedByFirewall',
	paymentRequired: 'blockedByFirewall',
	forbidden: 'blockedByFirewall',
	notFound: 'webPage',
	// How nginx in front of releases before 0.80 responds to POST and DELETE outside /api.
	methodNotAllowed: 'webPage',
};

function kindOfWebPage({ isHtml, status }: ApiResponse): ResponseKind | undefined {
	if (!isHtml) return undefined;
	if (!isErrorStatus(status)) return 'webPage';
	const name = statusName(status);
	return name && WEB_PAGES[name];
}

const kindOfTooLarge: Classify = (_response, context) =>
	hasFilters(context) ? 'filtersTooLong' : 'requestTooLarge';

/** The record that was requested by ID, or the project whose list was requested. */
const kindOfUnknown = ({ id, within, field }: ErrorContext): ResponseKind => {
	if (id === undefined && within === undefined) return 'unknownList';
	return field === undefined ? 'unknownRecord' : 'notFound';
};

const kindOfBadRequest: Classify = (response, context) => {
	// For flows and runs, unlike other records, the service checks the form of the ID before it looks for
	// the record.
	if (context.id !== undefined && saysInMessage(response, /^params\/id /)) return 'invalidId';
	if (response.code === 'FLOW_RUN_NOT_FOUND') return kindOfUnknown(context);
	if (response.code === 'TRIGGER_UPDATE_STATUS') return 'triggerNotChanged';
	return refusedField(response) === undefined ? 'badRequest' : 'refusedField';
};

const kindOfForbidden: Classify = (response) => {
	const { code, message } = response;
	if (code === 'PERMISSION_DENIED') return 'missingPermission';
	if (code === 'SESSION_EXPIRED' || code === 'USER_IS_INACTIVE') return 'endedSession';
	if (code === 'AUTHORIZATION' && saysInMessage(response, /principal/)) return 'wrongCredential';
	// Up to 0.73 every API key is refused for project invitations with "Project ID is required".
	if (code === 'AUTHORIZATION' && saysInMessage(response, /project id is required/i)) {
		return 'projectInvitation';
	}
	// Flows and folders also respond without a message when a session has expired (recorded).
	return message === undefined ? 'forbiddenWithoutReason' : 'forbidden';
};

const kindOfNotFound: Classify = (response, context) => {
	const { code, params, isRouteMissing } = response;
	if (isRouteMissing) return goesPastApi(context.baseUrl) ? 'wrongPath' : 'missingEndpoint';
	if (code === 'ENTITY_NOT_FOUND' && params.entityType === 'FlowVersion') {
		return 'missingVersion';
	}
	// The service's own responses have a code, or the form of its framework.
	return isServiceRefusal(response) ? kindOfUnknown(context) : 'notFoundByProxy';
};

const kindOfConflict: Classify = (response, { newName }) => {
	const { code } = response;
	if (code === 'FLOW_IN_USE') return 'flowInUse';
	if (code === 'FLOW_OPERATION_IN_PROGRESS') return 'changeUnderWay';
	if (saysInMessage(response, /team project/i)) return 'personalProject';
	const isTaken = code === 'VALIDATION' && saysInMessage(response, /is used/);
	return newName !== undefined && isTaken ? 'nameTaken' : undefined;
};

const BY_STATUS: Partial<Record<StatusName, Classify>> = {
	badRequest: kindOfBadRequest,
	unauthorized: ({ isWithoutKeys }) => (isWithoutKeys ? 'editionWithoutKeys' : 'notAuthenticated'),
	paymentRequired: ({ code }) => (code === 'FEATURE_DISABLED' ? 'planFeature' : 'planLimit'),
	forbidden: kindOfForbidden,
	notFound: kindOfNotFound,
	proxyAuthenticationRequired: () => 'proxyLogin',
	conflict: kindOfConflict,
	gone: ({ code }) => (code === 'FLOW_RUN_RETRY_OUTSIDE_RETENTION' ? 'retentionOver' : undefined),
	contentTooLarge: kindOfTooLarge,
	uriTooLong: kindOfTooLarge,
	headersTooLarge: kindOfTooLarge,
	tooManyRequests: () => 'tooManyRequests',
};

const kindOfStatus: Classify = (response, context) => {
	const name = statusName(response.status);
	return name && BY_STATUS[name]?.(response, context);
};

/** For statuses that do not determine the kind. */
function kindOfOther(response: ApiResponse): ResponseKind {
	const { status } = response;
	if (saysInMessage(response, /invalid byte sequence/i)) return 'unstorableCharacter';
	if (isStatus(status, 'badGateway', 'serviceUnavailable', 'gatewayTimeout')) return 'unavailable';
	return isServerError(status) ? 'serverFailed' : 'refused';
}

/** The meaning at every endpoint. */
function generalKind(response: ApiResponse, context: ErrorContext): ResponseKind {
	if (isHandedOn(response, context)) return 'noCustomTemplates';
	const kind = kindOfCall(response, context);
	if (kind !== undefined) return kind;
	if (isSuccess(response)) {
		return typeof response.body === 'string' ? 'incompleteBody' : 'unexpectedBody';
	}
	return (
		kindOfRedirect(response) ??
		kindOfWebPage(response) ??
		kindOfStatus(response, context) ??
		kindOfOther(response)
	);
}

/**
 * The meaning of an unexpected response. It depends first on who responded (the vendor's Cloud, a
 * redirect, a web page of a proxy), then on the status, then on the code and text of the service, and
 * then on the endpoint.
 *
 * Sources: responses recorded with real servers (`test/contract`) and the service's error handler.
 */
export function responseKind(response: ApiResponse, context: ErrorContext): ResponseKind {
	const kind = generalKind(response, context);
	return context.means?.[kind] ?? kind;
}

/**
 * Kinds by the status and code with which the service refuses a sign-in (recorded, and read in the
 * service's source)
 */
const SIGN_IN_REFUSALS: Record<string, SignInKind> = {
	// The service checks their form before it looks for the user (recorded).
	'badRequest FST_ERR_VALIDATION': 'emailOrPasswordForm',
	// From 0.73 and 0.79. Later releases return a session without access to anything.
	'unauthorized AUTHENTICATION': 'noPlatform',
	'unauthorized INVALID_CREDENTIALS': 'wrongPassword',
	'forbidden DOMAIN_NOT_ALLOWED': 'emailDomain',
	'forbidden EMAIL_AUTH_DISABLED': 'singleSignOnOnly',
	'forbidden EMAIL_IS_NOT_VERIFIED': 'unverifiedEmail',
	'forbidden INVITATION_ONLY_SIGN_UP': 'noProject',
	'forbidden USER_IS_INACTIVE': 'inactiveUser',
};

/** The meaning of the response to a sign-in; undefined when it is the same as for any other request. */
export function signInKind(response: ApiResponse): SignInKind | undefined {
	const { status, code, body } = response;
	if (isStatus(status, 'tooManyRequests')) return 'tooManySignIns';
	if (isSuccess(response) && isRecord(body) && body.platformId === null) return 'noPlatform';
	return code === undefined ? undefined : SIGN_IN_REFUSALS[`${statusName(status)} ${code}`];
}

/** With a proxy, n8n connects to the proxy. */
export function connectionKind(kind: ConnectionErrorKind, context: ErrorContext): ConnectionKind {
	const { proxyHost, delayedBy } = context;
	switch (kind) {
		case 'unknownHost':
			return proxyHost === undefined ? kind : 'unknownProxy';
		case 'connectionRefused':
		case 'connectTimeout':
		case 'unreachable':
			return proxyHost === undefined ? 'noResponse' : 'noProxyResponse';
		case 'timeout':
			return delayedBy === undefined ? kind : 'delayed';
		case 'tooLarge':
			return hasFilters(context) ? 'listTooLarge' : kind;
		default:
			return kind;
	}
}
