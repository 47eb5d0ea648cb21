/**
 * What HTTP statuses mean. Other files use their names. `response.ts` and
 * `transport/responseMessages.ts` interpret the rest of a response: its sender and its text.
 */

/** The effect of a request whose status may change soon */
type Transience = 'nothingDone' | 'maybeDone';

interface StatusMeaning {
	/** Its name in HTTP */
	name: string;
	/** The server, or the connection to it, has a temporary problem */
	transient?: Transience;
	/** What else fails in the same way: only this list, or every request to this server */
	concerns?: 'list' | 'server';
}

const STATUSES = {
	200: { name: 'ok' },
	204: { name: 'noContent' },
	400: { name: 'badRequest' },
	// The credential is not accepted.
	401: { name: 'unauthorized', concerns: 'server' },
	// The plan lacks a feature, or its limit is reached.
	402: { name: 'paymentRequired', concerns: 'list' },
	// The role or the user lacks a permission. Also the response for a deleted project (recorded).
	403: { name: 'forbidden', concerns: 'list' },
	// No such record or endpoint, or a proxy has lost its server.
	404: { name: 'notFound', concerns: 'list' },
	405: { name: 'methodNotAllowed' },
	407: { name: 'proxyAuthenticationRequired', concerns: 'server' },
	// The server stopped waiting for the request.
	408: { name: 'requestTimeout', transient: 'maybeDone' },
	// The state of the record does not allow it.
	409: { name: 'conflict', concerns: 'list' },
	410: { name: 'gone' },
	413: { name: 'contentTooLarge' },
	414: { name: 'uriTooLong' },
	425: { name: 'tooEarly', transient: 'nothingDone' },
	429: { name: 'tooManyRequests', transient: 'nothingDone', concerns: 'server' },
	431: { name: 'headersTooLarge' },
	// Concerns one list: it is damaged, for example by a record that cannot be decrypted, or for 504 it is long.
	500: { name: 'internalServerError' },
	502: { name: 'badGateway', transient: 'maybeDone', concerns: 'server' },
	// Sent by a proxy, the server may have stopped after it carried out the request; the service's own 503
	// is interpreted in `transport/retry.ts`.
	503: { name: 'serviceUnavailable', transient: 'maybeDone', concerns: 'server' },
	504: { name: 'gatewayTimeout', transient: 'maybeDone' },
} as const satisfies Record<number, StatusMeaning>;

export type StatusName = (typeof STATUSES)[keyof typeof STATUSES]['name'];

function meaningOf(status: unknown): (StatusMeaning & { name: StatusName }) | undefined {
	return typeof status === 'number'
		? (STATUSES as Record<number, StatusMeaning & { name: StatusName }>)[status]
		: undefined;
}

/** The name of a status; undefined for one without a meaning of its own. */
const statusName = (status: unknown): StatusName | undefined => meaningOf(status)?.name;

/** Whether a status has one of these names. */
export const isStatus = (status: unknown, ...names: Array<StatusName | undefined>): boolean => {
	const name = statusName(status);
	return name !== undefined && names.includes(name);
};

export const isSuccessStatus = (status: number): boolean => status >= 200 && status < 300;

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

export const isErrorStatus = (status: number): boolean => status >= 400;

export const isServerError = (status: number): boolean => status >= 500;

/** Whether the request was redirected or refused, so that nothing was done. */
export const isTurnedAway = (status: number): boolean =>
	isRedirect(status) || (isErrorStatus(status) && !isServerError(status));

/** Cloudflare's statuses for a server that it cannot reach or understand. */
const isOfCloudflare = (status: number): boolean => status >= 520 && status <= 530;

/** The effect of the request, for a status that may change soon; undefined for any other. */
export const transienceOf = (status: number): Transience | undefined =>
	meaningOf(status)?.transient ?? (isOfCloudflare(status) ? 'maybeDone' : undefined);

/** Whether the status concerns one list, while others of the same server can be read. */
export const isOfOneList = (status: number | undefined): boolean =>
	meaningOf(status)?.concerns === 'list';

/**
 * Whether every request to the server gets this status: a wrong key, too many requests, no server behind
 * the proxy.
 */
export const isOfServer = (status: number | undefined): boolean =>
	meaningOf(status)?.concerns === 'server';
