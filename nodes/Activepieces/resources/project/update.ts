import { metadataFields, toMetadata } from '../../descriptions/metadata';
import { getUpdate, toNewText, updateFields } from '../../descriptions/updateFields';
import { type Endpoint } from '../../transport/client/request';
import { requestRecord } from '../../transport/client/record';
import { locatorField, requestTarget } from '../../descriptions/locator';
import { type Condition, when } from '../../transport/errors/rule';
import { isStatus } from '../../transport/http/httpStatus';
import type { ApiResponse } from '../../transport/http/response';
import { textOf } from '../../transport/values';
import { recordOperation } from '../recordOperation';
import { errorOf } from '../refusals';
import { ownProjectLocator, projectLabel, simplifyProject } from './project';
import { projectExternalIdField, projectNameField, toProjectName } from './projectFields';

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

export const update = recordOperation({
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
