import type { NodeApiError } from 'n8n-workflow';

import type { ConnectionErrorKind } from './connectionError';
import { isStatus, namesOfStatus, type StatusClass, type StatusName } from './httpStatus';
import { type ApiResponse, type AttemptResult, isServiceRefusal, requestIdOf } from './response';

/** What a response, or the reason why there is none, means for a request. */
export interface Verdict {
	/** What the request may have done, if it is no GET */
	outcome: 'nothing' | 'maybe';
	/** Which requests are sent again, because the reason is temporary; a POST only if nothing was done */
	repeat: 'all' | 'exceptPost' | 'none';
	/**
	 * What else fails for the same reason: every request to the server, all of this list, this request only. Read by
	 * lists of several projects, searches and the trigger
	 */
	scope: 'server' | 'list' | 'request';
	/** n8n's own category of a failed poll, by which newer releases wait or inform the person */
	n8nCause: NonNullable<NodeApiError['failure']>['cause'];
}

const verdict = (
	outcome: Verdict['outcome'],
	repeat: Verdict['repeat'],
	scope: Verdict['scope'],
	n8nCause: Verdict['n8nCause'],
): Verdict => ({ outcome, repeat, scope, n8nCause });

type Kind = ConnectionErrorKind | StatusName | StatusClass;

/**
 * The meaning of every connection error and status. A status without a row has that of its class. Of a status,
 * `outcome` is that of a proxy or firewall: one that refuses the response to a request that was carried out
 * may do so with 403, but not with 404. `docs/operations.md` lists which requests are sent again.
 */
export const VERDICTS = {
	unknownHost: verdict('nothing', 'all', 'server', 'temporarily-unavailable'),
	connectionRefused: verdict('nothing', 'all', 'server', 'temporarily-unavailable'),
	connectTimeout: verdict('nothing', 'all', 'server', 'temporarily-unavailable'),
	unreachable: verdict('maybe', 'exceptPost', 'server', 'temporarily-unavailable'),
	// A single list that is damaged or long can be the reason for these two.
	timeout: verdict('maybe', 'exceptPost', 'request', 'temporarily-unavailable'),
	connectionReset: verdict('maybe', 'exceptPost', 'request', 'temporarily-unavailable'),
	untrustedCertificate: verdict('nothing', 'none', 'server', 'configuration-invalid'),
	// A broken connection looks the same as a server without HTTPS.
	tlsProtocol: verdict('maybe', 'none', 'server', 'configuration-invalid'),
	tooLarge: verdict('maybe', 'none', 'request', 'configuration-invalid'),
	undecodable: verdict('maybe', 'none', 'request', 'configuration-invalid'),
	other: verdict('maybe', 'none', 'request', 'temporarily-unavailable'),

	badRequest: verdict('nothing', 'none', 'request', 'configuration-invalid'),
	unauthorized: verdict('nothing', 'none', 'server', 'credential-invalid'),
	paymentRequired: verdict('maybe', 'none', 'list', 'configuration-invalid'),
	forbidden: verdict('maybe', 'none', 'list', 'credential-invalid'),
	notFound: verdict('nothing', 'none', 'list', 'configuration-invalid'),
	methodNotAllowed: verdict('nothing', 'none', 'request', 'configuration-invalid'),
	proxyAuthenticationRequired: verdict('nothing', 'none', 'server', 'configuration-invalid'),
	requestTimeout: verdict('maybe', 'exceptPost', 'request', 'temporarily-unavailable'),
	conflict: verdict('maybe', 'none', 'list', 'configuration-invalid'),
	contentTooLarge: verdict('nothing', 'none', 'request', 'configuration-invalid'),
	uriTooLong: verdict('nothing', 'none', 'request', 'configuration-invalid'),
	tooEarly: verdict('nothing', 'all', 'request', 'temporarily-unavailable'),
	tooManyRequests: verdict('nothing', 'all', 'server', 'rate-limited'),
	headersTooLarge: verdict('nothing', 'none', 'request', 'configuration-invalid'),
	badGateway: verdict('maybe', 'exceptPost', 'server', 'temporarily-unavailable'),
	serviceUnavailable: verdict('maybe', 'exceptPost', 'server', 'temporarily-unavailable'),
	// The list may be long.
	gatewayTimeout: verdict('maybe', 'exceptPost', 'request', 'temporarily-unavailable'),
	unreachableOrigin: verdict('maybe', 'exceptPost', 'request', 'temporarily-unavailable'),

	informational: verdict('maybe', 'none', 'request', 'configuration-invalid'),
	// The status alone does not show that the service sent it. The rest applies if the body cannot be used.
	success: verdict('maybe', 'none', 'request', 'configuration-invalid'),
	redirect: verdict('nothing', 'none', 'request', 'configuration-invalid'),
	clientError: verdict('maybe', 'none', 'request', 'configuration-invalid'),
	// Concerns one list: it is damaged, for example by a record that cannot be decrypted.
	serverError: verdict('maybe', 'none', 'request', 'temporarily-unavailable'),
} satisfies Partial<Record<Kind, Verdict>>;

const rows: Partial<Record<Kind, Verdict>> & Record<ConnectionErrorKind | StatusClass, Verdict> =
	VERDICTS;

/** The row of a status or a connection error. */
export function rowOf(reason: number | ConnectionErrorKind): Verdict {
	if (typeof reason !== 'number') return rows[reason];
	const [name, of] = namesOfStatus(reason);
	return (name && rows[name]) ?? rows[of];
}

export const mayRepeat = ({ repeat }: Verdict, method: string): boolean =>
	repeat === 'all' || (repeat === 'exceptPost' && method !== 'POST');

/** Whether the service itself refused a request (`isServiceRefusal`), and would refuse it again. */
export const isFinalRefusal = (response: Pick<ApiResponse, 'body' | 'status'>): boolean =>
	isServiceRefusal(response) &&
	isStatus(response.status, 'redirect', 'clientError') &&
	rowOf(response.status).repeat === 'none';

/**
 * Adds to a row who responded. For example a 402: of a proxy, the change may have been made (`maybe`); with the
 * body of the service, nothing was (`nothing`). Complete but malformed JSON is final, since the sender would send it again.
 */
export function verdictOf(result: AttemptResult, method: string): Verdict {
	if (result.isSignIn) {
		const { repeat, ...row } = verdictOf({ ...result, isSignIn: false }, 'GET');
		// The request itself was not sent.
		return { ...row, outcome: 'nothing', repeat: repeat === 'none' ? 'none' : 'all' };
	}
	if ('connectionError' in result) return rowOf(result.connectionError.kind);
	const { response } = result;
	const row = rowOf(response.status);
	// Only a GET needs the body; other methods have taken effect when the status arrives.
	if (method === 'GET' && response.maybeTruncated) return { ...row, repeat: 'exceptPost' };
	// The webhook has received the call, so the status is that of the flow.
	if (response.webhook && requestIdOf(response) !== undefined) {
		return { ...row, outcome: 'maybe', repeat: 'none' };
	}
	// The service says that it did nothing, so a rename is repeated. But a record that is missing afterwards
	// may still have been deleted by this attempt.
	if (isStatus(response.status, 'serviceUnavailable') && isServiceRefusal(response)) {
		return { ...row, repeat: 'all' };
	}
	return isFinalRefusal(response) ? { ...row, outcome: 'nothing' } : row;
}
