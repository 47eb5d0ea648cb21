import { type IDataObject, type INodeProperties, jsonParse } from 'n8n-workflow';

import { ifExistsField, textField } from '../../descriptions/fields';
import { requestTarget } from '../../descriptions/locator';
import {
	getOption,
	getUpdate,
	toRecordName,
	toText,
	updateFields,
	writeJson,
} from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/item';
import { unconfirmed } from '../../execution/retryOnFail';
import type { ApiClient } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/endpoint';
import { validationError } from '../../transport/errors/error';
import { isStatus } from '../../transport/http/httpStatus';
import { findInList } from '../../transport/lists/pages';
import { LIST_PROJECTS } from '../../transport/lists/projects';
import { ONE_TEAM_PROJECT } from '../../transport/errors/responseMessages';
import { expectRecord, requestRecord, sendRequest } from '../../transport/client/send';
import { shortName } from '../../transport/text';
import { describeValue, isRecord, textOf } from '../../transport/values';
import { recordOperation } from '../builders';
import { errorOf, refusal } from '../refusals';
import { ownProjectField, ownProjectLocator, projectLabel, simplifyProject } from './project';

/** Community has it from 0.80 on, for one team project (recorded). */
const CREATE_PROJECT: Endpoint = {
	method: 'POST',
	path: '/v1/projects',
	feature: 'team projects',
	rules: [ONE_TEAM_PROJECT],
};

const UPDATE_PROJECT: Endpoint = { method: 'POST', path: '/v1/projects/{id}' };

/** Fields of a project that Create and Update share, without their descriptions. */
const nameField = textField('Name', 'displayName', { placeholder: 'e.g. Customer 42' });

const externalIdField = textField('External ID', 'externalId', { placeholder: 'e.g. customer-42' });

const metadataField: INodeProperties = {
	displayName: 'Metadata',
	name: 'metadata',
	type: 'json',
	default: '{}',
	description: 'Your own data about the project, as a JSON object',
};

/** @throws {ValidationError} for a name that the service refuses, such as one with a slash (recorded) */
function toProjectName(value: unknown): string {
	const name = toRecordName(nameField.displayName, value, 'project');
	if (!/[./]/.test(name)) return name;
	throw validationError(
		`${nameField.displayName} has a dot or a slash, which Activepieces does not accept in the name of a project`,
		`Change ${nameField.displayName}.`,
	);
}

const toExternalId = (value: unknown): string => toText(externalIdField.displayName, value ?? '');

function toMetadata(value: unknown): IDataObject {
	const { displayName: label } = metadataField;
	const { json, unfit } = typeof value === 'string' ? { json: value } : writeJson(value);
	const metadata = jsonParse<unknown>(json ?? '', { fallbackValue: null });
	if (unfit === undefined && isRecord(metadata)) return metadata;
	throw validationError(
		unfit === undefined
			? `${label} must be a JSON object, not ${describeValue(value)}`
			: `${label} contains ${unfit}, which is not valid in JSON`,
		`Change ${label}, for example to {"plan": "pro"}. {} stands for no metadata.`,
	);
}

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
	const ifExists = getOption(
		context,
		'If External ID Exists',
		'ifExists',
		['error', 'use'],
		'error',
	);
	const givenMetadata = context.get('metadata', '{}');
	const metadata = givenMetadata === '' ? {} : toMetadata(givenMetadata);
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
				...(Object.keys(metadata).length === 0 ? {} : { metadata }),
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

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create a team project',
	hint: 'Not every plan or edition of Activepieces allows additional team projects',
	toolDescription:
		'Creates an Activepieces team project and returns it. Several projects can have the same name, but not the same external ID',
	endpoint: CREATE_PROJECT,
	properties: [
		{
			...nameField,
			required: true,
			description:
				'The name of the project, without dots or slashes. Several projects can have the same name.',
		},
		{
			...externalIdField,
			description:
				'An ID from your own system, such as a customer ID. No two projects can have the same external ID.',
		},
		ifExistsField(
			'If External ID Exists',
			'Project',
			'What to do if a project already has that external ID',
		),
		metadataField,
	],
	simplify: simplifyProject,
	record: createProject,
});

/**
 * Converts a new external ID. An empty one would remove it in some releases and is refused by others
 * (recorded for null).
 */
function toNewExternalId(value: unknown): string {
	const externalId = toExternalId(value);
	if (externalId !== '') return externalId;
	const { displayName } = externalIdField;
	throw validationError(
		`${displayName} is empty`,
		`Enter an external ID, or remove ${displayName} from Update Fields.`,
	);
}

const readers = { displayName: toProjectName, externalId: toNewExternalId, metadata: toMetadata };

const FIELDS = `${nameField.displayName}, ${externalIdField.displayName} or ${metadataField.displayName}`;

export const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Change the name, the external ID or the metadata of a project',
	toolDescription:
		'Immediately changes the name, external ID or metadata of the Activepieces project with the given ID and returns the project. New metadata replaces all existing metadata',
	endpoint: UPDATE_PROJECT,
	properties: [
		ownProjectField,
		updateFields([
			{ ...externalIdField, description: 'The new external ID. It must be unique.' },
			{
				...metadataField,
				description:
					'Your own data about the project, as a JSON object. Replaces the existing metadata.',
			},
			{
				...nameField,
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
		const request = { endpoint: UPDATE_PROJECT, ...target, body };
		const response = await sendRequest(client, request);
		if (
			isStatus(response.status, 'conflict') &&
			response.code === 'PROJECT_EXTERNAL_ID_ALREADY_EXISTS'
		) {
			throw refusal(
				'Another project already has this external ID',
				`Change ${externalIdField.displayName}.`,
				{ httpStatus: response.status },
			);
		}
		const project = expectRecord(client, request, response);
		// The response for a personal project still has its old name (recorded in every edition).
		if (body.displayName !== undefined && textOf(project.displayName) !== body.displayName) {
			const others = Object.keys(body).length > 1 ? ' The other fields were changed.' : '';
			throw errorOf(
				`Activepieces did not change the name of the project ${projectLabel(project)}`,
				`Activepieces names personal projects after their users. Choose a team project, or remove ${nameField.displayName} from Update Fields.${others}`,
			);
		}
		return project;
	},
});
