import { type Condition } from './rule';
import { isStatus, type StatusName } from '../http/httpStatus';
import { type ApiResponse, isServiceRefusal, isSuccess, requestIdOf } from '../http/response';
import { MAX_FOREIGN, unended } from '../text';
import { type UserMessage } from './error';
import { textOf } from '../values';
import type { Words } from './words';

/* What a gateway, a proxy or a firewall in front of Activepieces says to a request that it does not pass on. */

/** Parts of paths of a sign-in: /cdn-cgi/access/login, /oauth2/start */
const SIGN_IN_WORDS = /auth|log-?in|sign-?in|sso|saml/i;

/** A redirect to another host, or to a sign-in on the same one: maybe that of a gateway. */
function isSignInRedirect({ location = '' }: ApiResponse, baseUrl: string): boolean {
	if (!URL.canParse(location, baseUrl)) return false;
	const { host, pathname } = new URL(location, baseUrl);
	return host !== new URL(baseUrl).host || SIGN_IN_WORDS.test(pathname);
}

export const hasTarget: Condition<ApiResponse> = ({ status, location }) =>
	isStatus(status, 'redirect') && location !== undefined;

/** Statuses for too large or too many requests, whoever sends them. */
const TOO_MUCH: StatusName[] = [
	'contentTooLarge',
	'uriTooLong',
	'tooManyRequests',
	'headersTooLarge',
];

/** Statuses with which a proxy refuses a call. They are not the service's, which lets everybody call a flow. */
const NOT_PASSED: StatusName[] = [
	'unauthorized',
	'paymentRequired',
	'forbidden',
	'notFound',
	'methodNotAllowed',
	'conflict',
	'gone',
];

/**
 * Somebody else responded to the call of a flow than its webhook. The credential was not sent, and the flow
 * was read from the same server before, so neither needs to be changed.
 */
export const isNotOfWebhook: Condition<ApiResponse> = (response, words) => {
	if (words.isCall !== true || requestIdOf(response) !== undefined) return false;
	const { status, isHtml } = response;
	if (hasTarget(response, words)) return true;
	if (isStatus(status, ...TOO_MUCH)) return false;
	const isRefusal = !isStatus(status, 'unauthorized', 'forbidden') && isServiceRefusal(response);
	const isOfOther =
		isSuccess(response) ||
		(isHtml && !isStatus(status, 'serverError')) ||
		isStatus(status, ...NOT_PASSED);
	return isOfOther && !isRefusal;
};

export const isSignInPage: Condition<ApiResponse> = ({ body }) =>
	/type=["']?password|<title>\s?(?:log|sign) ?in\b/i.test(textOf(body).slice(0, MAX_FOREIGN));

export const ADD_HEADER = 'add the header that it requires under Headers in the credential';

export const ofGateway = (response: ApiResponse, { baseUrl }: Words): string =>
	isSignInRedirect(response, baseUrl)
		? ` If it is the sign-in page of a gateway in front of Activepieces, ${ADD_HEADER}.`
		: '';

export function blockedByFirewall(
	{ credential, sentWith, baseUrl }: Words,
	{ status, isHtml, message }: ApiResponse,
): UserMessage {
	const quoted = message && !isHtml ? `It says: ${unended(message)}. ` : '';
	return {
		message: `A proxy or firewall in front of Activepieces refused the request (HTTP ${status})`,
		description: `${quoted}A proxy or firewall responded${isHtml ? ' with a web page' : ''}, so Activepieces did not check the ${credential}${sentWith}. Allow the n8n server to connect to ${baseUrl}, or ${ADD_HEADER}. If that is another application, change Base URL in the credential.`,
	};
}
