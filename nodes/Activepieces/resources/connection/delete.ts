import type { IDataObject } from 'n8n-workflow';

import { booleanField, collectionField } from '../../descriptions/fields';
import { locatorField, nameOf, type RequestTarget } from '../../descriptions/locator';
import { getBoolean } from '../../descriptions/parameters';
import type { ApiClient } from '../../transport/client/client';
import type { ApiRequest } from '../../transport/client/request';
import { expectDeleted, sendRequest } from '../../transport/client/send';
import type { ActivepiecesError } from '../../transport/errors/error';
import { isRecordUnknown } from '../../transport/http/response';
import { nameAndId, shortName, someOf } from '../../transport/text';
import { textOf, toId } from '../../transport/values';
import { deleteOperation } from '../deleteOperation';
import { fetchOfAllProjects } from '../../transport/lists/projects';
import { refusal } from '../refusals';
import { connectionLocator, LIST_CONNECTIONS, projectIdOf } from './connection';
import { fetchFlowsUsing } from './uses';

const describeConnection = (connection: IDataObject, id: string) => ({
	label: `connection ${nameAndId(nameOf(connection), id)}`,
	externalId: textOf(connection.externalId),
	projectId: toId(projectIdOf(connection)) ?? '',
	isGlobal: connection.scope === 'PLATFORM',
});

type FoundConnection = ReturnType<typeof describeConnection>;

/**
 * Reads all connections, because the service has no request for a connection by ID (404 in every release,
 * recorded).
 */
async function fetchConnections(client: ApiClient) {
	const byId = new Map<string, FoundConnection>();
	const unread: ActivepiecesError[] = [];
	await fetchOfAllProjects(client, {
		request: LIST_CONNECTIONS,
		// The list itself keeps no records.
		take(connection) {
			const id = toId(connection.id) ?? '';
			if (id !== '') byId.set(id, describeConnection(connection, id));
			return undefined;
		},
		unreadable: (reason) => unread.push(reason),
	});
	return { byId, unread };
}

/**
 * Finds a connection by its ID in the lists of all projects, which are read once for all input items.
 *
 * @returns undefined when there is no such connection
 * @throws {ActivepiecesError} when it may be in a list that could not be read
 */
async function fetchConnection(client: ApiClient, { id }: RequestTarget) {
	const { byId, unread } = await client.once(
		'connections',
		async () => await fetchConnections(client),
	);
	const connection = byId.get(toId(id) ?? '');
	if (connection === undefined && unread.length > 0) throw unread[0];
	return connection;
}

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
	const response = await sendRequest(client, request);
	// Up to 0.73 every key is refused, whatever the connection: the text is that of the service's framework
	// (recorded).
	const isKeyRefused = response.code === undefined && isRecordUnknown(response);
	if (!isKeyRefused) return expectDeleted(client, request, response);
	throw refusal(
		'In this Activepieces release, connections cannot be deleted with an API key',
		'This requires Activepieces 0.79 or later. In this release, use an Activepieces Sign-In API credential for a user in the project.',
		{ httpStatus: response.status },
	);
}

export const remove = deleteOperation({
	description: 'Permanently delete a connection of a project, unless enabled flows use it',
	hint: 'Deletes one connection per input item. This cannot be undone. By default, connections that enabled flows use are kept.',
	toolDescription:
		'Permanently deletes the Activepieces project connection with the given ID and returns {"deleted": true}. If enabled flows use the connection, it is not deleted, and the error lists these flows',
	endpoint: { method: 'DELETE', path: '/v1/app-connections/{id}' },
	target: connectionLocator,
	properties: [
		locatorField(connectionLocator),
		collectionField('Options', 'options', 'Add option', [
			booleanField(
				'Delete Even If Used',
				'evenIfUsed',
				'Whether to also delete connections that enabled flows use. Every run of these flows then fails.',
			),
		]),
	],
	async remove(client, request, context) {
		const evenIfUsed = getBoolean(context, 'Delete Even If Used', 'options.evenIfUsed', false);
		const connection = await fetchConnection(client, request);
		if (connection === undefined) {
			throw refusal(
				`Connection "${shortName(toId(request.id) ?? '')}" was not found`,
				`Check ${connectionLocator.displayName}. The connection may have been deleted, or may belong to another Activepieces server or platform.`,
				{ isRecordUnknown: true },
			);
		}
		if (connection.isGlobal) {
			// Up to 0.85 the service responds to its delete with success, and keeps it (recorded).
			throw refusal(
				`The ${connection.label} is a global connection`,
				'The platform shares it with its projects. You can delete it in the platform admin console of Activepieces.',
			);
		}
		if (!evenIfUsed) await assertUnused(client, connection);
		return await deleteConnection(client, request);
	},
});
