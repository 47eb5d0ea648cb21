import type { IDataObject } from 'n8n-workflow';

import { booleanField, collectionField } from '../../descriptions/fields';
import { locatorField } from '../../descriptions/locator';
import { getBoolean } from '../../descriptions/parameters';
import type { ApiClient } from '../../transport/client/client';
import type { ApiRequest } from '../../transport/client/request';
import { expectDeleted } from '../../transport/client/record';
import { someOf } from '../../transport/text';
import { deleteOperation } from '../deleteOperation';
import { refusal } from '../refusals';
import { connectionLocator } from './connection';
import { isConnectionKeyRefused, keyRefused } from './connectionRules';
import {
	assertOfProject,
	connectionOf,
	fetchConnectionsOnce,
	type FoundConnection,
} from './findConnection';
import { fetchFlowsUsing } from './flowsUsing';

/**
 * The service deletes a connection even if flows use it. The flows stay enabled, and every run of them
 * fails (recorded).
 */
async function assertUnused(client: ApiClient, connection: FoundConnection): Promise<void> {
	const flows = await fetchFlowsUsing(client, connection);
	if (flows.length === 0) return;
	const isOne = flows.length === 1;
	throw refusal(
		`${flows.length} enabled ${isOne ? 'flow uses' : 'flows use'} the ${connection.label}`,
		`It is used by ${someOf(flows)}. Every run of ${isOne ? 'this flow' : 'these flows'} would fail without it. First, ${isOne ? 'choose another connection in the flow and publish it, or disable the flow' : 'choose another connection in the flows and publish them, or disable the flows'}. To delete the connection anyway, turn on Delete Even If Used under Options.`,
	);
}

async function deleteConnection(client: ApiClient, request: ApiRequest): Promise<IDataObject[]> {
	const response = await client.request(request);
	// First, because after a lost response this one would look like that for a deleted connection.
	if (!isConnectionKeyRefused(response)) return expectDeleted(client, request, response);
	const { message, description } = keyRefused('deleted');
	throw refusal(message, description, { httpStatus: response.status });
}

const evenIfUsedField = booleanField(
	'Delete Even If Used',
	'evenIfUsed',
	'Whether to also delete connections that enabled flows use. Every run of these flows then fails.',
);

export const remove = deleteOperation({
	description: 'Permanently delete a connection of a project, unless enabled flows use it',
	hint: 'Deletes one connection per input item. This cannot be undone. By default, connections that enabled flows use are kept.',
	toolDescription:
		'Permanently deletes the Activepieces project connection with the given ID and returns {"deleted": true}. If enabled flows use the connection, it is not deleted, and the error lists these flows',
	endpoint: { method: 'DELETE', path: '/v1/app-connections/{id}' },
	target: connectionLocator,
	properties: [
		locatorField({
			...connectionLocator,
			description: 'The connection to delete. The list shows the connections of all projects.',
		}),
		collectionField('Options', 'options', 'Add option', [evenIfUsedField]),
	],
	async remove(client, request, context) {
		const evenIfUsed = getBoolean(context, evenIfUsedField, 'options');
		const connection = connectionOf(await fetchConnectionsOnce(client), request);
		assertOfProject(connection, 'Delete');
		if (!evenIfUsed) await assertUnused(client, connection);
		return await deleteConnection(client, request);
	},
});
