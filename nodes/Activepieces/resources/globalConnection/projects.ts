import { optionListField, type OptionList } from '../../descriptions/locator';
import { splitList, toIdText } from '../../descriptions/parameters';
import type { ApiClient } from '../../transport/client/client';
import { fetchIdsOnce } from '../../transport/lists/pages';
import { LIST_PROJECTS } from '../../transport/lists/projects';
import { shortName, someOf } from '../../transport/text';
import { allProjects } from '../project/project';
import { refusal } from '../refusals';

export const projectOptions: OptionList = {
	noun: 'projects',
	loadMethod: 'getProjects',
	sources: () => [allProjects],
};

export const PROJECTS = { displayName: 'Project Names or IDs', name: 'projectIds' };

export const projectsField = (purpose: string) =>
	optionListField(projectOptions, PROJECTS, purpose);

export const projectIdsOf = ({ projectIds }: { projectIds?: unknown }): string[] =>
	Array.isArray(projectIds) ? (projectIds as string[]) : [];

/** Each project once, because the service refuses one that is named twice (recorded). */
export const toProjectIds = (label: string, value: unknown): string[] => [
	...new Set(splitList(label, value, toIdText)),
];

/**
 * Checks projects before a secret is stored, because the service gets those of an existing connection with a second
 * request. Not `fetchProjects`: up to 0.73 a global connection may have projects that its session token cannot use.
 *
 * @throws {ActivepiecesError} when one is not in the list of projects
 */
export async function assertProjects(client: ApiClient, ids: string[]): Promise<void> {
	const known = await fetchIdsOnce(client, LIST_PROJECTS);
	const unknown = ids.filter((id) => !known.has(id)).map((id) => `"${shortName(id)}"`);
	if (unknown.length === 0) return;
	throw refusal(
		unknown.length === 1
			? `Project ${unknown[0]} was not found`
			: `Projects ${someOf(unknown)} were not found`,
		'Choose the projects from the list, or enter their IDs instead of names or URLs. A project may have been deleted, or may belong to another Activepieces platform.',
	);
}
