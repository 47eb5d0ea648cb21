/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { setMaxListeners } from 'node:events';
import { request } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import type { Rest } from './rest';
import { pause } from './longRunning';
import { activepieces, chain, fields, workflow } from './workflow';

/** The first node of a workflow that is called over HTTP and answers with what its last node gives. */
const webhook = (path: string) => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	// Without it the path would begin with the workflow's id.
	webhookId: path,
	parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', responseData: 'allEntries' },
});

const REGISTERED_WITHIN_MS = 60_000;

/** n8n 2.x answers the activation before the webhook can be called. */
async function untilRegistered(url: string): Promise<void> {
	const deadline = Date.now() + REGISTERED_WITHIN_MS;
	for (;;) {
		// Calls nothing: the webhook takes POST only, and n8n says so as soon as it knows it.
		const text = await (await fetch(url)).text();
		if (text.includes('not registered for GET')) return;
		if (Date.now() > deadline) throw new Error(`${url} was not registered: ${text}`);
		await pause(100);
	}
}

/**
 * Makes an active workflow: the webhook's call is the input of one operation of ours, of whose items the
 * named fields are answered.
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
	// n8n gives the id.
	const json = { ...workflow(path, steps, chain(...steps)), id: undefined };
	const { id, versionId } = await rest.post<{ id: string; versionId: string }>(
		'/rest/workflows',
		json,
	);
	await rest.post(`/rest/workflows/${id}/activate`, { versionId });
	await untilRegistered(`${url}/webhook/${path}`);
}

/** What a call of a webhook gave. */
export interface Answer {
	/** 0 when no answer came before we gave up */
	status: number;
	/** What the last node gave, when all went well */
	items: object[];
	/** What n8n said otherwise */
	text: string;
}

interface Call {
	path: string;
	body: object;
}

/**
 * A connection of its own for each call: one that is kept alive may be closed by n8n just when it is used
 * again, and then nobody knows whether the call has been heard.
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

/** So many that jobs are always waiting for two workers */
const AT_ONCE = 20;

/**
 * Calls webhooks, some at a time.
 *
 * @returns the answers as they come, in the order of the calls, and a promise of all of them
 */
export function callWebhooks(url: string, calls: Call[], givenUp: AbortSignal) {
	// Each call listens to it.
	setMaxListeners(0, givenUp);
	const answers: Answer[] = [];
	const waiting = calls.entries();
	async function caller() {
		for (const [index, call] of waiting) answers[index] = await callWebhook(url, call, givenUp);
	}
	const all = Promise.all(Array.from({ length: AT_ONCE }, caller)).then(() => answers);
	return { answers, all };
}
