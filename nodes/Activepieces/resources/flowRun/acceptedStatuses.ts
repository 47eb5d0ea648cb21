import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';
import { isStatus } from '../../transport/response/httpStatus';
import { createExpiringMap } from '../../transport/values/expiringMap';
import { NEWER_STATUSES } from './statuses';

/** Base URLs of servers that refuse the newer statuses. They are not asked for them for some time. */
const refusing = createExpiringMap<true>(() => limits.serverKnowledgeTtlMs);

/**
 * Requests runs with these statuses. A release that does not know all of them refuses the list (400,
 * recorded at 0.73). The request is then repeated without the newer statuses, and later requests leave
 * them out for some time.
 */
export async function withAcceptedStatuses<T>(
	{ baseUrl }: ApiClient,
	statuses: string[],
	ask: (statuses: string[]) => Promise<T>,
): Promise<T> {
	const older = statuses.filter((status) => !NEWER_STATUSES.includes(status));
	// Such a server has no runs with the newer statuses only, and the person has to know that.
	if (older.length === 0 || older.length === statuses.length) return await ask(statuses);
	if (refusing.get(baseUrl)) return await ask(older);
	return await ask(statuses).catch(async (error: unknown) => {
		const isRefused =
			error instanceof ActivepiecesError && isStatus(error.httpStatus, 'badRequest');
		if (!isRefused) throw error;
		// If the reason was something else, this throws it.
		const answer = await ask(older);
		refusing.set(baseUrl, true);
		return answer;
	});
}
