import type { IDataObject } from 'n8n-workflow';

import { simplifyConnection } from '../../resources/globalConnection/simplify';
import { readList } from '../../transport/paging/lists';
import { createRecordCollector } from '../../transport/paging/recordCollector';
import { limits } from '../../transport/limits';
import type { ApiRequest } from '../../transport/request';
import type { EventContext, Occurrence, TriggerEvent } from '../event';
import { trackOpenIssues } from '../tracking/openIssues';

const REQUEST: ApiRequest = {
	method: 'GET',
	path: '/v1/global-connections',
	query: { status: ['ERROR', 'MISSING'] },
	subject: { noun: 'global connections', feature: 'global connections' },
};

const toOccurrence = (connection: IDataObject, { output }: EventContext): Occurrence => ({
	id: String(connection.id),
	time: new Date(String(connection.updated)).getTime() || 0,
	// The service dates the connection anew whenever it sets it to ERROR (read in its source).
	value: String(connection.updated ?? ''),
	json: output(connection, simplifyConnection),
});

async function listBroken(context: EventContext, limit: number): Promise<Occurrence[]> {
	const collector = createRecordCollector(limit, (record) => toOccurrence(record, context));
	await readList(context.client, REQUEST, limits.defaultPageSize, collector);
	return collector.records as Occurrence[];
}

export const connectionNeedsAttention: TriggerEvent = {
	name: 'Connection Needs Attention',
	action: 'On connection that needs attention',
	value: 'connectionNeedsAttention',
	description: 'When a global connection has come to the status Error or Missing',
	fields: ['simplify', 'options.maxItems'],
	watched: [],
	look: async (context, state) =>
		trackOpenIssues(state, context.isStale, await listBroken(context, Infinity)),
	async example(context) {
		const broken = await listBroken(context, Infinity);
		return broken.sort((a, b) => b.time - a.time).at(0)?.json;
	},
	noExample: {
		message: 'No global connection needs attention',
		description:
			'All are active. Activate the workflow: it starts when one comes to the status Error or Missing.',
	},
};
