import type { IDataObject } from 'n8n-workflow';

import { nameOf } from '../../descriptions/listSource';
import type { RequestTarget } from '../../descriptions/locator';
import { createReadOnce } from '../../execution/readOnce';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { describeValue } from '../../transport/describeValue';
import { limits } from '../../transport/limits';
import { fetchEachProject, type RecordList } from '../../transport/paging/fetchEachProject';
import { fetchProjects } from '../../transport/paging/projects';
import { nameAndId } from '../../transport/plainText';
import { textOf } from '../../transport/textOf';
import { toId } from '../../transport/toId';
import { fetchRecords } from '../project/fetchByProject';
import { LIST_CONNECTIONS } from './requests';
import { projectIdOf } from './simplify';

/** What has to be known of a connection before it is changed. */
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
	/** Why the first project that could not be read was not */
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

/** The service gives no connection by ID (404 on every release, recorded), so all are read. */
async function fetchConnections(client: ApiClient): Promise<Connections> {
	const connections: Connections = { byId: new Map() };
	const list: RecordList = {
		request: LIST_CONNECTIONS,
		pageSize: limits.defaultPageSize,
		limit: Infinity,
		// Nothing is kept in the list itself.
		transform(connection) {
			const id = toId(connection.id) ?? '';
			if (id !== '') connections.byId.set(id, toFound(connection));
			return undefined;
		},
		isFiltered: true,
		onUnreadProject: (_project, reason) => (connections.unread ??= reason),
	};
	const projects = await fetchProjects(client);
	await (projects === undefined
		? fetchRecords(client, list)
		: fetchEachProject(client, projects, list));
	return connections;
}

const readOnce = createReadOnce<Connections>();

/**
 * Finds a connection by its ID, in the lists of all projects, which are read once for all input items.
 *
 * @throws {ActivepiecesError} when it is not there, or may be in a list that could not be read
 */
export async function findConnection(
	client: ApiClient,
	{ id, subject }: RequestTarget,
): Promise<FoundConnection> {
	const wanted = toId(id) ?? '';
	const { byId, unread } = await readOnce(
		client,
		'connections',
		async () => await fetchConnections(client),
	);
	const connection = byId.get(wanted);
	if (connection !== undefined) return connection;
	if (unread !== undefined) throw unread;
	throw new ActivepiecesError({
		message: `Connection ${describeValue(wanted)} was not found`,
		description: `Check ${subject.field ?? subject.noun}. The connection may have been deleted, or may belong to another Activepieces server or platform. Nothing was changed.`,
	});
}
