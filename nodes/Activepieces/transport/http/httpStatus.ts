/**
 * The names of HTTP statuses. `verdict.ts` says what they mean for a request; `response.ts` and
 * `errors/` interpret the rest of a response: its sender and its text.
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
	500: 'internalServerError',
	502: 'badGateway',
	503: 'serviceUnavailable',
	504: 'gatewayTimeout',
} as const;

/** Cloudflare's, for a server that it cannot reach */
const FIRST_UNREACHABLE = 520;
const LAST_UNREACHABLE = 530;

const CLASSES = ['informational', 'success', 'redirect', 'clientError', 'serverError'] as const;

export type StatusName = (typeof STATUSES)[keyof typeof STATUSES] | 'unreachableOrigin';
export type StatusClass = (typeof CLASSES)[number];

export function namesOfStatus(status: number): [name: StatusName | undefined, of: StatusClass] {
	const isUnreachable = status >= FIRST_UNREACHABLE && status <= LAST_UNREACHABLE;
	const name = (STATUSES as Record<number, StatusName | undefined>)[status];
	const of = CLASSES[Math.floor(status / 100) - 1] ?? 'serverError';
	return [isUnreachable ? 'unreachableOrigin' : name, of];
}

export function isStatus(
	status: unknown,
	...names: Array<StatusName | StatusClass | undefined>
): boolean {
	if (typeof status !== 'number') return false;
	const [name, of] = namesOfStatus(status);
	return names.includes(of) || (name !== undefined && names.includes(name));
}
