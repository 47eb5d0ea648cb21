import { namedOptions } from '../../descriptions/fields';
import type { ApiClient } from '../../transport/client/client';
import { serverOf } from '../../transport/client/server';
import { ActivepiecesError } from '../../transport/errors/error';
import { isStatus } from '../../transport/http/httpStatus';
import { textOf } from '../../transport/values';

export const FAILED_STATUSES = [
	'FAILED',
	'INTERNAL_ERROR',
	'LOG_SIZE_EXCEEDED',
	'MEMORY_LIMIT_EXCEEDED',
	'QUOTA_EXCEEDED',
	'TIMEOUT',
];

/** The status that only newer releases know; 0.73 refuses a list of runs with it (recorded). */
const NEWER_STATUS = 'LOG_SIZE_EXCEEDED';

/** The statuses of a waiting run. Only such runs can be canceled (recorded). */
export const WAITING_STATUSES = ['PAUSED', 'QUEUED'];

/** The statuses of a run, with the names that the web app of Activepieces uses. */
export const runStatuses = namedOptions(
	...['CANCELED', 'RUNNING', 'SUCCEEDED', ...FAILED_STATUSES, ...WAITING_STATUSES].sort(),
).map((option) =>
	option.value === NEWER_STATUS
		? { ...option, description: 'Not available on Activepieces 0.73' }
		: option,
);

export const isUnfinished = (status: unknown): boolean =>
	[...WAITING_STATUSES, 'RUNNING'].includes(textOf(status));

export const isWaiting = (status: unknown): boolean => WAITING_STATUSES.includes(textOf(status));

export const hasFailed = (status: unknown): boolean => FAILED_STATUSES.includes(textOf(status));

/**
 * Requests runs with these statuses. A release that does not know all of them refuses the list (400,
 * recorded at 0.73). The request is then repeated without the newer status, and later requests leave
 * it out for some time.
 */
export async function withAcceptedStatuses<T>(
	{ baseUrl }: ApiClient,
	statuses: string[],
	ask: (statuses: string[]) => Promise<T>,
): Promise<T> {
	const others = new Set(statuses);
	// A server that refuses the newer status has no runs with it alone, and the person has to know that.
	if (!others.delete(NEWER_STATUS) || others.size === 0) return await ask(statuses);
	const older = [...others];
	const server = serverOf(baseUrl);
	if (server.refusesNewStatuses) return await ask(older);
	return await ask(statuses).catch(async (error: unknown) => {
		const isRefused =
			error instanceof ActivepiecesError && isStatus(error.httpStatus, 'badRequest');
		if (!isRefused) throw error;
		// If the reason was something else, this throws it. Nothing was taken of the refused list.
		const answer = await ask(older);
		server.refusesNewStatuses = true;
		return answer;
	});
}
