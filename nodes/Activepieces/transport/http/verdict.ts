import type { NodeApiError } from 'n8n-workflow';

import type { ConnectionErrorKind } from './connectionError';
import {
	isFromService,
	namesOfStatus,
	type ApiResponse,
	type AttemptResult,
	type Outcome,
	type StatusClass,
	type StatusName,
} from './response';

/** The worse of two outcomes: more may have been changed. */
export function worse(a: Outcome, b: Outcome): Outcome {
	const ranks: Outcome[] = ['nothing', 'maybe', 'done'];
	return ranks.indexOf(b) > ranks.indexOf(a) ? b : a;
}

/** What a response, or the reason why there is none, means for a request. */
export interface Verdict {
	/** What the request may have done, if it is no GET */
	outcome: Outcome;
	/** Whether the reason is temporary, so that the request is sent again (`mayRepeat`) */
	isTemporary: boolean;
	/**
	 * What else fails for the same reason: every request to the server, all of this list, this request only. Read by
	 * lists of several projects, searches and the trigger
	 */
	scope: 'server' | 'list' | 'request';
	/** n8n's own category of a failed poll, by which newer releases wait or inform the person */
	n8nCause: NonNullable<NodeApiError['failure']>['cause'];
}

/** A row of `VERDICTS`: `rowOf` finds that of a response, and `verdictOf` adds who responded. */
interface Row extends Omit<Verdict, 'outcome'> {
	/** The outcome if the service itself says so (`isFromService`) */
	ofService: Outcome;
	/** The outcome if something in front of it does, or if there is no response */
	inFront: Outcome;
}

const row = (
	ofService: Outcome,
	inFront: Outcome,
	duration: 'temporary' | 'lasting',
	scope: Verdict['scope'],
	n8nCause: Verdict['n8nCause'],
): Row => ({ ofService, inFront, isTemporary: duration === 'temporary', scope, n8nCause });

/** There is no response, or none that can be read. */
const noResponse = (
	outcome: Outcome,
	duration: 'temporary' | 'lasting',
	scope: Verdict['scope'],
	n8nCause: Verdict['n8nCause'],
): Row => row(outcome, outcome, duration, scope, n8nCause);

type Kind = ConnectionErrorKind | StatusName | StatusClass;

/**
 * The meaning of every connection error and status. A status without a row has that of its class. A proxy or firewall
 * that refuses the response to a request that was carried out may do so with 403, but not with 404.
 * `docs/operations.md` lists which requests are sent again.
 */
export const VERDICTS = {
	// What the service did if there is no response, how long, what else fails, and n8n's category
	unknownHost: noResponse('nothing', 'temporary', 'server', 'temporarily-unavailable'),
	notConnected: noResponse('nothing', 'temporary', 'server', 'temporarily-unavailable'),
	// A single list that is damaged or long can be the reason for these two.
	timeout: noResponse('maybe', 'temporary', 'request', 'temporarily-unavailable'),
	connectionReset: noResponse('maybe', 'temporary', 'request', 'temporarily-unavailable'),
	untrustedCertificate: noResponse('nothing', 'lasting', 'server', 'configuration-invalid'),
	tooLarge: noResponse('maybe', 'lasting', 'request', 'configuration-invalid'),
	other: noResponse('maybe', 'lasting', 'request', 'temporarily-unavailable'),

	// What was done if the service says so, or something in front of it; how long, what else fails, and n8n's category
	badRequest: row('nothing', 'nothing', 'lasting', 'request', 'configuration-invalid'),
	unauthorized: row('nothing', 'nothing', 'lasting', 'server', 'credential-invalid'),
	paymentRequired: row('nothing', 'maybe', 'lasting', 'list', 'configuration-invalid'),
	forbidden: row('nothing', 'maybe', 'lasting', 'list', 'credential-invalid'),
	notFound: row('nothing', 'nothing', 'lasting', 'list', 'configuration-invalid'),
	methodNotAllowed: row('nothing', 'nothing', 'lasting', 'request', 'configuration-invalid'),
	proxyAuthenticationRequired: row(
		'nothing',
		'nothing',
		'lasting',
		'server',
		'configuration-invalid',
	),
	requestTimeout: row('maybe', 'maybe', 'temporary', 'request', 'temporarily-unavailable'),
	conflict: row('nothing', 'maybe', 'lasting', 'list', 'configuration-invalid'),
	contentTooLarge: row('nothing', 'nothing', 'lasting', 'request', 'configuration-invalid'),
	uriTooLong: row('nothing', 'nothing', 'lasting', 'request', 'configuration-invalid'),
	tooEarly: row('nothing', 'nothing', 'temporary', 'request', 'temporarily-unavailable'),
	tooManyRequests: row('nothing', 'nothing', 'temporary', 'server', 'rate-limited'),
	headersTooLarge: row('nothing', 'nothing', 'lasting', 'request', 'configuration-invalid'),
	badGateway: row('maybe', 'maybe', 'temporary', 'server', 'temporarily-unavailable'),
	// Its framework, Fastify, responds so to requests that arrive while it closes: before the service begins.
	serviceUnavailable: row('nothing', 'maybe', 'temporary', 'server', 'temporarily-unavailable'),
	// The list may be long.
	gatewayTimeout: row('maybe', 'maybe', 'temporary', 'request', 'temporarily-unavailable'),
	unreachableOrigin: row('maybe', 'maybe', 'temporary', 'request', 'temporarily-unavailable'),

	informational: row('maybe', 'maybe', 'lasting', 'request', 'configuration-invalid'),
	// The status alone does not show that the service sent it: `confirm` makes it `done`. The rest applies if the body
	// cannot be used.
	success: row('maybe', 'maybe', 'lasting', 'request', 'configuration-invalid'),
	redirect: row('nothing', 'nothing', 'lasting', 'request', 'configuration-invalid'),
	clientError: row('nothing', 'maybe', 'lasting', 'request', 'configuration-invalid'),
	// Concerns one list: it is damaged, for example by a record that cannot be decrypted.
	serverError: row('maybe', 'maybe', 'lasting', 'request', 'temporarily-unavailable'),
} satisfies Partial<Record<Kind, Row>>;

const rows: Partial<Record<Kind, Row>> & Record<ConnectionErrorKind | StatusClass, Row> = VERDICTS;

/** The row of a status or a connection error. */
export function rowOf(reason: number | ConnectionErrorKind): Row {
	if (typeof reason !== 'number') return rows[reason];
	const [name, of] = namesOfStatus(reason);
	return (name && rows[name]) ?? rows[of];
}

/** A POST is only sent again if the first one has certainly done nothing. */
export const mayRepeat = ({ outcome, isTemporary }: Verdict, method: string): boolean =>
	isTemporary && (method !== 'POST' || outcome === 'nothing');

/** Whether the service itself refused a request, and did nothing of it. */
export const isRefusedByService = (response: Pick<ApiResponse, 'body' | 'status'>): boolean =>
	isFromService(response) && rowOf(response.status).ofService === 'nothing';

const toVerdict = ({ ofService, inFront, ...rest }: Row, isOfService = false): Verdict => ({
	outcome: isOfService ? ofService : inFront,
	...rest,
});

/**
 * What the result of a request means. For example a 402: of a proxy, the change may have been made; with the body of the
 * service, nothing was. Complete but malformed JSON is final, since the sender would send it again.
 */
export function verdictOf(result: AttemptResult, method: string): Verdict {
	if (result.isSignIn) {
		// The request itself was not sent.
		return { ...verdictOf({ ...result, isSignIn: false }, 'GET'), outcome: 'nothing' };
	}
	if ('connectionError' in result) return toVerdict(rowOf(result.connectionError.kind));
	const { response } = result;
	const verdict = toVerdict(rowOf(response.status), isFromService(response));
	// Only a GET needs the body; other methods have taken effect when the status arrives.
	if (method === 'GET' && response.maybeTruncated) return { ...verdict, isTemporary: true };
	// The webhook has received the call, so the status is that of the flow.
	if (response.webhook?.requestId !== undefined) {
		return { ...verdict, outcome: 'maybe', isTemporary: false };
	}
	return verdict;
}
