import type { IDataObject } from 'n8n-workflow';

import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getOption } from '../../descriptions/parameters';
import type { Operation } from '../operation';
import { outputRecord } from '../outputRecord';
import { changeFlow, fetchSettledFlow } from './changeFlow';
import {
	CHANGE_FLOW,
	flowField,
	flowLocator,
	flowStateError,
	hasEmptyTrigger,
	isLatestPublished,
	simplifyFlow,
	wasPublished,
} from './flow';

const STATUSES = ['ENABLED', 'DISABLED'] as const;

/**
 * Up to 0.79 the service accepts enabling a flow that cannot run, and silently does nothing (recorded).
 *
 * @throws {ActivepiecesError} for a flow that cannot run
 */
function assertCanRun(flow: IDataObject): void {
	if (!wasPublished(flow)) {
		throw flowStateError(
			flow,
			(label) => `${label} has never been published`,
			'Publish it first, for example with Flow > Publish, which also enables it.',
		);
	}
	if (isLatestPublished(flow) && hasEmptyTrigger(flow)) {
		throw flowStateError(
			flow,
			(label) => `${label} has no trigger`,
			'Add a trigger in Activepieces and publish the flow.',
		);
	}
}

export const setStatus: Operation = {
	name: 'Enable or Disable',
	value: 'setStatus',
	action: 'Enable or disable flow',
	description: 'Enable or disable a flow',
	hint: 'Activepieces 0.79 and earlier take a moment to change a flow. The node waits for the result.',
	toolDescription:
		'Immediately enables or disables the Activepieces flow with the given ID and returns the flow',
	endpoint: CHANGE_FLOW,
	properties: [
		flowField,
		{
			displayName: 'Status',
			name: 'status',
			type: 'options',
			options: [
				{ name: 'Enabled', value: 'ENABLED', description: 'The published version runs' },
				{ name: 'Disabled', value: 'DISABLED', description: 'The flow does not run' },
			],
			default: 'ENABLED',
			description: 'The status to set. A flow that already has this status is not changed.',
		},
		...outputFields,
	],
	simplify: simplifyFlow,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyFlow);
		const status = getOption(context, 'Status', 'status', STATUSES, 'ENABLED');
		const target = requestTarget(context, flowLocator);
		let flow = await fetchSettledFlow(client, target);
		if (flow.status !== status) {
			if (status === 'ENABLED') assertCanRun(flow);
			const body = { type: 'CHANGE_STATUS', request: { status } };
			flow = await changeFlow(client, target, { body, status });
		}
		return await outputRecord(client, output, flow);
	},
};
