import type { ApiClient } from '../../transport/client';
import { isListRefused } from '../../transport/errors/errorScope';
import { fetchProjects } from '../../transport/paging/projects';

/** The names of the projects by id, as far as the key may see them; none where it may not list them. */
export async function projectNames(client: ApiClient): Promise<Map<string, string>> {
	const projects = await fetchProjects(client).catch((error: unknown) => {
		if (isListRefused(error)) return undefined;
		throw error;
	});
	return new Map(projects?.map(({ id, name }) => [id, name]));
}
