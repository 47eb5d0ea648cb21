/**
 * What HTTP statuses mean. Other files use their names. `response.ts` and
 * `transport/responseMessages.ts` interpret the rest of a response: its sender and its text.
 */

const STATUSES = {
	200: 'ok',
	204: 'noContent',
	400: 'badRequest',
	// The credential is not accepted.
	401: 'unauthorized',
	// The plan lacks a feature, or its limit is reached.
	402: 'paymentRequired',
	// The role or the user lacks a permission. Also the response for a deleted project (recorded).
	403: 'forbidden',
	// No such record or endpoint, or a proxy has lost its server.
	404: 'notFound',
	405: 'methodNotAllowed',
	407: 'proxyAuthenticationRequired',
	// The server stopped waiting for the request.
	408: 'requestTimeout',
	// The state of the record does not allow it.
	409: 'conflict',
	410: 'gone',
	413: 'contentTooLarge',
	414: 'uriTooLong',
	425: 'tooEarly',
	429: 'tooManyRequests',
	431: 'headersTooLarge',
	// Concerns one list: it is damaged, for example by a record that cannot be decrypted, or for 504 it is long.
	500: 'internalServerError',
	502: 'badGateway',
	// Sent by a proxy, the server may have stopped after it carried out the request; the service's own 503
	// is interpreted in `transport/retry.ts`.
	503: 'serviceUnavailable',
	504: 'gatewayTimeout',
} as const;

export type StatusName = (typeof STATUSES)[keyof typeof STATUSES];

export function isStatus(status: unknown, ...names: Array<StatusName | undefined>): boolean {
	if (typeof status !== 'number') return false;
	const name = (STATUSES as Record<number, StatusName | undefined>)[status];
	return name !== undefined && names.includes(name);
}

export const isSuccessStatus = (status: number): boolean => status >= 200 && status < 300;

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

export const isErrorStatus = (status: number): boolean => status >= 400;

export const isServerError = (status: number): boolean => status >= 500;

/**
 * Whether a proxy that responds with this status has not passed the request on. With other statuses, such as
 * 403, a firewall may replace the response to a request that was carried out.
 */
export const isNotPassedOn = (status: number): boolean =>
	isRedirect(status) ||
	isStatus(status, 'badRequest', 'unauthorized', 'notFound', 'methodNotAllowed') ||
	isStatus(
		status,
		'proxyAuthenticationRequired',
		'contentTooLarge',
		'uriTooLong',
		'headersTooLarge',
	);

/** Whether the request was redirected or refused, so that nothing was done. */
export const isTurnedAway = (status: number): boolean => status >= 300 && status < 500;

/** Whether the server does not respond in time; from 520 on Cloudflare says so. */
export const isUnavailable = (status: number): boolean =>
	isStatus(status, 'badGateway', 'serviceUnavailable', 'gatewayTimeout') ||
	(status >= 520 && status <= 530);

/**
 * The effect of a request whose status may change soon, because the server, or the connection to it, has a
 * temporary problem; undefined for any other status.
 */
export function transienceOf(status: number): 'nothingDone' | 'maybeDone' | undefined {
	if (isStatus(status, 'tooEarly', 'tooManyRequests')) return 'nothingDone';
	return isStatus(status, 'requestTimeout') || isUnavailable(status) ? 'maybeDone' : undefined;
}

/** Whether the status concerns one list, while others of the same server can be read. */
export const isOfOneList = (status?: number): boolean =>
	isStatus(status, 'paymentRequired', 'forbidden', 'notFound', 'conflict');

/**
 * Whether every request to the server gets this status: a wrong key, too many requests, no server behind
 * the proxy.
 */
export const isOfServer = (status?: number): boolean =>
	isStatus(status, 'unauthorized', 'proxyAuthenticationRequired', 'tooManyRequests') ||
	isStatus(status, 'badGateway', 'serviceUnavailable');
