import type { IDataObject } from 'n8n-workflow';

import { named, options, updates } from '../../descriptions/field';
import { flag, metadata, newMetadata } from '../../descriptions/kinds';
import { nameOf } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/api/client';
import { inProject, type Endpoint, type RequestTarget } from '../../transport/client/request';
import { notFoundError, refusal, type ActivepiecesError } from '../../transport/errors/error';
import { toId } from '../../transport/ids';
import { nameAndId, someOf } from '../../transport/texts';
import { textOf } from '../../transport/values';
import { deleteOperation, listOperation, operation, type Resource } from '../operation';
import { newProject, projectToList, subjectInProject } from '../project/project';
import {
	connectionFilters,
	connectionLocator,
	LIST_CONNECTIONS,
	LIST_PROJECT_CONNECTIONS,
	newConnectionName,
	projectIdOf,
	simplifyConnection,
} from './connection';
import { connectionFields, connectionOptions, upsertConnection } from './upsert';
import { fetchFlowsUsing } from './usage';
import { CONNECTION_VALUE_RULES, pieceLocator } from './value';

const describeConnection = (connection: IDataObject, id: string) => ({
	name: textOf(connection.displayName),
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
	await client.fetchOfAllProjects(LIST_CONNECTIONS, {
		// The list itself keeps no records.
		convert(connection) {
			const id = toId(connection.id) ?? '';
			if (id !== '') byId.set(id, describeConnection(connection, id));
			return undefined;
		},
		unreadable: (reason) => unread.push(reason),
	});
	return { byId, unread };
}

/** `fetchConnections`, read once for all input items of a run. */
const fetchConnectionsOnce = async (client: ApiClient) =>
	await client.cached('connections', async () => await fetchConnections(client));

type Connections = Awaited<ReturnType<typeof fetchConnections>>;

/** @throws {ActivepiecesError} when there is none with this ID, or its list could not be read */
function connectionOf({ byId, unread }: Connections, target: RequestTarget) {
	const connection = byId.get(toId(target.id) ?? '');
	if (connection !== undefined) return connection;
	if (unread.length > 0) throw unread[0];
	throw notFoundError(target, { outcome: 'nothing', isRefusal: true });
}

/**
 * A change of a global connection with the requests for one of a project: 500 for an update, and up to 0.85 success
 * for a delete, although it stays (recorded).
 *
 * @param change the operation of the resource Global Connection, which makes the change
 */
function assertOfProject({ label, isGlobal }: FoundConnection, change: string): void {
	if (!isGlobal) return;
	throw refusal(
		`The ${label} is a global connection`,
		`The platform shares it with its projects. Use the operation ${change} of the resource Global Connection for it.`,
	);
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
		`It is used by ${someOf(flows)}. Every run of ${isOne ? 'this flow' : 'these flows'} would fail without it. First, ${isOne ? 'choose another connection in the flow and publish it, or disable the flow' : 'choose another connection in the flows and publish them, or disable the flows'}. To delete the connection anyway, turn on the option Delete Even If Used.`,
	);
}

const remove = deleteOperation({
	description: 'Permanently delete a connection of a project, unless enabled flows use it',
	hint: 'Deletes one connection per input item. This cannot be undone. By default, connections that enabled flows use are kept.',
	toolDescription:
		'Permanently deletes the Activepieces project connection with the given ID and returns {"deleted": true}. If enabled flows use the connection, it is not deleted, and the error lists these flows',
	endpoint: { method: 'DELETE', path: '/v1/app-connections/{id}' },
	fields: {
		target: named({
			...connectionLocator,
			description: 'The connection to delete. The list shows the connections of all projects.',
		}),
		options: options({
			evenIfUsed: flag(
				'Delete Even If Used',
				'evenIfUsed',
				'Whether to also delete connections that enabled flows use. Every run of these flows then fails.',
			),
		}),
	},
	async remove(client, request, { options: { evenIfUsed } }) {
		const connection = connectionOf(await fetchConnectionsOnce(client), request);
		assertOfProject(connection, 'Delete');
		if (!evenIfUsed) await assertUnused(client, connection);
		return await client.deleteRecord(request);
	},
});

const getAll = listOperation({
	description:
		'Get the connections of a project, or of all projects. Global connections are not included.',
	hint: 'Returns one item per connection of a project. Secrets of connections are never returned.',
	toolDescription:
		'Returns the connections of an Activepieces project, or of all projects if none is given, with the IDs of the flows that use them. Connections with status ERROR or MISSING need attention. Secrets are never returned',
	request: LIST_PROJECT_CONNECTIONS,
	project: projectToList('connections'),
	filters: connectionFilters,
	simplify: simplifyConnection,
	select: () => ({
		convert: (connection) => (connection.scope === 'PLATFORM' ? undefined : connection),
	}),
});

const UPDATE_CONNECTION: Endpoint = { method: 'POST', path: '/v1/app-connections/{id}' };

const update = operation({
	name: 'Update',
	value: 'update',
	description: 'Change the name or the metadata of a connection of a project',
	toolDescription:
		'Immediately changes the name or the metadata of the Activepieces project connection with the given ID and returns the connection. New metadata replaces all existing metadata',
	endpoint: UPDATE_CONNECTION,
	fields: {
		target: named(connectionLocator),
		changes: updates({
			metadata: newMetadata('connection', '. Replaces the existing metadata; {} removes it.'),
			displayName: newConnectionName,
		}),
	},
	simplify: simplifyConnection,
	async record({ target, changes }, { client }) {
		// The service wants a name. The list is read for each item then, because an item before may have changed it.
		const read = changes.displayName === undefined ? fetchConnections : fetchConnectionsOnce;
		const connection = connectionOf(await read(client), target);
		assertOfProject(connection, 'Update');
		const body = { displayName: connection.name, ...changes };
		if (body.displayName === '') {
			throw refusal(
				`The ${connection.label} has no name`,
				'Activepieces changes metadata only together with a name. Add Name to Update Fields.',
			);
		}
		return await client.requestRecord({ endpoint: UPDATE_CONNECTION, ...target, body });
	},
});

const UPSERT_CONNECTION: Endpoint = {
	method: 'POST',
	path: '/v1/app-connections',
	rules: CONNECTION_VALUE_RULES,
};

const upsert = operation({
	name: 'Create or Update',
	value: 'upsert',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	hint: 'Finds the connection by External ID. Keeps one of another piece or type, unless Replace Any Connection is on.',
	toolDescription:
		'Creates a connection in an Activepieces project, or overwrites the one with the same external ID, and returns it without its secret. A connection of another piece or type is not overwritten',
	endpoint: UPSERT_CONNECTION,
	fields: {
		project: newProject('The project that the connection belongs to'),
		...connectionFields,
		options: options({
			metadata: metadata('connection', '. Replaces the existing metadata, unless it is {}.'),
			...connectionOptions,
		}),
	},
	simplify: simplifyConnection,
	record: async ({ project, ...values }, context) =>
		await upsertConnection(context, {
			values,
			list: inProject(LIST_CONNECTIONS, project),
			scope: 'PROJECT',
			request: () => ({
				endpoint: UPSERT_CONNECTION,
				subject: subjectInProject('connection', project),
				body: { projectId: project.id, ...values.options.metadata },
			}),
		}),
});

export const connection: Resource = {
	name: 'Connection',
	value: 'connection',
	locators: [connectionLocator, pieceLocator],
	operations: [getAll, upsert, update, remove],
};
