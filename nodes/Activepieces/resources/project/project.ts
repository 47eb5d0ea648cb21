import { type Locator, locatorField, nameOf } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import type { Endpoint } from '../../transport/endpoint';
import { LIST_PROJECTS } from '../../transport/projects';
import { recordUrl } from '../../transport/recordUrl';

/** Missing in Enterprise up to 0.73 and in Community up to 0.76 (recorded, read in the service's source). */
export const GET_PROJECT: Endpoint = { method: 'GET', path: '/v1/projects/{id}' };

/** Community has it from 0.80 on, for one team project (recorded). */
export const CREATE_PROJECT: Endpoint = {
	method: 'POST',
	path: '/v1/projects',
	feature: 'team projects',
	means: { planFeature: 'planProjects', planLimit: 'planProjects' },
};

export const UPDATE_PROJECT: Endpoint = { method: 'POST', path: '/v1/projects/{id}' };

/** Also deletes the flows, runs and connections of the project (recorded). */
export const DELETE_PROJECT: Endpoint = {
	method: 'DELETE',
	path: '/v1/projects/{id}',
	feature: 'team projects',
};

/** The fields of a project that a person reads. Missing fields are null. */
export const simplifyProject: Simplify = (project, source) => ({
	id: project.id ?? null,
	name: project.displayName ?? null,
	type: project.type ?? null,
	// In 0.73 empty for no external ID (recorded).
	externalId: project.externalId === '' ? null : (project.externalId ?? null),
	ownerId: project.ownerId ?? null,
	created: project.created ?? null,
	updated: project.updated ?? null,
	url: recordUrl(source?.baseUrl, 'project', project),
});

/** Operations describe themselves what they need the project for. */
export const projectLocator: Locator = {
	name: 'projectId',
	displayName: 'Project',
	noun: 'project',
	description: 'The project to operate on',
	required: false,
	page: 'project',
	searchMethod: 'searchProjects',
	sources: () => [
		{
			key: 'all',
			request: LIST_PROJECTS,
			isPaged: true,
			label: (project) => nameOf(project),
			search: { parameter: 'displayName' },
		},
	],
};

/** The project that an operation changes. */
export const ownProjectLocator: Locator = { ...projectLocator, required: true };

export const ownProjectField = locatorField(ownProjectLocator);
