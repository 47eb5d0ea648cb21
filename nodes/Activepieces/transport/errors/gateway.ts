import type { UserMessage } from './error';
import type { Condition } from './messages';
import type { ApiResponse } from '../http/response';
import { MAX_FOREIGN } from '../text';
import { textOf } from '../values';
import type { Vocabulary } from './words';

/* What a gateway, a proxy or a firewall in front of Activepieces says to a request that it does not pass on. */

/** Parts of paths of a sign-in: /cdn-cgi/access/login, /oauth2/start */
const SIGN_IN_WORDS = /auth|log-?in|sign-?in|sso|saml/i;

/** A redirect to another host, or to a sign-in on the same one: maybe that of a gateway. */
function isSignInRedirect({ location = '' }: ApiResponse, baseUrl: string): boolean {
	if (!URL.canParse(location, baseUrl)) return false;
	const { host, pathname } = new URL(location, baseUrl);
	return host !== new URL(baseUrl).host || SIGN_IN_WORDS.test(pathname);
}

export const isSignInPage: Condition<ApiResponse> = ({ body }) =>
	/type=["']?password|<title>\s?(?:log|sign) ?in\b/i.test(textOf(body).slice(0, MAX_FOREIGN));

export const ADD_HEADER = 'add the header that it requires under Headers in the credential';

export const ofGateway = (response: ApiResponse, { baseUrl }: Vocabulary): string =>
	isSignInRedirect(response, baseUrl)
		? ` If it is the sign-in page of a gateway in front of Activepieces, ${ADD_HEADER}.`
		: '';

export const blockedByFirewall = (about: Vocabulary, { isHtml }: ApiResponse): UserMessage => ({
	message: `A proxy or firewall in front of Activepieces refused the request (HTTP ${about.status})`,
	description: `${isHtml ? '' : about.proxyQuoted}A proxy or firewall responded${isHtml ? ' with a web page' : ''}, so Activepieces did not check the ${about.credential}${about.sentWith}. Allow the n8n server to connect to ${about.baseUrl}, or ${ADD_HEADER}.`,
});
