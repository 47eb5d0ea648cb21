import { readProjects } from '../transport/lists';
import type { Session } from '../transport/session';
import { nameOf, type Source } from './search';

/**
 * One source per project, for lists that the service gives only by project.
 *
 * @throws {NodeApiError} on a service without the list of projects
 */
export async function sourcesPerProject(
	session: Session,
	noun: string,
	source: (projectId: string, projectName: string) => Source,
): Promise<Source[]> {
	const projects = await readProjects(session);
	if (projects === undefined) {
		throw session.error(
			{
				message: `This Activepieces server has no list of projects, so ${noun} cannot be listed`,
				description:
					'Enter the ID with By ID instead. The list of projects needs the Enterprise or Cloud edition.',
			},
			404,
		);
	}
	return projects.map((project) => source(String(project.id), nameOf(project)));
}
