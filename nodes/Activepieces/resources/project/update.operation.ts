import type { IDataObject } from 'n8n-workflow';

import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getUpdate, updateFields } from '../../descriptions/parameters';
import { ActivepiecesError, validationError } from '../../transport/error';
import { expectRecord, sendRequest } from '../../transport/send';
import type { ApiRequest } from '../../transport/request';
import { isStatus } from '../../transport/httpStatus';
import { nameAndId } from '../../transport/text';
import { textOf } from '../../transport/values';
import type { Operation } from '../operation';
import { outputRecord } from '../outputRecord';
import {
	externalIdField,
	metadataField,
	nameField,
	toExternalId,
	toMetadata,
	toProjectName,
} from './fields';
import { ownProjectField, ownProjectLocator, simplifyProject, UPDATE_PROJECT } from './project';

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

interface ProjectUpdate {
	displayName: string;
	externalId: string;
	metadata: IDataObject;
}

const readers = {
	displayName: toProjectName,
	externalId: toNewExternalId,
	metadata: toMetadata,
};

const FIELDS = `${nameField.displayName}, ${externalIdField.displayName} or ${metadataField.displayName}`;

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update project',
	description: 'Change the name, the external ID or the metadata of a project',
	toolDescription:
		'Immediately changes the name, external ID or metadata of the Activepieces project with the given ID and returns the project. New metadata replaces all existing metadata',
	endpoint: UPDATE_PROJECT,
	properties: [
		ownProjectField,
		updateFields([
			{
				...externalIdField,
				description: 'The new external ID. It must be unique.',
			},
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
		...outputFields,
	],
	simplify: simplifyProject,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyProject);
		const body = getUpdate<ProjectUpdate>(context, readers, FIELDS);
		const target = requestTarget(context, ownProjectLocator);
		const request: ApiRequest = { ...UPDATE_PROJECT, ...target, body };
		const response = await sendRequest(client, request);
		if (
			isStatus(response.status, 'conflict') &&
			response.code === 'PROJECT_EXTERNAL_ID_ALREADY_EXISTS'
		) {
			throw new ActivepiecesError(
				{
					message: 'Another project already has this external ID',
					description: `Change ${externalIdField.displayName}. Nothing was changed.`,
				},
				{ httpStatus: response.status },
			);
		}
		const project = expectRecord(client, request, response);
		// The response for a personal project still has its old name (recorded in every edition).
		if (body.displayName !== undefined && textOf(project.displayName) !== body.displayName) {
			const others = Object.keys(body).length > 1 ? ' The other fields were changed.' : '';
			throw new ActivepiecesError({
				message: `Activepieces did not change the name of the project ${nameAndId(textOf(project.displayName), textOf(project.id))}`,
				description: `Activepieces names personal projects after their users. Choose a team project, or remove ${nameField.displayName} from Update Fields.${others}`,
			});
		}
		return await outputRecord(client, output, project);
	},
};
