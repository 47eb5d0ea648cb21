import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { fetchProjects } from '../../transport/paging/projects';
import { shortName, someOf } from '../../transport/values/plainText';
import { fetchProjectNames } from './projectNames';

/**
 * The ID of the only project that the credential may see, for a field that was left empty.
 *
 * @param field display name of the field
 * @throws {ActivepiecesError} when there is none, or more than one
 */
export async function fetchOnlyProject(client: ApiClient, field: string): Promise<string> {
	// Read once for all input items. If reading the names fails, the list below reports why.
	const names = await fetchProjectNames(client);
	const projects =
		names.size > 0 ? [...names].map(([id, name]) => ({ id, name })) : await fetchProjects(client);
	if (projects === undefined) {
		throw new ActivepiecesError({
			message: 'This Activepieces server cannot list its projects, so you must enter a project ID',
			description: `Enter the ID of a project in ${field}.`,
		});
	}
	if (projects.length === 1) return projects[0].id;
	if (projects.length === 0) {
		throw new ActivepiecesError({
			message: 'The credential does not have access to any project',
			description: `Choose another credential, or enter the ID of a project in ${field}.`,
		});
	}
	const { named, others } = someOf(projects.map(({ name }) => `"${shortName(name)}"`));
	throw new ActivepiecesError({
		message: `${field} is empty, and there are ${projects.length} projects`,
		description: `Choose one in ${field}: ${named.join(', ')}${others > 0 ? ` or one of ${others} more` : ''}. Nothing was changed.`,
	});
}
