import {
	isErrorStatus,
	isRedirect,
	isServerError,
	isStatus,
	statusName,
	type StatusName,
} from '../response/httpStatus';
import { type ApiResponse, isServiceRefusal, isSuccess, requestIdOf } from '../response/response';
import { isRecord } from '../values/isRecord';
import type { ConnectionErrorKind } from './connectionError';
import type { ConnectionKind, ResponseKind, SignInKind } from './kinds';
import { type ErrorContext, hasFilters, refusedField } from './messageParts';

type Classify = (response: ApiResponse, context: ErrorContext) => ResponseKind | undefined;

/** Whether a Base URL goes on after the place where the API of a server begins. */
const goesPastApi = (baseUrl: string): boolean => /^\/api\/./.test(new URL(baseUrl).pathname);

const saysInMessage = ({ message = '' }: ApiResponse, text: RegExp): boolean => text.test(message);

/** What the vendor's Cloud answered: that it has no such route, with status 200, or that it was not reached (recorded). */
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

/** Statuses by which a proxy says that it does not let a call pass: the service does not ask who calls. */
const NOT_PASSED: StatusName[] = [
	'unauthorized',
	'forbidden',
	'notFound',
	'methodNotAllowed',
	'gone',
];

/**
 * Who answered the call of a flow, when it was not its webhook. Nothing of the credential was sent, and the
 * flow was read from the same server before: neither is to be changed.
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

/** A page of the web app, or of what stands in front of the server. */
const WEB_PAGES: Partial<Record<StatusName, ResponseKind>> = {
	badRequest: 'refusedByProxy',
	unauthorized: 'blockedByFirewall',
	forbidden: 'blockedByFirewall',
	notFound: 'webPage',
	// What nginx in front of releases before 0.80 answers to POST and DELETE outside /api.
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

/** The record that was asked for by ID, or in which a list was asked for. */
const kindOfUnknown = ({ id, within, field }: ErrorContext): ResponseKind => {
	if (id === undefined && within === undefined) return 'unknownList';
	return field === undefined ? 'unknownRecord' : 'notFound';
};

const kindOfBadRequest: Classify = (response, context) => {
	// Flows and runs, unlike other records, refuse what cannot be an id before they look for it.
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
	// Releases up to 0.73 refuse project invitations with "Project ID is required" to every API key.
	if (code === 'AUTHORIZATION' && saysInMessage(response, /project id is required/i)) {
		return 'projectInvitation';
	}
	// Flows and folders answer without one, too, when a session has ended (recorded).
	return message === undefined ? 'forbiddenWithoutReason' : 'forbidden';
};

const kindOfNotFound: Classify = (response, context) => {
	const { code, params, isRouteMissing } = response;
	if (isRouteMissing) return goesPastApi(context.baseUrl) ? 'wrongPath' : 'missingEndpoint';
	if (code === 'ENTITY_NOT_FOUND' && params.entityType === 'FlowVersion') {
		return 'missingVersion';
	}
	// The service's own have a code, or the form of its framework.
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

/** For statuses by which the kind is not told. */
function kindOfOther(response: ApiResponse): ResponseKind {
	const { status } = response;
	if (saysInMessage(response, /invalid byte sequence/i)) return 'unstorableCharacter';
	if (isStatus(status, 'badGateway', 'serviceUnavailable', 'gatewayTimeout')) return 'unavailable';
	return isServerError(status) ? 'serverFailed' : 'refused';
}

/** What it means at every endpoint. */
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
 * What a response that is not the one asked for means. Who answered comes first (the vendor's Cloud, a
 * redirect, a web page of a proxy), then the status, then the code and the words of the service, and then
 * what that means at this endpoint.
 * Sources: answers recorded with real servers (`test/contract`) and the service's error handler.
 */
export function responseKind(response: ApiResponse, context: ErrorContext): ResponseKind {
	const kind = generalKind(response, context);
	return context.means?.[kind] ?? kind;
}

/** Name of the status and code of what signing in is refused with (recorded, and read in the service's source) */
const SIGN_IN_REFUSALS: Record<string, SignInKind> = {
	// The service looks at their form before it looks for the user (recorded).
	'badRequest FST_ERR_VALIDATION': 'emailOrPasswordForm',
	// From 0.73 and 0.79. Later ones give a session that opens nothing.
	'unauthorized AUTHENTICATION': 'noPlatform',
	'unauthorized INVALID_CREDENTIALS': 'wrongPassword',
	'forbidden DOMAIN_NOT_ALLOWED': 'emailDomain',
	'forbidden EMAIL_AUTH_DISABLED': 'singleSignOnOnly',
	'forbidden EMAIL_IS_NOT_VERIFIED': 'unverifiedEmail',
	'forbidden INVITATION_ONLY_SIGN_UP': 'noProject',
	'forbidden USER_IS_INACTIVE': 'inactiveUser',
};

/** What the response to a sign-in means; nothing where it means the same as to any other request. */
export function signInKind(response: ApiResponse): SignInKind | undefined {
	const { status, code, body } = response;
	if (isStatus(status, 'tooManyRequests')) return 'tooManySignIns';
	if (isSuccess(response) && isRecord(body) && body.platformId === null) return 'noPlatform';
	return code === undefined ? undefined : SIGN_IN_REFUSALS[`${statusName(status)} ${code}`];
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
