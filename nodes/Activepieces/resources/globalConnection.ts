import type { IDataObject } from 'n8n-workflow';

import { named, optional, options, updates } from '../descriptions/field';
import { choice, optionIds } from '../descriptions/kinds';
import { nameOf, type Locator, type OptionList } from '../descriptions/locator';
import { allProjects } from '../descriptions/project';
import type { ApiClient } from '../transport/api/client';
import { LIST_PROJECTS } from '../transport/api/projects';
import type { ApiRequest, Endpoint, RequestTarget } from '../transport/client/request';
import { ActivepiecesError, refusal, validationError, withNote } from '../transport/errors/error';
import { toId } from '../transport/ids';
import { nameAndId, shortName, someOf } from '../transport/texts';
import { orNull, recordOf, textOf } from '../transport/values';
import {
	connectionFilters,
	connectionLabel,
	newConnectionName,
	UNKNOWN_PROJECTS,
} from './connection/connection';
import { connectionFields, connectionOptions, upsertConnection } from './connection/upsert';
import { CONNECTION_VALUE_RULES } from './connection/value';
import { deleteOperation, listOperation, operation, type Resource } from './operation';

const projectOptions: OptionList = {
	noun: 'project',
	loadMethod: 'getProjects',
	byName: ({ displayName }) => displayName,
	sources: () => [allProjects],
};

const PROJECTS = { displayName: 'Project Names or IDs', name: 'projectIds' };

const projectIdsOf = ({ projectIds }: { projectIds?: unknown }): string[] =>
	Array.isArray(projectIds) ? (projectIds as string[]) : [];

/**
 * Checks projects before a secret is stored, because the service gets those of an existing connection with a second
 * request.
 *
 * @throws {ActivepiecesError} when one is not in the list of projects
 */
async function assertProjects(client: ApiClient, ids: string[]): Promise<void> {
	const known = await client.fetchIdsOnce(LIST_PROJECTS);
	const unknown = ids.filter((id) => !known.has(id)).map((id) => `"${shortName(id)}"`);
	if (unknown.length === 0) return;
	throw refusal(
		unknown.length === 1
			? `Project ${unknown[0]} was not found`
			: `Projects ${someOf(unknown)} were not found`,
		`Check ${PROJECTS.displayName}. A project may have been deleted, or may belong to another Activepieces platform.`,
	);
}

export const LIST_GLOBAL_CONNECTIONS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/global-connections',
		order: 'oldestFirst',
		worksOn073: true,
		feature: 'global connections',
	},
	subject: { noun: 'global connections' },
};

const UPDATE_GLOBAL_CONNECTION: Endpoint = {
	method: 'POST',
	path: '/v1/global-connections/{id}',
	feature: 'global connections',
	rules: [UNKNOWN_PROJECTS],
};

/** Changes name and projects of a global connection. The projects that are sent replace the others. */
const updateRequest = (
	id: unknown,
	body: { displayName: string; projectIds?: string[] },
): ApiRequest => ({
	endpoint: UPDATE_GLOBAL_CONNECTION,
	id,
	subject: { noun: 'global connection', field: 'Global Connection' },
	body,
});

export const simplifyGlobalConnection = (connection: IDataObject): IDataObject => ({
	name: connection.displayName ?? null,
	...orNull(connection, 'status', 'type', 'pieceName'),
	flowCount: Array.isArray(connection.flowIds) ? connection.flowIds.length : null,
	ownerEmail: recordOf(connection.owner).email ?? null,
	...orNull(connection, 'updated', 'externalId'),
	projectIds: connection.projectIds ?? [],
	id: connection.id ?? null,
});

const globalConnectionLocator: Locator = {
	name: 'globalConnectionId',
	displayName: 'Global Connection',
	noun: 'global connection',
	description: 'The global connection to change',
	required: true,
	byName: ({ displayName }) => displayName,
	byExternalId: ({ externalId }) => [externalId],
	searchMethod: 'searchGlobalConnections',
	sources: () => [
		{
			key: 'all',
			request: LIST_GLOBAL_CONNECTIONS,
			label: (connection: IDataObject) => connectionLabel(connection),
		},
	],
};

/**
 * The connection must be in the list of global ones: for one of a project the service confirms a delete
 * that it does not carry out (recorded).
 */
const unknownGlobalConnection = ({ id }: RequestTarget) =>
	refusal(
		`Global connection "${shortName(toId(id) ?? '')}" was not found`,
		'Check Global Connection. The connection may have been deleted, or may belong to a project: use the resource Connection for it.',
		{ isRecordUnknown: true },
	);

const { status: statusFilter, ...otherFilters } = connectionFilters;

const filters = {
	...otherFilters,
	scope: choice('Scope', 'scope', {
		options: [
			['Platform', 'PLATFORM', 'Connections that belong to the platform'],
			['Project', 'PROJECT', 'Connections that belong to a project'],
		],
		default: 'PLATFORM',
		description: 'Return only connections with this scope',
		hint: 'Has no effect in Activepieces 0.86 and earlier',
	}),
	status: statusFilter,
};

const getAll = listOperation({
	description:
		'Get the connections that the platform shares with its projects. Requires a plan with global connections.',
	hint: 'Returns one item per connection. Requires a Cloud or Enterprise plan with global connections.',
	toolDescription:
		'Returns the connections that the Activepieces platform shares with its projects. Connections with status ERROR or MISSING need attention',
	request: LIST_GLOBAL_CONNECTIONS,
	filters,
	simplify: simplifyGlobalConnection,
});

const UPSERT_GLOBAL_CONNECTION: Endpoint = {
	method: 'POST',
	path: '/v1/global-connections',
	feature: 'global connections',
	rules: [...CONNECTION_VALUE_RULES, UNKNOWN_PROJECTS],
};

/** Adds to the error of the second request what the first one has done. */
function throwWithStored(error: unknown): never {
	if (!(error instanceof ActivepiecesError)) throw error;
	const projects = error.outcome === 'nothing' ? 'were not changed' : 'may have been changed';
	throw withNote(error, `The secret and the name were stored, the projects ${projects}.`, 'said');
}

const upsert = operation({
	name: 'Create or Update',
	value: 'upsert',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	hint: 'Finds the connection by External ID. Keeps one of another piece or type, unless Replace Any Connection is on.',
	toolDescription:
		'Creates a connection that the Activepieces platform shares with projects, or overwrites the one with the same external ID, and returns it without its secret. A connection of another piece or type is not overwritten',
	endpoint: UPSERT_GLOBAL_CONNECTION,
	fields: {
		...connectionFields,
		projectIds: optional(
			optionIds(
				projectOptions,
				PROJECTS,
				'The projects that can use the connection, in place of any others. If empty, an existing connection keeps its projects, and no project can use a new one',
			),
			'the same projects',
		),
		options: options(connectionOptions),
	},
	simplify: simplifyGlobalConnection,
	async record({ projectIds, ...values }, context) {
		const { client } = context;
		if (projectIds !== undefined) await assertProjects(client, projectIds);
		const stored = await upsertConnection(context, {
			values,
			list: LIST_GLOBAL_CONNECTIONS,
			scope: 'PLATFORM',
			// With other projects the service would make a second connection, with none it would take all
			// projects away (recorded).
			request: (existing) => ({
				endpoint: UPSERT_GLOBAL_CONNECTION,
				subject: { noun: 'global connection' },
				body: {
					scope: 'PLATFORM',
					projectIds: existing === undefined ? (projectIds ?? []) : projectIdsOf(existing),
				},
			}),
		});
		const now = new Set(projectIdsOf(stored));
		if (now.size === 0 && projectIds === undefined) {
			// A mistyped external ID makes another connection.
			context.showHint(
				`No project can use the connection ${nameAndId(nameOf(stored), textOf(stored.id))}. Check External ID, or choose projects in ${PROJECTS.displayName}.`,
			);
		}
		const isSame =
			projectIds === undefined ||
			(projectIds.length === now.size && projectIds.every((id) => now.has(id)));
		if (isSame) return stored;
		const { displayName } = values;
		const request = updateRequest(stored.id, { displayName, projectIds });
		return await client.requestRecord(request).catch(throwWithStored);
	},
});

const changes = {
	displayName: newConnectionName,
	projectChange: choice('Project Change', 'projectChange', {
		options: [
			['Add', 'add', 'These projects can use the connection, too'],
			['Remove', 'remove', 'These projects can no longer use the connection'],
			['Replace', 'replace', 'Only these projects can use the connection'],
		],
		default: 'add',
		description: 'What to do with Project Names or IDs. By default they are added.',
	}),
	projectIds: optionIds(
		projectOptions,
		PROJECTS,
		'The projects to add, to remove, or to replace the others with',
		'Choose projects, or remove the field.',
	),
};

function changed(now: string[], given: string[], change = 'add'): string[] {
	if (change === 'replace') return given;
	const others = now.filter((id) => !given.includes(id));
	return change === 'add' ? [...others, ...given] : others;
}

const update = operation({
	name: 'Update',
	value: 'update',
	description: 'Change the name or the projects of a connection that the platform shares',
	toolDescription:
		'Immediately changes the name of the global Activepieces connection with the given ID, or adds, removes or replaces the projects that can use it, and returns the connection',
	endpoint: UPDATE_GLOBAL_CONNECTION,
	fields: {
		target: named(globalConnectionLocator),
		changes: updates(changes, `Name or ${PROJECTS.displayName}`),
	},
	simplify: simplifyGlobalConnection,
	async record({ target, changes: { displayName, projectChange, projectIds: given } }, { client }) {
		if (projectChange !== undefined && given === undefined) {
			throw validationError(
				`${PROJECTS.displayName} is missing`,
				'Add it to Update Fields, or remove Project Change.',
			);
		}
		const isTarget = ({ id }: { id?: unknown }) => toId(id) === toId(target.id);
		const now = await client.findInList(LIST_GLOBAL_CONNECTIONS, isTarget);
		if (now === undefined) throw unknownGlobalConnection(target);
		const own = projectIdsOf(now);
		const others = given?.filter((id) => !own.includes(id)) ?? [];
		if (others.length > 0) await assertProjects(client, others);
		const projectIds = given && changed(own, given, projectChange);
		const body = { displayName: displayName ?? textOf(now.displayName), projectIds };
		return await client.requestRecord(updateRequest(target.id, body));
	},
});

const remove = deleteOperation({
	description: 'Permanently delete a connection that the platform shares with its projects',
	hint: 'Deletes one connection per input item, even if flows use it. This cannot be undone.',
	toolDescription:
		'Permanently deletes the global Activepieces connection with the given ID, even if flows of any project use it, and returns {"deleted": true}',
	endpoint: {
		method: 'DELETE',
		path: '/v1/global-connections/{id}',
		feature: 'global connections',
	},
	fields: {
		connection: named({
			...globalConnectionLocator,
			description: 'The global connection to delete',
		}),
	},
	async remove(client, request) {
		const known = await client.fetchIdsOnce(LIST_GLOBAL_CONNECTIONS);
		if (!known.has(toId(request.id))) throw unknownGlobalConnection(request);
		return await client.deleteRecord(request);
	},
});

export const globalConnection: Resource = {
	name: 'Global Connection',
	value: 'globalConnection',
	locators: [globalConnectionLocator],
	optionLists: [projectOptions],
	operations: [getAll, upsert, update, remove],
};
