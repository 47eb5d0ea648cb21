import type { INodeParameters } from 'n8n-workflow';

import type { Inbox } from '../examples/inbox';
import { eventually } from './longRunning';
import type { Running } from './running';
import { activepiecesTrigger, step, workflow, type WorkflowJson } from './workflow';

/** How often the triggers of the tests poll. */
export const POLL_MS = 5000;

/** n8n refuses an interval below a minute, but accepts several times in a minute. */
export const POLL_TIMES = {
	item: Array.from({ length: 60_000 / POLL_MS }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${(index * POLL_MS) / 1000} * * * * *`,
	})),
};

/** n8n 1 keeps the state only of workflows with IDs of up to 16 characters, like its own. */
export const triggerWorkflowId = (name: string) => `ap-${name}`.slice(0, 16);

/**
 * A workflow that posts the items of the trigger to the inbox, under the name of the workflow.
 *
 * @param credential its ID
 */
export function triggerWorkflow(
	name: string,
	inbox: Inbox,
	parameters: INodeParameters,
	credential = 'good',
): WorkflowJson {
	const given = { pollTimes: POLL_TIMES, ...parameters };
	const url = `${inbox.url}/${name}`;
	const body = { sendBody: true, specifyBody: 'json', jsonBody: '={{ JSON.stringify($json) }}' };
	return workflow(triggerWorkflowId(name), [
		activepiecesTrigger('Activepieces Trigger', credential, given),
		step('Post', 'httpRequest', 4.2, { method: 'POST', url, ...body, options: {} }),
	]);
}

/** A field of everything that the workflow with this name has posted, in order. */
export const receivedBy = ({ received }: Inbox, name: string, field = 'id') =>
	received(name).map((body) => body[field]);

/** Activates and deactivates workflows as n8n's editor does. */
export function createActivation(running: Pick<Running, 'release' | 'rest'>) {
	const isPublication = running.release.startsWith('2.');

	/** n8n 2 responds before it has polled, and reports the outcome afterwards. */
	async function published(id: string, ...statuses: string[]): Promise<void> {
		if (!isPublication) return;
		const { status, triggers } = await eventually(async () => {
			const now = await running.rest.get<{
				status: string;
				triggers: Array<{ errorMessage: string }>;
			}>(`/rest/workflows/${id}/publication-status`);
			if (!statuses.includes(now.status)) throw new Error(`${id}: ${now.status}`);
			return now;
		});
		if (status === 'failed') throw new Error(triggers[0].errorMessage);
	}

	return {
		/** @throws n8n's message when the workflow cannot be activated */
		async activate(id: string): Promise<void> {
			const { versionId } = await running.rest.get<{ versionId: string }>(`/rest/workflows/${id}`);
			await running.rest.post(`/rest/workflows/${id}/activate`, { versionId });
			await published(id, 'published', 'failed');
		},
		async deactivate(id: string): Promise<void> {
			await running.rest.post(`/rest/workflows/${id}/deactivate`, {});
			await published(id, 'not_published');
		},
	};
}
