import type { IDataObject } from 'n8n-workflow';

import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { isRecord } from '../../transport/values';
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
} from './flow';

/**
 * The service publishes even a version that cannot run, to which 0.85 responds with 404 (recorded).
 *
 * @throws {ActivepiecesError} for a version that cannot run
 */
function assertCanBePublished(flow: IDataObject): void {
	if (hasEmptyTrigger(flow)) {
		throw flowStateError(
			flow,
			(label) => `${label} has no trigger`,
			'Add a trigger to it in Activepieces.',
		);
	}
	const { version } = flow;
	if (isRecord(version) && version.valid === false) {
		throw flowStateError(
			flow,
			(label) => `The latest version of ${label} is not valid`,
			'Complete the steps that Activepieces marks in its editor.',
		);
	}
}

export const publish: Operation = {
	name: 'Publish',
	value: 'publish',
	action: 'Publish flow',
	description: 'Publish the latest version of a flow and enable the flow',
	hint: 'Also enables the flow. Changes nothing if the latest version is already published and the flow is enabled.',
	toolDescription:
		'Publishes the latest version of the Activepieces flow with the given ID, immediately enables the flow, and returns it',
	endpoint: CHANGE_FLOW,
	properties: [flowField, ...outputFields],
	simplify: simplifyFlow,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyFlow);
		const target = requestTarget(context, flowLocator);
		let flow = await fetchSettledFlow(client, target);
		if (!isLatestPublished(flow) || flow.status !== 'ENABLED') {
			assertCanBePublished(flow);
			flow = await changeFlow(client, target, {
				body: { type: 'LOCK_AND_PUBLISH', request: { status: 'ENABLED' } },
				status: 'ENABLED',
				ifPublished: 'Its latest version is published.',
			});
		}
		return await outputRecord(client, output, flow);
	},
};
