import type { IDataObject } from 'n8n-workflow';

import { named, updates } from '../../descriptions/field';
import {
	choice,
	ifExists,
	metadata,
	nameFilter,
	newMetadata,
	newText,
	recordName,
	text,
} from '../../descriptions/kinds';
import { projectLocator } from '../../descriptions/project';
import type { ApiClient } from '../../transport/api/client';
import { LIST_PROJECTS } from '../../transport/api/projects';
import type { ApiRequest, Endpoint } from '../../transport/client/request';
import { errorOf, refusal, validationError } from '../../transport/errors/error';
import { mayMatchLike } from '../../transport/names';
import { shortName } from '../../transport/texts';
import { textOf } from '../../transport/values';
import { deleteOperation, listOperation, operation, type Resource } from '../operation';
import { ownProjectLocator, projectLabel, simplifyProject, teamProjectLocator } from './project';

const filters = {
	displayName: nameFilter('displayName', 'projects', 'e.g. Marketing'),
	types: choice('Type', 'type', {
		options: [
			['Personal', 'PERSONAL', "A user's own project"],
			['Team', 'TEAM', 'A project that users share'],
		],
		default: 'TEAM',
		description: 'Return only projects of this type',
	}),
};

const getAll = listOperation({
	description: 'Get the projects that the credential has access to',
	hint: 'Returns one item per project: the team projects, and the personal project of every user',
	toolDescription: 'Returns the Activepieces projects that the credential has access to',
	request: LIST_PROJECTS,
	filters,
	simplify: simplifyProject,
	// Community up to 0.79 returns its one project whatever the filters (recorded).
	select: ({ displayName: part, types }) => ({
		convert: (project) =>
			mayMatchLike(textOf(part), textOf(project.displayName)) &&
			(types === undefined || types === project.type)
				? project
				: undefined,
		mayDrop: (part ?? types) !== undefined,
	}),
});

/** @throws {ValidationError} for a name that the service refuses, such as one with a slash (recorded) */
function assertProjectName(label: string, name: string): void {
	if (!/[./]/.test(name)) return;
	throw validationError(
		`${label} has a dot or a slash, which Activepieces does not accept in the name of a project`,
		`Change ${label}.`,
	);
}

const projectName = recordName(
	'Name',
	'project',
	{ placeholder: 'e.g. Customer 42' },
	'displayName',
	assertProjectName,
);

const projectExternalId = text('External ID', 'externalId', {
	placeholder: 'e.g. customer-42',
});

/** Community has it from 0.80 on, for one team project (recorded). */
const CREATE_PROJECT: Endpoint = {
	method: 'POST',
	path: '/v1/projects',
	feature: 'team projects',
	// A code of the database: another project has the external ID. The status is 500 (recorded).
	isNotDone: ({ code }) => code === '23505',
	rules: [
		{
			from: 'service',
			status: 'paymentRequired',
			message: 'The Activepieces plan does not allow another team project',
			description:
				'The Community edition allows one team project. Use the existing project, or a plan that allows more.',
		},
	],
};

/**
 * Finds the project with an external ID. Community up to 0.79 lists its project whatever the filter
 * (recorded).
 */
const fetchProjectByExternalId = async (client: ApiClient, externalId: string) =>
	await client.findInList(
		{ ...LIST_PROJECTS, query: { externalId } },
		(each) => each.externalId === externalId,
	);

const create = operation({
	name: 'Create',
	value: 'create',
	description: 'Create a team project',
	hint: 'Without External ID, each run of this node creates another project',
	toolDescription:
		'Creates an Activepieces team project and returns it. Several projects can have the same name, but not the same external ID',
	endpoint: CREATE_PROJECT,
	fields: {
		displayName: projectName.with({
			description:
				'The name of the project, without dots or slashes. Several projects can have the same name.',
		}),
		externalId: projectExternalId.with({
			description:
				'An ID from your own system, such as a customer ID. No two projects can have the same external ID.',
		}),
		existing: ifExists(
			'If External ID Exists',
			'Project',
			'What to do if a project already has that external ID',
		),
		metadata: metadata('project'),
	},
	simplify: simplifyProject,
	async record({ displayName, externalId, existing: ifThere, metadata: given }, { client }) {
		const hasId = externalId !== '';
		if (ifThere === 'use' && !hasId) {
			throw validationError(
				'External ID is empty',
				'Use Existing Project finds a project by its external ID. Without one, each run would create another project. Change External ID, or set If External ID Exists to Return an Error.',
			);
		}
		const change = `the project "${shortName(displayName)}" was created`;
		return await client.makeChange({
			idempotency: { key: externalId, change, lookIn: 'the projects', isIdempotent: hasId },
			// Only the external ID shows whether the project was created.
			find: async () => (hasId ? await fetchProjectByExternalId(client, externalId) : undefined),
			madeByOther: ['conflict', 'internalServerError'],
			onExisting(existing) {
				if (ifThere === 'use') return existing;
				throw refusal(
					`The project ${projectLabel(existing)} already has this external ID`,
					'Change External ID, or set If External ID Exists to Use Existing Project.',
				);
			},
			send: async () =>
				await client.requestRecord({
					endpoint: CREATE_PROJECT,
					body: { displayName, ...(hasId ? { externalId } : {}), ...given },
					subject: { noun: 'project' },
				}),
		});
	},
});

const UPDATE_PROJECT: Endpoint = {
	method: 'POST',
	path: '/v1/projects/{id}',
	rules: [
		{
			status: 'conflict',
			code: 'PROJECT_EXTERNAL_ID_ALREADY_EXISTS',
			message: 'Another project already has this external ID',
			description: `Change ${projectExternalId.label}.`,
		},
	],
};

const update = operation({
	name: 'Update',
	value: 'update',
	description: 'Change the name, the external ID or the metadata of a project',
	toolDescription:
		'Immediately changes the name, external ID or metadata of the Activepieces project with the given ID and returns the project. New metadata replaces all existing metadata',
	endpoint: UPDATE_PROJECT,
	fields: {
		target: named(ownProjectLocator),
		changes: updates({
			displayName: projectName.with({
				description:
					'The new name, without dots or slashes. Personal projects cannot be renamed, because Activepieces names them after their users.',
			}),
			// An empty one would remove it in some releases and is refused by others (recorded for null).
			externalId: newText('External ID', 'externalId', 'an external ID', {
				placeholder: 'e.g. customer-42',
				description: 'The new external ID. It must be unique.',
			}),
			metadata: newMetadata('project', '. Replaces the existing metadata.'),
		}),
	},
	simplify: simplifyProject,
	async record({ target, changes }, { client }) {
		const request = { endpoint: UPDATE_PROJECT, ...target, body: changes };
		const project = await client.requestRecord(request);
		// The response for a personal project still has its old name (recorded in every edition).
		if (changes.displayName !== undefined && textOf(project.displayName) !== changes.displayName) {
			const others = Object.keys(changes).length > 1 ? ' The other fields were changed.' : '';
			throw errorOf(
				`Activepieces did not change the name of the project ${projectLabel(project)}`,
				`Activepieces names personal projects after their users. Choose a team project, or remove Name from Update Fields.${others}`,
			);
		}
		return project;
	},
});

const GET_PROJECT: Endpoint = { method: 'GET', path: '/v1/projects/{id}' };

/** Deletes a team project. It reads the project first, because a personal project has another message. */
async function deleteProject(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	const { id, subject } = request;
	const project = await client.requestRecord({ endpoint: GET_PROJECT, id, subject });
	const label = `The project ${projectLabel(project)}`;
	if (project.type !== 'TEAM') {
		const what = project.type === 'PERSONAL' ? 'is a personal project' : 'has an unknown type';
		throw refusal(`${label} ${what}`, 'The node deletes team projects only.');
	}
	return await client.deleteRecord(request);
}

const remove = deleteOperation({
	description: 'Permanently delete a team project, including its flows, runs and connections',
	hint: 'Deletes one team project per input item, including all its flows, runs and connections. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces team project with the given ID, including all its flows, runs and connections, and returns {"deleted": true}. Personal projects cannot be deleted',
	endpoint: { method: 'DELETE', path: '/v1/projects/{id}', feature: 'team projects' },
	fields: { project: named(teamProjectLocator) },
	remove: deleteProject,
});

export const project: Resource = {
	name: 'Project',
	value: 'project',
	locators: [projectLocator, teamProjectLocator],
	operations: [getAll, create, update, remove],
};
