import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../../engine/harness/byId';
import type { Service } from '../../service';
import { eventually, NOT_KEPT_ALIVE } from './longRunning';
import { addWorkflow, type Rest } from './rest';
import { activepieces, set, step, workflow } from './workflow';

type Kind = 'list' | 'rename' | 'delete';

/** A call of a webhook for a record of its own, so that its requests can be distinguished. */
export interface Job {
	kind: Kind;
	/** ID of the project, the folder or the invitation, which the URLs of its requests contain */
	id: string;
	/** The new one of a folder */
	name: string;
	/** The response of the webhook after a success, in any order */
	items: object[];
	/** The number of requests when each is sent once */
	requests: number;
	/** Whether the service has done it; a list changes nothing */
	isDone(): boolean;
}

const PAGE = 10;
const ID = byId('={{ $json.body.id }}');

/** The node's parameters for each kind, and the response for each of its items. */
const WORKFLOWS: Record<Kind, [INodeParameters, object]> = {
	list: [
		{
			resource: 'flow',
			operation: 'getAll',
			projectId: ID,
			returnAll: true,
			// Without the request for the names of the projects, which each execution would send.
			simplify: false,
			options: { pageSize: PAGE },
		},
		{ flow: '{{ $json.id }}', project: "{{ $('Webhook').item.json.body.id }}" },
	],
	rename: [
		{
			resource: 'folder',
			operation: 'update',
			folderId: ID,
			displayName: '={{ $json.body.name }}',
			simplify: false,
		},
		{ id: '{{ $json.id }}', name: '{{ $json.displayName }}' },
	],
	delete: [
		{ resource: 'userInvitation', operation: 'delete', invitationId: ID },
		{ deleted: '{{ $json.deleted }}' },
	],
};

/**
 * Makes jobs of the three kinds in turn; a service has room for as many of each kind as it has projects.
 *
 * @param names new name of the folders, without a number
 */
export function makeJobs({ data }: Service, ofEachKind: number, names: string): Job[] {
	const invitations = data.invitations.filter(({ type }) => type === 'PLATFORM');
	return data.projects.slice(0, ofEachKind).flatMap(({ id: project }, index): Job[] => {
		const flows = data.flows.filter(({ projectId }) => projectId === project);
		const folder = data.folders[index];
		const invitation = invitations[index].id;
		const name = `${names} ${index}`;
		return [
			{
				kind: 'list',
				id: project,
				name,
				items: flows.map(({ id }) => ({ flow: id, project })),
				requests: Math.ceil(flows.length / PAGE),
				isDone: () => true,
			},
			{
				kind: 'rename',
				id: folder.id,
				name,
				items: [{ id: folder.id, name }],
				requests: 1,
				isDone: () => folder.displayName === name,
			},
			{
				kind: 'delete',
				id: invitation,
				name,
				items: [{ deleted: 'true' }],
				requests: 1,
				isDone: () => !data.invitations.some(({ id }) => id === invitation),
			},
		];
	});
}

/** How many requests of a job the service has received. */
export const requestsOf = ({ requests }: Service, { id }: Job) =>
	requests.filter(({ url }) => url.includes(id)).length;

/** Makes an active workflow for each kind: a call of its webhook is the input of one operation of the node. */
export async function publishWebhooks(url: string, rest: Rest, credential: string): Promise<void> {
	for (const [kind, [parameters, answer]] of Object.entries(WORKFLOWS)) {
		const called = { path: kind, httpMethod: 'POST' };
		const answers = { responseMode: 'lastNode', responseData: 'allEntries' };
		const steps = [
			// Without an ID the path would begin with the workflow's.
			{ ...step('Webhook', 'webhook', 2, { ...called, ...answers }), webhookId: kind },
			activepieces('Activepieces', credential, parameters),
			set('Answer', answer),
		];
		const { id, versionId } = await addWorkflow(rest, workflow(kind, steps));
		await rest.post(`/rest/workflows/${id}/activate`, { versionId });
		// n8n 2.x responds before the webhook can be called. This calls nothing, because it accepts POST only.
		await eventually(async () => {
			const text = await (await fetch(`${url}/webhook/${kind}`)).text();
			if (!text.includes('not registered for GET')) throw new Error(`${kind}: ${text}`);
		});
	}
}

export interface Answer {
	/** 0 when no response came in time */
	status: number;
	/** The output of the last node, after a success */
	items?: object[];
}

async function callWebhook(url: string, job: Job, signal: AbortSignal): Promise<Answer> {
	const { kind, id, name } = job;
	const response = await fetch(`${url}/webhook/${kind}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...NOT_KEPT_ALIVE },
		body: JSON.stringify({ id, name }),
		signal,
	});
	const { status } = response;
	return status === 200 ? { status, items: (await response.json()) as object[] } : { status };
}

/** Enough that jobs are always waiting for two workers */
const AT_ONCE = 20;

/** Calls the webhooks of jobs, a number at a time, and returns the responses in the order of the jobs. */
export async function callWebhooks(url: string, jobs: Job[], givenUp: AbortSignal) {
	const answers: Answer[] = [];
	const waiting = jobs.entries();
	async function caller() {
		for (const [index, job] of waiting) {
			answers[index] = await callWebhook(url, job, givenUp).catch(async (error: Error) =>
				givenUp.aborted ? { status: 0 } : await Promise.reject(error),
			);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, caller));
	return answers;
}
