import { isFromService, isStatus, isSuccess, type StatusName } from '../http/response';
import type { ResponseFacts } from './rule';

/* What a gateway, a proxy or a firewall in front of Activepieces responds to a request that it does not pass on. */

/** Parts of paths of a sign-in: /cdn-cgi/access/login, /oauth2/start */
const SIGN_IN_WORDS = /auth|log-?in|sign-?in|sso|saml/i;

/** A redirect to another host, or to a sign-in on the same one: maybe that of a gateway. */
export function isSignInRedirect(location: string, baseUrl: string): boolean {
	if (!URL.canParse(location, baseUrl)) return false;
	const { host, pathname } = new URL(location, baseUrl);
	return host !== new URL(baseUrl).host || SIGN_IN_WORDS.test(pathname);
}

export const hasTarget = ({ response: { status, location } }: ResponseFacts): boolean =>
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
export function isNotOfWebhook(facts: ResponseFacts): boolean {
	const { isCall, response } = facts;
	if (!isCall || response.webhook?.requestId !== undefined) return false;
	const { status, isHtml } = response;
	if (hasTarget(facts)) return true;
	if (isStatus(status, ...TOO_MUCH)) return false;
	const isOfService = !isStatus(status, 'unauthorized', 'forbidden') && isFromService(response);
	const isOfOther =
		isSuccess(response) ||
		(isHtml && !isStatus(status, 'serverError')) ||
		isStatus(status, ...NOT_PASSED);
	return isOfOther && !isOfService;
}
