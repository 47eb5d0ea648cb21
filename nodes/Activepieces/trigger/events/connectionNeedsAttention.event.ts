import type { IDataObject } from 'n8n-workflow';

import { LIST_GLOBAL_CONNECTIONS } from '../../resources/globalConnection/requests';
import { simplifyConnection } from '../../resources/globalConnection/simplify';
import type { ApiRequest } from '../../transport/request';
import { textOf } from '../../transport/textOf';
import type { EventContext, TriggerItem, TriggerEvent } from '../event';
import { createOldestOutputs } from '../oldestOutputs';
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

/** @param onItem is called with each of them, for the outputs that are not kept */
async function fetchBroken(
	context: EventContext,
	onItem: (item: TriggerItem) => void,
): Promise<TriggerItem[]> {
	const transform = (record: IDataObject) => {
		const item = toItem(record, context);
		onItem(item);
		return item;
	};
	return (await fetchAll(context, BROKEN, { transform, limit: Infinity })) as TriggerItem[];
}

export const connectionNeedsAttention: TriggerEvent = {
	name: 'Connection Needs Attention',
	action: 'On connection that needs attention',
	value: 'connectionNeedsAttention',
	description: 'When a global connection has changed to the status Error or Missing',
	fields: ['simplify', 'options.maxItems'],
	watched: [],
	isState: isIssuesState,
	async poll(context, state) {
		const tracker = trackOpenIssues(state, context.isStale);
		const outputs = createOldestOutputs(context.maxItems);
		const found = await fetchBroken(context, (item) => {
			if (tracker.isNew(item)) outputs.add(item);
			else item.json = undefined;
		});
		return tracker.result(found);
	},
	async example(context) {
		let newest: TriggerItem | undefined;
		await fetchBroken(context, (item) => {
			if (newest === undefined || item.time > newest.time) newest = { ...item };
			item.json = undefined;
		});
		return newest?.json;
	},
	noExample: {
		message: 'No global connection needs attention',
		description:
			'All are active. Activate the workflow: it starts when one changes to the status Error or Missing.',
	},
};
