import type { IDataObject } from 'n8n-workflow';

import { LIST_GLOBAL_CONNECTIONS } from '../../resources/globalConnection/requests';
import { simplifyConnection } from '../../resources/globalConnection/simplify';
import type { ApiRequest } from '../../transport/request';
import { textOf } from '../../transport/textOf';
import type { EventContext, TriggerItem, TriggerEvent } from '../event';
import { fetchAll } from '../eventKinds/watchedList';
import { toTime } from '../serviceTime';
import { isIssuesState, trackOpenIssues } from '../tracking/openIssues';
import { storedText } from '../tracking/storedText';

const BROKEN: ApiRequest = { ...LIST_GLOBAL_CONNECTIONS, query: { status: ['ERROR', 'MISSING'] } };

const toItem = (connection: IDataObject, { output }: EventContext): TriggerItem => ({
	id: storedText(textOf(connection.id)),
	time: toTime(connection.updated),
	// The service dates the connection anew whenever it sets it to ERROR (read in its source).
	version: storedText(textOf(connection.updated)),
	json: output(connection, simplifyConnection),
});

async function fetchBroken(context: EventContext): Promise<TriggerItem[]> {
	const transform = (record: IDataObject) => toItem(record, context);
	return (await fetchAll(context, BROKEN, { transform, limit: Infinity })) as TriggerItem[];
}

export const connectionNeedsAttention: TriggerEvent = {
	name: 'Connection Needs Attention',
	action: 'On connection that needs attention',
	value: 'connectionNeedsAttention',
	description: 'When a global connection has come to the status Error or Missing',
	fields: ['simplify', 'options.maxItems'],
	watched: [],
	isState: isIssuesState,
	poll: async (context, state) =>
		trackOpenIssues(state, context.isStale, await fetchBroken(context)),
	async example(context) {
		const broken = await fetchBroken(context);
		return broken.sort((a, b) => b.time - a.time).at(0)?.json;
	},
	noExample: {
		message: 'No global connection needs attention',
		description:
			'All are active. Activate the workflow: it starts when one comes to the status Error or Missing.',
	},
};
