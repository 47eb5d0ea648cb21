import { textField } from '../../descriptions/fields';
import { locatorField, requestTarget } from '../../descriptions/locator';
import { toRecordName } from '../../descriptions/recordName';
import { getUpdate, updateFields } from '../../descriptions/updateFields';
import type { Endpoint } from '../../transport/client/request';
import { requestRecord } from '../../transport/client/record';
import { CONNECTION_WITHOUT_KEYS } from './connectionRules';
import { metadataFields, toMetadata } from '../../descriptions/metadata';
import { recordOperation } from '../recordOperation';
import { refusal } from '../refusals';
import { connectionLocator, simplifyConnection } from './connection';
import {
	assertOfProject,
	connectionOf,
	fetchConnections,
	fetchConnectionsOnce,
} from './findConnection';

const UPDATE_CONNECTION: Endpoint = {
	method: 'POST',
	path: '/v1/app-connections/{id}',
	rules: [CONNECTION_WITHOUT_KEYS],
};

const readers = {
	displayName: (value: unknown) => toRecordName('Name', value, 'connection'),
	metadata: toMetadata,
};

export const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Change the name or the metadata of a connection of a project',
	toolDescription:
		'Immediately changes the name or the metadata of the Activepieces project connection with the given ID and returns the connection. New metadata replaces all existing metadata',
	endpoint: UPDATE_CONNECTION,
	properties: [
		locatorField(connectionLocator),
		updateFields([
			...metadataFields('connection', '. Replaces the existing metadata; {} removes it.'),
			textField('Name', 'displayName', { description: 'The new name' }),
		]),
	],
	simplify: simplifyConnection,
	async record(context) {
		const { client } = context;
		const { displayName, ...rest } = getUpdate(context, readers, 'Metadata or Name');
		const target = requestTarget(context, connectionLocator);
		// The service wants a name. The list is read for each item then, because an item before may have changed it.
		const read = displayName === undefined ? fetchConnections : fetchConnectionsOnce;
		const connection = connectionOf(await read(client), target);
		assertOfProject(connection, 'Update');
		const body = { displayName: displayName ?? connection.name, ...rest };
		if (body.displayName === '') {
			throw refusal(
				`The ${connection.label} has no name`,
				'Activepieces changes metadata only together with a name. Add Name to Update Fields.',
			);
		}
		return await requestRecord(client, { endpoint: UPDATE_CONNECTION, ...target, body });
	},
});
