/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { setMaxListeners } from 'node:events';
import { request } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../../engine/harness/byId';
import type { RecordedRequest, Service } from '../../service';
import { pause } from './longRunning';
import type { Rest } from './rest';
import { activepieces, chain, fields, workflow } from './workflow';

export type Kind = 'list' | 'rename' | 'delete';

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
export const WORKFLOWS: Record<
	Kind,
	{ parameters: INodeParameters; answer: Record<string, string> }
> = {
	list: {
		parameters: {
			resource: 'flow',
			operation: 'getAll',
			projectId: byId('={{ $json.body.project }}'),
			returnAll: true,
			// Without the request for the names of the projects, which each execution would send.
			simplify: false,
			options: { pageSize: PAGE },
		},
		answer: { flow: '={{ $json.id }}', project: "={{ $('Webhook').item.json.body.project }}" },
	},
	rename: {
		parameters: {
			resource: 'folder',
			operation: 'update',
			folderId: byId('={{ $json.body.folder }}'),
			displayName: '={{ $json.body.name }}',
			simplify: false,
		},
		answer: { id: '={{ $json.id }}', name: '={{ $json.displayName }}' },
	},
	delete: {
		parameters: {
			resource: 'userInvitation',
			operation: 'delete',
			invitationId: byId('={{ $json.body.invitation }}'),
		},
		answer: { deleted: '={{ $json.deleted }}' },
	},
};

/**
 * Makes jobs of the three kinds in turn; a service has room for as many of each kind as it has projects.
 *
 * @param name new name of the folders, without a number
 */
export function makeJobs(service: Service, ofEachKind: number, name: string): Job[] {
	const { data } = service;
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
	for (const request of requests) {
		const target = targetOf(request);
		counts.set(target, (counts.get(target) ?? 0) + 1);
	}
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

const REGISTERED_WITHIN_MS = 60_000;

/** n8n 2.x responds to the activation before the webhook can be called. */
async function untilRegistered(url: string): Promise<void> {
	const deadline = Date.now() + REGISTERED_WITHIN_MS;
	for (;;) {
		// This calls nothing: the webhook accepts POST only, and n8n says so once the webhook is registered.
		const text = await (await fetch(url)).text();
		if (text.includes('not registered for GET')) return;
		if (Date.now() > deadline) throw new Error(`${url} was not registered: ${text}`);
		await pause(100);
	}
}

/**
 * Makes an active workflow: the webhook's call is the input of one operation of the node, and the
 * response contains the named fields of its items.
 */
export async function publishWebhook(
	url: string,
	rest: Rest,
	path: string,
	credential: string,
	parameters: INodeParameters,
	answer: Record<string, string>,
): Promise<void> {
	const steps = [
		webhook(path),
		activepieces('Activepieces', credential, parameters),
		fields('Answer', answer),
	];
	// n8n assigns the ID.
	const json = { ...workflow(path, steps, chain(...steps)), id: undefined };
	const { id, versionId } = await rest.post<{ id: string; versionId: string }>(
		'/rest/workflows',
		json,
	);
	await rest.post(`/rest/workflows/${id}/activate`, { versionId });
	await untilRegistered(`${url}/webhook/${path}`);
}

export interface Answer {
	/** 0 when no response came in time */
	status: number;
	/** The output of the last node, after a success */
	items: object[];
	/** n8n's text otherwise */
	text: string;
}

interface Call {
	path: string;
	body: object;
}

/**
 * Uses a connection for each call: n8n may close one that is kept alive just when it is used again, and
 * then it is unknown whether the call arrived.
 */
async function callWebhook(url: string, { path, body }: Call, givenUp: AbortSignal) {
	return await new Promise<Answer>((resolve, reject) => {
		const failed = (error: Error) => {
			if (givenUp.aborted) resolve({ status: 0, items: [], text: '' });
			else reject(error);
		};
		request(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			agent: false,
			signal: givenUp,
		})
			.on('error', failed)
			.on('response', (response) => {
				let text = '';
				response
					.setEncoding('utf8')
					.on('error', failed)
					.on('data', (part: string) => (text += part))
					.on('end', () => {
						const status = response.statusCode ?? 0;
						const items = status === 200 ? (JSON.parse(text) as object[]) : [];
						resolve({ status, items, text: status === 200 ? '' : text });
					});
			})
			.end(JSON.stringify(body));
	});
}

/** Enough that jobs are always waiting for two workers */
const AT_ONCE = 20;

/**
 * Calls webhooks, a number at a time.
 *
 * @returns the responses as they arrive, in the order of the calls, and a promise of all of them
 */
export function callWebhooks(url: string, calls: Call[], givenUp: AbortSignal) {
	// Each call adds a listener.
	setMaxListeners(0, givenUp);
	const answers: Answer[] = [];
	const waiting = calls.entries();
	async function caller() {
		for (const [index, call] of waiting) answers[index] = await callWebhook(url, call, givenUp);
	}
	const all = Promise.all(Array.from({ length: AT_ONCE }, caller)).then(() => answers);
	return { answers, all };
}
