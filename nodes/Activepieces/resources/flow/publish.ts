import type { IDataObject } from 'n8n-workflow';

import { named } from '../../descriptions/field';
import type { ApiClient } from '../../transport/api/client';
import type { RequestTarget } from '../../transport/client/request';
import { refusal } from '../../transport/errors/error';
import { nameAndId } from '../../transport/texts';
import { textOf } from '../../transport/values';
import { fetchMissingConnections, hintAtMissingConnections } from '../connection/usage';
import { operation } from '../operation';
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
import { changeFlow, fetchSettledFlow } from './status';
import { missingSecrets } from './webhookSecrets';

/**
 * The service publishes even a version that cannot run, to which 0.85 responds with 404 (recorded).
 */
function assertCanBePublished(flow: IDataObject): void {
	if (hasEmptyTrigger(flow)) {
		throw refusal(`${labelOf(flow)} has no trigger`, 'Add a trigger to it in Activepieces.');
	}
	if (versionOf(flow).valid === false) {
		const trigger = triggerOf(flow);
		const [first, ...others] = missingSecrets(trigger);
		const secrets = [first, ...others].join(' and ');
		throw refusal(
			`The latest version of ${labelOf(flow)} is not valid`,
			first === undefined
				? 'Complete the steps that Activepieces marks in its editor.'
				: `The trigger ${nameAndId(textOf(trigger.displayName), textOf(trigger.name))} has no ${secrets}, which files of flows do not contain. Enter ${others.length > 0 ? 'them' : 'it'} in Activepieces, and complete the other steps that its editor marks.`,
		);
	}
}

/** Publishes the latest version of a flow, and enables the flow. */
export async function publishFlow(client: ApiClient, target: RequestTarget) {
	const latest = await fetchSettledFlow(client, target);
	if (isLatestPublished(latest) && latest.status === 'ENABLED') return latest;
	assertCanBePublished(latest);
	return await changeFlow(client, target, { type: 'LOCK_AND_PUBLISH', status: 'ENABLED' });
}

export const publish = operation({
	name: 'Publish',
	value: 'publish',
	description: 'Publish the latest version of a flow and enable the flow',
	hint: 'Also enables the flow. Changes nothing if the latest version is already published and the flow is enabled.',
	toolDescription:
		'Publishes the latest version of the Activepieces flow with the given ID, immediately enables the flow, and returns it',
	endpoint: CHANGE_FLOW,
	fields: { flow: named(flowLocator) },
	simplify: simplifyFlow,
	async record({ flow: target }, context) {
		const { client } = context;
		const flow = await publishFlow(client, target);
		const projectId = textOf(flow.projectId);
		hintAtMissingConnections(
			context,
			flow,
			await fetchMissingConnections(context, projectId, versionOf(flow)),
		);
		return flow;
	},
});
