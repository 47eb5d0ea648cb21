import type { IDataObject } from 'n8n-workflow';

import { locatorField, requestTarget } from '../../descriptions/locator';
import { textOf } from '../../transport/values';
import { recordOperation } from '../recordOperation';
import { fetchMissingConnections, hintAtMissing } from '../connection/missingConnections';
import { refusal } from '../refusals';
import {
	CHANGE_FLOW,
	flowLocator,
	hasEmptyTrigger,
	isLatestPublished,
	labelOf,
	simplifyFlow,
	triggerOf,
	versionOf,
} from './flow';
import { changeFlow, fetchSettledFlow } from './flowChanges';

/**
 * The service publishes even a version that cannot run, to which 0.85 responds with 404 (recorded).
 */
function assertCanBePublished(flow: IDataObject): void {
	if (hasEmptyTrigger(flow)) {
		throw refusal(`${labelOf(flow)} has no trigger`, 'Add a trigger to it in Activepieces.');
	}
	if (versionOf(flow).valid === false) {
		throw refusal(
			`The latest version of ${labelOf(flow)} is not valid`,
			'Complete the steps that Activepieces marks in its editor.',
		);
	}
}

export const publish = recordOperation({
	name: 'Publish',
	value: 'publish',
	description: 'Publish the latest version of a flow and enable the flow',
	hint: 'Also enables the flow. Changes nothing if the latest version is already published and the flow is enabled.',
	toolDescription:
		'Publishes the latest version of the Activepieces flow with the given ID, immediately enables the flow, and returns it',
	endpoint: CHANGE_FLOW,
	properties: [locatorField(flowLocator)],
	simplify: simplifyFlow,
	async record(context) {
		const { client } = context;
		const target = requestTarget(context, flowLocator);
		const latest = await fetchSettledFlow(client, target);
		if (isLatestPublished(latest) && latest.status === 'ENABLED') return latest;
		assertCanBePublished(latest);
		const change = { type: 'LOCK_AND_PUBLISH', status: 'ENABLED' } as const;
		const flow = await changeFlow(client, target, change);
		const projectId = textOf(flow.projectId);
		hintAtMissing(context, flow, await fetchMissingConnections(client, projectId, triggerOf(flow)));
		return flow;
	},
});
