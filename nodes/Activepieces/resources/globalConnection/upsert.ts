import { collectionField } from '../../descriptions/fields';
import { readOptional } from '../../descriptions/parameters';
import type { Endpoint } from '../../transport/client/request';
import { requestRecord } from '../../transport/client/record';
import { ActivepiecesError } from '../../transport/errors/error';
import { append } from '../../transport/text';
import { CONNECTION_VALUE_RULES, UNKNOWN_PROJECTS } from '../connection/connectionRules';
import {
	connectionFields,
	pieceVersionField,
	readConnection,
	replaceOtherField,
} from '../connection/connectionFields';
import { upsertConnection } from '../connection/upsertConnection';
import { recordOperation } from '../recordOperation';
import {
	LIST_GLOBAL_CONNECTIONS,
	simplifyGlobalConnection,
	updateRequest,
} from './globalConnection';
import { assertProjects, PROJECTS, projectIdsOf, projectsField, toProjectIds } from './projects';

const UPSERT_GLOBAL_CONNECTION: Endpoint = {
	method: 'POST',
	path: '/v1/global-connections',
	feature: 'global connections',
	rules: [...CONNECTION_VALUE_RULES, UNKNOWN_PROJECTS],
};

/** Adds to the error of the second request what the first one has done. */
function withStored(error: unknown): never {
	if (!(error instanceof ActivepiecesError)) throw error;
	const projects = error.hasChangedNothing ? 'were not changed' : 'may have been changed';
	const note = ` The secret and the name were stored, the projects ${projects}.`;
	throw error.withDescription(append(error.description, note), 'said');
}

export const upsert = recordOperation({
	name: 'Create or Update',
	value: 'upsert',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	hint: 'Finds the connection by External ID. Keeps one of another piece or type, unless Replace Any Connection is on.',
	toolDescription:
		'Creates a connection that the Activepieces platform shares with projects, or overwrites the one with the same external ID, and returns it without its secret. A connection of another piece or type is not overwritten',
	endpoint: UPSERT_GLOBAL_CONNECTION,
	properties: [
		...connectionFields,
		projectsField(
			'The projects that can use the connection, in place of any others. If empty, an existing connection keeps its projects, and no project can use a new one',
		),
		collectionField('Options', 'options', 'Add option', [replaceOtherField, pieceVersionField]),
	],
	simplify: simplifyGlobalConnection,
	async record(context) {
		const connection = readConnection(context);
		const projectIds = readOptional(context, {
			label: PROJECTS.displayName,
			name: PROJECTS.name,
			type: 'multiOptions',
			emptyMeans: 'the same projects',
			parse: toProjectIds,
		});
		const { client } = context;
		if (projectIds !== undefined) await assertProjects(client, projectIds);
		const stored = await upsertConnection(context, {
			connection,
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
		const isSame =
			projectIds === undefined ||
			(projectIds.length === now.size && projectIds.every((id) => now.has(id)));
		if (isSame) return stored;
		const { displayName } = connection.body;
		const request = updateRequest(stored.id, { displayName, projectIds });
		return await requestRecord(client, request).catch(withStored);
	},
});
