import type { IDataObject } from 'n8n-workflow';

import { choices, ifExistsField, optionsField, textField } from '../../descriptions/fields';
import { type Filter, filter, nameFilter } from '../../descriptions/filters';
import { locatorField, requestTarget, type RequestTarget } from '../../descriptions/locator';
import { metadataFields, readMetadata, toMetadata } from '../../descriptions/metadata';
import { getOption, toText } from '../../descriptions/parameters';
import { toRecordName } from '../../descriptions/recordName';
import { getUpdate, toNewText, updateFields } from '../../descriptions/updateFields';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import { expectDeleted, expectRecord, requestRecord } from '../../transport/client/record';
import type { ApiRequest, Endpoint } from '../../transport/client/request';
import { validationError } from '../../transport/errors/error';
import { type Condition, hasStatus, when } from '../../transport/errors/rule';
import { isStatus } from '../../transport/http/httpStatus';
import type { ApiResponse } from '../../transport/http/response';
import { toId } from '../../transport/id';
import { findInList } from '../../transport/lists/pages';
import { LIST_PROJECTS } from '../../transport/lists/projects';
import { shortName } from '../../transport/text';
import { textOf } from '../../transport/values';
import { deleteOperation } from '../deleteOperation';
import { listOperation } from '../listOperation';
import type { Resource } from '../operation';
import { recordOperation } from '../recordOperation';
import { errorOf, refusal, unconfirmed } from '../refusals';
import {
	ownProjectLocator,
	projectLabel,
	projectLocator,
	simplifyProject,
	teamProjectLocator,
} from './project';

const filters: Filter[] = [
	nameFilter('displayName', 'projects', 'e.g. Marketing'),
	filter(
		optionsField('Type', 'type', {
			options: choices(
				['Personal', 'PERSONAL', "A user's own project"],
				['Team', 'TEAM', 'A project that users share'],
			),
			default: 'TEAM',
			description: 'Return only projects of this type',
		}),
		'types',
	),
];

const getAll = listOperation({
	description: 'Get the projects that the credential has access to',
	hint: 'Returns one item per project: the team projects, and the personal project of every user',
	toolDescription: 'Returns the Activepieces projects that the credential has access to',
	request: LIST_PROJECTS,
	filters,
	simplify: simplifyProject,
	// Community up to 0.79 returns its one project whatever the filters (recorded).
	select: ({ displayName: part, types }) => ({
		take: (project) =>
			// Only the service knows the wildcards of its database.
			(/[%_]/.test(textOf(part)) ||
				textOf(project.displayName).toLowerCase().includes(textOf(part).toLowerCase())) &&
			(types === undefined || types === project.type)
				? project
				: undefined,
		mayDrop: (part ?? types) !== undefined,
	}),
});

/** Fields of a project that Create and Update share, without their descriptions. */
const projectNameField = textField('Name', 'displayName', {
	placeholder: 'e.g. Customer 42',
});

const projectExternalIdField = textField('External ID', 'externalId', {
	placeholder: 'e.g. customer-42',
});

/** @throws {ValidationError} for a name that the service refuses, such as one with a slash (recorded) */
function toProjectName(value: unknown): string {
	const name = toRecordName(projectNameField.displayName, value, 'project');
	if (!/[./]/.test(name)) return name;
	throw validationError(
		`${projectNameField.displayName} has a dot or a slash, which Activepieces does not accept in the name of a project`,
		`Change ${projectNameField.displayName}.`,
	);
}

const toExternalId = (value: unknown): string =>
	toText(projectExternalIdField.displayName, value ?? '');

/** Community has it from 0.80 on, for one team project (recorded). */
const CREATE_PROJECT: Endpoint = {
	method: 'POST',
	path: '/v1/projects',
	feature: 'team projects',
	rules: [
		when([hasStatus('paymentRequired'), ({ isHtml }) => !isHtml], () => ({
			message: 'The Activepieces plan does not allow another team project',
			description:
				'The Community edition allows one team project. Use the existing project, or a plan that allows more.',
		})),
	],
};

const ifIdExists = ifExistsField(
	'If External ID Exists',
	'Project',
	'What to do if a project already has that external ID',
);

/**
 * Finds the project with an external ID. Community up to 0.79 lists its project whatever the filter
 * (recorded).
 */
const fetchProjectByExternalId = async (client: ApiClient, externalId: string) =>
	await findInList(
		client,
		{ ...LIST_PROJECTS, query: { externalId } },
		(each) => each.externalId === externalId,
	);

async function createProject(context: OperationContext): Promise<IDataObject> {
	const { client, tried } = context;
	const displayName = toProjectName(context.get('displayName', ''));
	const externalId = toExternalId(context.get('externalId', ''));
	const ifExists = getOption(context, ifIdExists);
	const metadata = readMetadata(context.get('metadata', '{}'));
	if (ifExists === 'use' && externalId === '') {
		throw validationError(
			'External ID is empty',
			'Use Existing Project finds a project by its external ID. Without one, each run would create another project. Change External ID, or set If External ID Exists to Return an Error.',
		);
	}
	const before = tried.keepBefore({ displayName, externalId });
	// Only the external ID shows whether an earlier try created the project.
	if (tried.isInDoubt && (externalId === '' || before.externalId !== externalId)) {
		throw unconfirmed(
			`the project "${shortName(textOf(before.displayName))}" was created`,
			'the projects',
		);
	}
	// The service responds with 500 for an existing external ID (recorded).
	const existing =
		externalId === '' ? undefined : await fetchProjectByExternalId(client, externalId);
	if (existing === undefined) {
		return await requestRecord(client, {
			endpoint: CREATE_PROJECT,
			body: {
				displayName,
				...(externalId === '' ? {} : { externalId }),
				...metadata,
			},
			subject: { noun: 'project' },
		});
	}
	if (ifExists === 'use' || tried.isInDoubt) return existing;
	throw refusal(
		`The project ${projectLabel(existing)} already has this external ID`,
		'Change External ID, or set If External ID Exists to Use Existing Project.',
	);
}

const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create a team project',
	hint: 'Without External ID, each run of this node creates another project',
	toolDescription:
		'Creates an Activepieces team project and returns it. Several projects can have the same name, but not the same external ID',
	endpoint: CREATE_PROJECT,
	properties: [
		{
			...projectNameField,
			required: true,
			description:
				'The name of the project, without dots or slashes. Several projects can have the same name.',
		},
		{
			...projectExternalIdField,
			description:
				'An ID from your own system, such as a customer ID. No two projects can have the same external ID.',
		},
		ifIdExists,
		...metadataFields('project'),
	],
	simplify: simplifyProject,
	record: createProject,
});

const isIdTaken: Condition<ApiResponse> = ({ status, code }) =>
	isStatus(status, 'conflict') && code === 'PROJECT_EXTERNAL_ID_ALREADY_EXISTS';

const UPDATE_PROJECT: Endpoint = {
	method: 'POST',
	path: '/v1/projects/{id}',
	rules: [
		when([isIdTaken], () => ({
			message: 'Another project already has this external ID',
			description: `Change ${projectExternalIdField.displayName}.`,
		})),
	],
};

const readers = {
	displayName: toProjectName,
	// An empty one would remove it in some releases and is refused by others (recorded for null).
	externalId: (value: unknown) => toNewText(projectExternalIdField, 'an external ID', value),
	metadata: toMetadata,
};

const FIELDS = `${projectNameField.displayName}, ${projectExternalIdField.displayName} or Metadata`;

const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Change the name, the external ID or the metadata of a project',
	toolDescription:
		'Immediately changes the name, external ID or metadata of the Activepieces project with the given ID and returns the project. New metadata replaces all existing metadata',
	endpoint: UPDATE_PROJECT,
	properties: [
		locatorField(ownProjectLocator),
		updateFields([
			{ ...projectExternalIdField, description: 'The new external ID. It must be unique.' },
			...metadataFields('project', '. Replaces the existing metadata.'),
			{
				...projectNameField,
				description:
					'The new name, without dots or slashes. Personal projects cannot be renamed, because Activepieces names them after their users.',
			},
		]),
	],
	simplify: simplifyProject,
	async record(context) {
		const { client } = context;
		const body = getUpdate(context, readers, FIELDS);
		const target = requestTarget(context, ownProjectLocator);
		const project = await requestRecord(client, { endpoint: UPDATE_PROJECT, ...target, body });
		// The response for a personal project still has its old name (recorded in every edition).
		if (body.displayName !== undefined && textOf(project.displayName) !== body.displayName) {
			const others = Object.keys(body).length > 1 ? ' The other fields were changed.' : '';
			throw errorOf(
				`Activepieces did not change the name of the project ${projectLabel(project)}`,
				`Activepieces names personal projects after their users. Choose a team project, or remove ${projectNameField.displayName} from Update Fields.${others}`,
			);
		}
		return project;
	},
});

/** Missing in Enterprise up to 0.73 and in Community up to 0.76 (recorded, read in the service's source). */
const GET_PROJECT: Endpoint = { method: 'GET', path: '/v1/projects/{id}' };

/**
 * Fetches a project, from the list if the server has no request for one project.
 *
 * @returns undefined when the list does not have it
 */
async function fetchProject(client: ApiClient, { id, subject }: RequestTarget) {
	const request = { endpoint: GET_PROJECT, id, subject };
	const response = await client.requestIfPresent(request);
	if (response !== undefined) return expectRecord(client, request, response);
	const wanted = toId(id);
	return await findInList(client, LIST_PROJECTS, (each) => toId(each.id) === wanted);
}

/**
 * Deletes a team project. It reads the project first, because 0.73 also deletes the personal project of
 * a user, and reports an unknown project as deleted (recorded).
 */
async function deleteProject(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	const project = await fetchProject(client, request);
	if (project === undefined) {
		throw errorOf(
			`The credential does not have access to a project with the ID ${textOf(request.id)}`,
			`Choose the project from the list in ${teamProjectLocator.displayName}. Nothing was deleted.`,
			{ isRecordUnknown: true },
		);
	}
	const label = `The project ${projectLabel(project)}`;
	if (project.type !== 'TEAM') {
		const what = project.type === 'PERSONAL' ? 'is a personal project' : 'has an unknown type';
		throw refusal(`${label} ${what}`, 'The node deletes team projects only.');
	}
	const response = await client.request(request);
	if (isStatus(response.status, 'conflict') && response.message === 'PROJECT_HAS_ENABLED_FLOWS') {
		throw refusal(
			`${label} has enabled flows`,
			'This Activepieces release can delete only projects without enabled flows. Disable the flows of the project first, for example with Flow > Enable or Disable.',
		);
	}
	return expectDeleted(client, request, response);
}

const remove = deleteOperation({
	description: 'Permanently delete a team project, including its flows, runs and connections',
	hint: 'Deletes one team project per input item, including all its flows, runs and connections. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces team project with the given ID, including all its flows, runs and connections, and returns {"deleted": true}. Personal projects cannot be deleted',
	endpoint: { method: 'DELETE', path: '/v1/projects/{id}', feature: 'team projects' },
	target: teamProjectLocator,
	remove: deleteProject,
});

export const project: Resource = {
	name: 'Project',
	value: 'project',
	locators: [projectLocator, teamProjectLocator],
	operations: [getAll, create, update, remove],
};
