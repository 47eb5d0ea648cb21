/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { setMaxListeners } from 'node:events';
import { request } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import type { Rest } from './rest';
import { pause } from './longRunning';
import { activepieces, chain, fields, workflow } from './workflow';

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
