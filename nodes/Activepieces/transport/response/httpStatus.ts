/**
 * What HTTP statuses mean: the one file that knows their numbers. What else tells what a response means, which is who
 * sent it and in which words, is in `response.ts` and in `errors/messageKind.ts`.
 */

/** What became of a request whose status may be another one a moment later */
type Transience = 'nothingDone' | 'maybeDone';

interface StatusMeaning {
	/** As HTTP calls it */
	name: string;
	/** The server, or the way to it, is at fault for the moment */
	transient?: Transience;
	/** What else fails in the same way: nothing but this one list, or every request to this server */
	concerns?: 'list' | 'server';
}

const STATUSES = {
	200: { name: 'ok' },
	204: { name: 'noContent' },
	400: { name: 'badRequest' },
	// The credential is not accepted.
	401: { name: 'unauthorized', concerns: 'server' },
	// The plan lacks a feature, or the room for one more.
	402: { name: 'paymentRequired', concerns: 'list' },
	// The role or the user lacks the right. What a project answers that was deleted, too (recorded).
	403: { name: 'forbidden', concerns: 'list' },
	// No such record, or no such endpoint, or a proxy that has lost its server.
	404: { name: 'notFound', concerns: 'list' },
	405: { name: 'methodNotAllowed' },
	407: { name: 'proxyAuthenticationRequired', concerns: 'server' },
	// The server gave up waiting for the request.
	408: { name: 'requestTimeout', transient: 'maybeDone' },
	// The state of the record forbids it.
	409: { name: 'conflict', concerns: 'list' },
	410: { name: 'gone' },
	413: { name: 'contentTooLarge' },
	414: { name: 'uriTooLong' },
	425: { name: 'tooEarly', transient: 'nothingDone' },
	429: { name: 'tooManyRequests', transient: 'nothingDone', concerns: 'server' },
	431: { name: 'headersTooLarge' },
	// Of one list: it is spoilt, for example by a row that cannot be decrypted, or for 504 it is long.
	500: { name: 'internalServerError' },
	502: { name: 'badGateway', transient: 'maybeDone', concerns: 'server' },
	// In the words of a proxy the server may have stopped after it did it; its own words are judged in `request/retry.ts`.
	503: { name: 'serviceUnavailable', transient: 'maybeDone', concerns: 'server' },
	504: { name: 'gatewayTimeout', transient: 'maybeDone' },
} as const satisfies Record<number, StatusMeaning>;

export type StatusName = (typeof STATUSES)[keyof typeof STATUSES]['name'];

const MEANINGS = new Map<unknown, StatusMeaning & { name: StatusName }>(
	Object.entries(STATUSES).map(([status, meaning]) => [Number(status), meaning]),
);

/** The name of a status; nothing for one that means nothing by itself. */
export const statusName = (status: unknown): StatusName | undefined => MEANINGS.get(status)?.name;

/** Whether a status has one of these names. */
export const isStatus = (status: unknown, ...names: Array<StatusName | undefined>): boolean => {
	const name = statusName(status);
	return name !== undefined && names.includes(name);
};

export const isSuccessStatus = (status: number): boolean => status >= 200 && status < 300;

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

export const isErrorStatus = (status: number): boolean => status >= 400;

export const isServerError = (status: number): boolean => status >= 500;

/** The request was sent elsewhere or refused, so that nothing was done. */
export const isTurnedAway = (status: number): boolean =>
	isRedirect(status) || (isErrorStatus(status) && !isServerError(status));

/** What Cloudflare answers for a server behind it that it cannot reach or understand. */
const isOfCloudflare = (status: number): boolean => status >= 520 && status <= 530;

/** What became of the request, of a status that may be another one a moment later; nothing for any other. */
export const transienceOf = (status: number): Transience | undefined =>
	MEANINGS.get(status)?.transient ?? (isOfCloudflare(status) ? 'maybeDone' : undefined);

/** Whether the status is that of one list, while others of the same server can be read. */
export const isOfOneList = (status: number | undefined): boolean =>
	MEANINGS.get(status)?.concerns === 'list';

/** Whether every request to the server gets it: a wrong key, too many requests, no server behind the proxy. */
export const isOfServer = (status: number | undefined): boolean =>
	MEANINGS.get(status)?.concerns === 'server';
