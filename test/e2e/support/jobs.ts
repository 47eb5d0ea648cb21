import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../../engine/harness/byId';
import type { RecordedRequest, Service } from '../../service';
import { eventually } from './longRunning';
import { addWorkflow, type Rest } from './rest';
import { activepieces, chain, fields, workflow } from './workflow';

type Kind = 'list' | 'rename' | 'delete';

/** A call of a webhook for a record of its own, so that its requests can be distinguished. */
export interface Job {
	kind: Kind;
	body: object;
	/** The response of the webhook after a success, in any order */
	items: object[];
	/** What its requests have in common, and how many there are when each is sent once */
	target: string;
	requests: number;
	/** Whether the service has done it; a list changes nothing */
	isDone(): boolean;
}

const PAGE = 10;

/** The node's parameters for each kind, and the fields of the response. */
const WORKFLOWS: Record<Kind, [INodeParameters, Record<string, string>]> = {
	list: [
		{
			resource: 'flow',
			operation: 'getAll',
			projectId: byId('={{ $json.body.project }}'),
			returnAll: true,
			// Without the request for the names of the projects, which each execution would send.
			simplify: false,
			options: { pageSize: PAGE },
		},
		{ flow: '={{ $json.id }}', project: "={{ $('Webhook').item.json.body.project }}" },
	],
	rename: [
		{
			resource: 'folder',
			operation: 'update',
			folderId: byId('={{ $json.body.folder }}'),
			displayName: '={{ $json.body.name }}',
			simplify: false,
		},
		{ id: '={{ $json.id }}', name: '={{ $json.displayName }}' },
	],
	delete: [
		{
			resource: 'userInvitation',
			operation: 'delete',
			invitationId: byId('={{ $json.body.invitation }}'),
		},
		{ deleted: '={{ $json.deleted }}' },
	],
};

/**
 * Makes jobs of the three kinds in turn; a service has room for as many of each kind as it has projects.
 *
 * @param name new name of the folders, without a number
 */
export function makeJobs({ data }: Service, ofEachKind: number, name: string): Job[] {
	const invitations = data.invitations.filter(({ type }) => type === 'PLATFORM');
	return data.projects.slice(0, ofEachKind).flatMap(({ id: project }, index): Job[] => {
		const flows = data.flows.filter(({ projectId }) => projectId === project);
		const folder = data.folders[index];
		const newName = `${name} ${index}`;
		const invitation = invitations[index].id;
		return [
			{
				kind: 'list',
				body: { project },
				items: flows.map(({ id }) => ({ flow: id, project })),
				target: `GET /v1/flows of ${project}`,
				requests: Math.ceil(flows.length / PAGE),
				isDone: () => true,
			},
			{
				kind: 'rename',
				body: { folder: folder.id, name: newName },
				items: [{ id: folder.id, name: newName }],
				target: `POST /v1/folders/${folder.id}`,
				requests: 1,
				isDone: () => folder.displayName === newName,
			},
			{
				kind: 'delete',
				body: { invitation },
				items: [{ deleted: 'true' }],
				target: `DELETE /v1/user-invitations/${invitation}`,
				requests: 1,
				isDone: () => !data.invitations.some(({ id }) => id === invitation),
			},
		];
	});
}

const targetOf = ({ method, path, query }: RecordedRequest) =>
	`${method} ${path}${typeof query.projectId === 'string' ? ` of ${query.projectId}` : ''}`;

export function requestsByTarget({ requests }: Service): Map<string, number> {
	const counts = new Map<string, number>();
	for (const target of requests.map(targetOf)) counts.set(target, (counts.get(target) ?? 0) + 1);
	return counts;
}

/** The first node of a workflow that is called over HTTP and responds with the output of its last node. */
const webhook = (path: string) => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	// Without it the path would begin with the workflow's ID.
	webhookId: path,
	parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', responseData: 'allEntries' },
});

/**
 * Makes an active workflow for each kind: the webhook's call is the input of one operation of the node,
 * and the response contains the named fields of its items.
 */
export async function publishWebhooks(url: string, rest: Rest, credential: string): Promise<void> {
	for (const [kind, [parameters, answer]] of Object.entries(WORKFLOWS)) {
		const node = activepieces('Activepieces', credential, parameters);
		const steps = [webhook(kind), node, fields('Answer', answer)];
		const { id, versionId } = await addWorkflow(rest, workflow(kind, steps, chain(...steps)));
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

async function callWebhook(url: string, { kind, body }: Job, signal: AbortSignal): Promise<Answer> {
	const response = await fetch(`${url}/webhook/${kind}`, {
		method: 'POST',
		// n8n may close a connection that is kept alive just when it is used again, and then it is unknown
		// whether the call arrived.
		headers: { 'content-type': 'application/json', connection: 'close' },
		body: JSON.stringify(body),
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
