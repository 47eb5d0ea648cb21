import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { listProjects } from '../../transport/paging/projects';

/** What a list of projects may answer to somebody who may use one of them: not allowed, or no such route. */
const REFUSED_STATUSES = [402, 403, 404, 409];

/** The names of the projects by id, as far as the key may see them; none where it may not list them. */
export async function projectNames(client: ApiClient): Promise<Map<string, string>> {
	const projects = await listProjects(client).catch((error: unknown) => {
		const status = error instanceof ActivepiecesError ? (error.httpStatus ?? 0) : 0;
		if (REFUSED_STATUSES.includes(status)) return undefined;
		throw error;
	});
	return new Map(projects?.map(({ id, name }) => [id, name]));
}
