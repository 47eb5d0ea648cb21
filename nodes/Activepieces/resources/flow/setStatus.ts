import type { IDataObject } from 'n8n-workflow';

import { choices, optionsField } from '../../descriptions/fields';
import { locatorField, requestTarget } from '../../descriptions/locator';
import { getOption } from '../../descriptions/parameters';
import { recordOperation } from '../recordOperation';
import { refusal } from '../refusals';
import {
	CHANGE_FLOW,
	flowLocator,
	hasEmptyTrigger,
	isLatestPublished,
	labelOf,
	simplifyFlow,
	wasPublished,
} from './flow';
import { changeFlow, fetchSettledFlow } from './flowChanges';

/**
 * Up to 0.79 the service accepts enabling a flow that cannot run, and silently does nothing (recorded).
 */
function assertCanRun(flow: IDataObject): void {
	if (!wasPublished(flow)) {
		throw refusal(
			`${labelOf(flow)} has never been published`,
			'Publish it first, for example with Flow > Publish, which also enables it.',
		);
	}
	if (isLatestPublished(flow) && hasEmptyTrigger(flow)) {
		throw refusal(
			`${labelOf(flow)} has no trigger`,
			'Add a trigger in Activepieces and publish the flow.',
		);
	}
}

const statusField = optionsField('Status', 'status', {
	options: choices(
		['Enabled', 'ENABLED', 'The published version runs'],
		['Disabled', 'DISABLED', 'The flow does not run'],
	),
	default: 'ENABLED',
	description: 'The status to set. A flow that already has this status is not changed.',
});

export const setStatus = recordOperation({
	name: 'Enable or Disable',
	value: 'setStatus',
	description: 'Enable or disable a flow',
	toolDescription:
		'Immediately enables or disables the Activepieces flow with the given ID and returns the flow',
	endpoint: CHANGE_FLOW,
	properties: [locatorField(flowLocator), statusField],
	simplify: simplifyFlow,
	async record(context) {
		const { client } = context;
		const status = getOption(context, statusField);
		const target = requestTarget(context, flowLocator);
		const flow = await fetchSettledFlow(client, target);
		if (flow.status === status) return flow;
		if (status === 'ENABLED') assertCanRun(flow);
		return await changeFlow(client, target, { type: 'CHANGE_STATUS', status });
	},
});
