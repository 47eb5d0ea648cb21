import { collectionField } from '../../descriptions/fields';
import { locatorField } from '../../descriptions/locator';
import type { Endpoint } from '../../transport/client/request';
import { CONNECTION_VALUE_RULES } from './connectionRules';
import { inProject } from '../../transport/lists/projects';
import { getProjectForNew, projectForNew, subjectInProject } from '../project/project';
import { metadataFields, readMetadata } from '../../descriptions/metadata';
import { recordOperation } from '../recordOperation';
import { LIST_CONNECTIONS, simplifyConnection } from './connection';
import {
	connectionFields,
	pieceVersionField,
	readConnection,
	replaceOtherField,
} from './connectionFields';
import { upsertConnection } from './upsertConnection';

const UPSERT_CONNECTION: Endpoint = {
	method: 'POST',
	path: '/v1/app-connections',
	rules: CONNECTION_VALUE_RULES,
};

const connectionProject = projectForNew('The project that the connection belongs to');

export const upsert = recordOperation({
	name: 'Create or Update',
	value: 'upsert',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	hint: 'Finds the connection by External ID. Keeps one of another piece or type, unless Replace Any Connection is on.',
	toolDescription:
		'Creates a connection in an Activepieces project, or overwrites the one with the same external ID, and returns it without its secret. A connection of another piece or type is not overwritten',
	endpoint: UPSERT_CONNECTION,
	properties: [
		locatorField(connectionProject),
		...connectionFields,
		collectionField('Options', 'options', 'Add option', [
			...metadataFields('connection', '. Replaces the existing metadata, unless it is {}.'),
			replaceOtherField,
			pieceVersionField,
		]),
	],
	simplify: simplifyConnection,
	async record(context) {
		const connection = readConnection(context);
		const metadata = readMetadata(context.get('options.metadata', '{}'));
		const project = await getProjectForNew(context, connectionProject);
		const subject = subjectInProject('connection', project);
		return await upsertConnection(context, {
			connection,
			list: inProject(LIST_CONNECTIONS, project),
			scope: 'PROJECT',
			request: () => ({
				endpoint: UPSERT_CONNECTION,
				subject,
				body: { projectId: project.id, ...metadata },
			}),
		});
	},
});
