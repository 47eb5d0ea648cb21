import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';
import { isStatus } from '../../transport/response/httpStatus';
import { createExpiringMap } from '../../transport/values/expiringMap';
import { NEWER_STATUSES } from './statuses';

/** Base URLs of servers that refuse the newer statuses, which are not asked for them for a while. */
const refusing = createExpiringMap<true>(() => limits.serverKnowledgeTtlMs);

/**
 * Asks for runs of these statuses. A release that does not know all of them refuses the list (400, recorded
 * on 0.73). It is asked again without the newer ones, and for a while without them at once.
 */
export async function withAcceptedStatuses<T>(
	{ baseUrl }: ApiClient,
	statuses: string[],
	ask: (statuses: string[]) => Promise<T>,
): Promise<T> {
	const older = statuses.filter((status) => !NEWER_STATUSES.includes(status));
	// Runs of the newer ones alone are not to be had there, and the person has to know.
	if (older.length === 0 || older.length === statuses.length) return await ask(statuses);
	if (refusing.get(baseUrl)) return await ask(older);
	return await ask(statuses).catch(async (error: unknown) => {
		const isRefused =
			error instanceof ActivepiecesError && isStatus(error.httpStatus, 'badRequest');
		if (!isRefused) throw error;
		// Should it be about something else, it is thrown from here.
		const answer = await ask(older);
		refusing.set(baseUrl, true);
		return answer;
	});
}
