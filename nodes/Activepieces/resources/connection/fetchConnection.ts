import type { IDataObject } from 'n8n-workflow';

import { nameOf, type RequestTarget } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { fetchList } from '../../transport/lists';
import { fetchEachProject, fetchProjects } from '../../transport/projects';
import { createRecordCollector } from '../../transport/pages';
import { nameAndId } from '../../transport/text';
import { textOf, toId } from '../../transport/values';
import { LIST_CONNECTIONS, projectIdOf } from './connection';

/** What operations need to know about a connection before they change it. */
export interface FoundConnection {
	/** `connection "Slack" (Xk7w…)` */
	label: string;
	externalId: string;
	projectId: string;
	/** The platform shares it with its projects */
	isGlobal: boolean;
}

interface Connections {
	byId: Map<string, FoundConnection>;
	/** Error of the first project that could not be read */
	unread?: ActivepiecesError;
}

function toFound(connection: IDataObject): FoundConnection {
	const id = textOf(connection.id);
	return {
		label: `connection ${nameAndId(nameOf(connection), id)}`,
		externalId: textOf(connection.externalId),
		projectId: toId(projectIdOf(connection)) ?? '',
		isGlobal: connection.scope === 'PLATFORM',
	};
}

/**
 * Reads all connections, because the service has no request for a connection by ID (404 in every release,
 * recorded).
 */
async function fetchConnections(client: ApiClient): Promise<Connections> {
	const connections: Connections = { byId: new Map() };
	// The list itself keeps no records.
	const transform = (connection: IDataObject) => {
		const id = toId(connection.id) ?? '';
		if (id !== '') connections.byId.set(id, toFound(connection));
		return undefined;
	};
	const projects = await fetchProjects(client);
	if (projects === undefined) {
		const collector = createRecordCollector(Infinity, transform);
		await fetchList(client, LIST_CONNECTIONS, limits.defaultPageSize, collector);
		return connections;
	}
	await fetchEachProject(client, projects, {
		request: LIST_CONNECTIONS,
		pageSize: limits.defaultPageSize,
		limit: Infinity,
		transform,
		unreadable: (_project, reason) => (connections.unread ??= reason),
	});
	return connections;
}

/**
 * Finds a connection by its ID in the lists of all projects, which are read once for all input items.
 *
 * @returns undefined when there is no such connection
 * @throws {ActivepiecesError} when it may be in a list that could not be read
 */
export async function fetchConnection(
	client: ApiClient,
	{ id }: RequestTarget,
): Promise<FoundConnection | undefined> {
	const wanted = toId(id) ?? '';
	const { byId, unread } = await client.readOnce(
		'connections',
		async () => await fetchConnections(client),
	);
	const connection = byId.get(wanted);
	if (connection !== undefined) return connection;
	if (unread !== undefined) throw unread;
	return undefined;
}
