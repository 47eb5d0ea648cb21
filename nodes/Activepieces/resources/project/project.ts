import type { IDataObject } from 'n8n-workflow';

import { fetched, optionalId } from '../../descriptions/field';
import type { Locator } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import { allProjects, projectLocator } from '../../descriptions/project';
import { recordUrl } from '../../descriptions/webApp';
import type { ApiClient } from '../../transport/api/client';
import { LIST_PROJECTS } from '../../transport/api/projects';
import { inProject, type ApiRequest } from '../../transport/client/request';
import { errorOf, refusal } from '../../transport/errors/error';
import { toId } from '../../transport/ids';
import { nameAndId, someOf } from '../../transport/texts';
import { orNull, textOf } from '../../transport/values';

export const simplifyProject: Simplify = (project, source) => ({
	name: project.displayName ?? null,
	type: project.type ?? null,
	...orNull(project, 'externalId', 'created', 'updated'),
	url: recordUrl(source?.baseUrl, 'project', project),
	...orNull(project, 'ownerId', 'id'),
});

export const projectLabel = ({ displayName, id }: IDataObject): string =>
	nameAndId(textOf(displayName), textOf(id));

/** The project of a list of records; without one, those of all projects are returned. */
export const projectToList = (records: string, short = records): Locator => ({
	...projectLocator,
	description: `The project to get the ${records} from`,
	hint: `Leave empty for the ${short} of all projects`,
});

export const ownProjectLocator: Locator = {
	...projectLocator,
	description: 'The project to change',
	required: true,
};

/** Personal projects cannot be deleted. */
export const teamProjectLocator: Locator = {
	...ownProjectLocator,
	description: 'The team project to delete',
	searchMethod: 'searchTeamProjects',
	sources: () => [{ ...allProjects, request: { ...LIST_PROJECTS, query: { types: 'TEAM' } } }],
};

/** The project in which a record is created. */
export const newProject = (description: string) => {
	const locator: Locator = {
		...projectLocator,
		description,
		hint: 'Leave empty if you have access to only one project',
		emptyMeans: 'the only project',
	};
	return fetched(
		{ id: optionalId(locator) },
		async ({ id }, { client }) => await projectForNew(client, id, locator.displayName),
	);
};

/** What an item counts: the records of a project, or of all that the credential may see. */
interface CountedProjects {
	/** Null for several projects, or none */
	projectId: string | null;
	/** Sends a request for each project. All of them leave out those that were deleted meanwhile */
	ofEach<T>(request: ApiRequest, send: (ofProject: ApiRequest) => Promise<T>): Promise<T[]>;
}

export const projectsToCount = (records: string, short = records) => {
	const locator: Locator = {
		...projectToList(records, short),
		description: `The project to count the ${short} of`,
	};
	return fetched(
		{ id: optionalId(locator) },
		async ({ id }, { client }): Promise<CountedProjects> => {
			const projects = id === undefined ? await client.fetchProjects() : undefined;
			if (projects === undefined) {
				const project = await projectForNew(client, id, locator.displayName);
				const { id: projectId } = project;
				return {
					projectId,
					ofEach: async (request, send) => [await send(inProject(request, project))],
				};
			}
			return {
				projectId: projects.length === 1 ? projects[0].id : null,
				ofEach: async (request, send) =>
					await client.readEachProject(
						projects,
						async (project) => await send(inProject(request, project, projects.length)),
					),
			};
		},
	);
};

/** A project, and the field in which a person chooses it, for messages. */
export interface ChosenProject {
	id: string;
	field: string;
}

/** What messages say of a record that is created in a project. */
export const subjectInProject = (noun: string, { id, field }: ChosenProject) => ({
	noun,
	field,
	container: { noun: 'project', id },
});

/**
 * The project in which a record is created: the one that the item names, or the only one that the credential may
 * see.
 *
 * @throws {ActivepiecesError} when the item names none, and there is none or more than one
 */
async function projectForNew(
	client: ApiClient,
	given: string | undefined,
	field: string,
): Promise<ChosenProject> {
	if (given !== undefined) return { id: given, field };
	const projects = await client.fetchProjectsOnce();
	if (projects === undefined) {
		throw errorOf(
			'This Activepieces server cannot list its projects, so you must enter a project ID',
			`Enter the ID of a project in ${field}.`,
		);
	}
	if (projects.length === 1) return { id: projects[0].id, field };
	if (projects.length === 0) {
		throw errorOf(
			'The credential does not have access to any project',
			`Choose another credential, or enter the ID of a project in ${field}.`,
		);
	}
	const names = projects.map(({ name, id }) => nameAndId(name, id));
	throw refusal(
		`${field} is empty, and there are ${projects.length} projects`,
		`Choose one in ${field}: ${someOf(names, 'or one of ')}.`,
	);
}

export const projectNameOf = (
	{ projectId }: IDataObject,
	source?: Pick<ApiClient, 'projectNames'>,
) => source?.projectNames.get(toId(projectId) ?? '') ?? null;

/**
 * Fills `client.projectNames`, as far as the key may list the projects. They are read once for all input items of
 * a run, with one request for a thousand projects, also if that fails: otherwise each item would wait for a list
 * that does not arrive.
 */
export async function loadProjectNames(client: ApiClient): Promise<void> {
	await client.cached('project names', async () => {
		await client.fetchProjectsOnce().catch(() => undefined);
	});
}

/** Adds the names that were not known when the records were simplified. Names that cannot be read stay null. */
export async function fillProjectNames(client: ApiClient, records: IDataObject[]): Promise<void> {
	const unnamed = records.filter(
		({ projectId, projectName }) => projectName === null && projectId !== null,
	);
	if (unnamed.length === 0) return;
	await loadProjectNames(client);
	for (const record of unnamed) record.projectName = projectNameOf(record, client);
}
