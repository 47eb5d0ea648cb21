import type { IDataObject } from 'n8n-workflow';

import { nameOf, type RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client/client';
import type { ActivepiecesError } from '../../transport/errors/error';
import { fetchOfAllProjects } from '../../transport/lists/projects';
import { nameAndId } from '../../transport/text';
import { toId } from '../../transport/id';
import { textOf } from '../../transport/values';
import { notFoundError, refusal } from '../refusals';
import { LIST_CONNECTIONS, projectIdOf } from './connection';

const describeConnection = (connection: IDataObject, id: string) => ({
	name: textOf(connection.displayName),
	label: `connection ${nameAndId(nameOf(connection), id)}`,
	externalId: textOf(connection.externalId),
	projectId: toId(projectIdOf(connection)) ?? '',
	isGlobal: connection.scope === 'PLATFORM',
});

export type FoundConnection = ReturnType<typeof describeConnection>;

/**
 * Reads all connections, because the service has no request for a connection by ID (404 in every release,
 * recorded).
 */
export async function fetchConnections(client: ApiClient) {
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

/** `fetchConnections`, read once for all input items of a run. */
export const fetchConnectionsOnce = async (client: ApiClient) =>
	await client.once('connections', async () => await fetchConnections(client));

type Connections = Awaited<ReturnType<typeof fetchConnections>>;

/** @throws {ActivepiecesError} when there is none with this ID, or its list could not be read */
export function connectionOf({ byId, unread }: Connections, target: RequestTarget) {
	const connection = byId.get(toId(target.id) ?? '');
	if (connection !== undefined) return connection;
	if (unread.length > 0) throw unread[0];
	throw notFoundError(target, { isRefusedChange: true });
}

/**
 * A change of a global connection with the requests for one of a project: 500 for an update, and up to 0.85 success
 * for a delete, although it stays (recorded).
 *
 * @param operation of the resource Global Connection, which makes the change
 */
export function assertOfProject({ label, isGlobal }: FoundConnection, operation: string): void {
	if (!isGlobal) return;
	throw refusal(
		`The ${label} is a global connection`,
		`The platform shares it with its projects. Use the operation ${operation} of the resource Global Connection for it.`,
	);
}
