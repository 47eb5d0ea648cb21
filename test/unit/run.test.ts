/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node, never inside n8n */
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { sleep, type ICredentialDataDecryptedObject, type IHttpRequestOptions } from 'n8n-workflow';

import { ApiClient } from '../../nodes/Activepieces/transport/api/client';
import { NodeRun } from '../../nodes/Activepieces/transport/client/nodeRun';
import { formatSession } from '../../nodes/Activepieces/transport/credential/credential';
import { exchange } from '../../nodes/Activepieces/transport/http/exchange';
import {
	createRedactor,
	NO_SECRETS,
	NOT_SHOWN,
} from '../../nodes/Activepieces/transport/http/redact';

const baseUrl = 'https://host.example/api';
const account = { baseUrl, email: 'nathan@example.com', password: 'correct horse' };
const apiKey = `sk-${'k'.repeat(61)}`;
const OK = { statusCode: 200, headers: {}, body: '{}' };

const tokenOf = (projectId: string) =>
	`header.${Buffer.from(JSON.stringify({ projectId })).toString('base64url')}.signature`;
const around = (
	name: 'activepiecesApi' | 'activepiecesSignInApi',
	data: ICredentialDataDecryptedObject,
) => ({ credential: { name, data }, nodeRun: new NodeRun(), place: 'node' }) as const;

test('a run in a workflow that was canceled before sends nothing', async () => {
	const run = new NodeRun(AbortSignal.abort());
	expect(run.end.isEnded).toBe(true);
	expect(await run.end.wait(60_000)).toBe(false);
	// Of a sign-in that n8n begins only now.
	const abort = jest.fn();
	run.end.onCancel(abort);
	expect(abort).toHaveBeenCalledTimes(1);
});

test('a run that has ended leaves no listener on the signal of the execution, which runs the node again', () => {
	const { signal } = new AbortController();
	const runs = Array.from({ length: 20 }, () => new NodeRun(signal));
	expect(getEventListeners(signal, 'abort')).toHaveLength(20);
	for (const run of runs) run.end.stop();
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('what items share is read again after its time, which begins when it is read', async () => {
	const now = jest.spyOn(performance, 'now').mockReturnValue(0);
	const run = new NodeRun();
	const ends: Array<() => void> = [];
	const read = async () => await new Promise<void>((resolve) => ends.push(resolve));
	const readAt = async (time: number) => {
		now.mockReturnValue(time);
		void run.cached('list', read, 10);
		await sleep(0);
		return ends.length;
	};
	expect(await readAt(0)).toBe(1);
	// A list that takes longer
	expect(await readAt(50)).toBe(1);
	ends[0]();
	await sleep(0);
	expect(await readAt(60)).toBe(1);
	expect(await readAt(61)).toBe(2);
	now.mockRestore();
});

test('a response that arrives after the time-out is closed', async () => {
	const body = Readable.from(['late']);
	let respond: (response: object) => void = () => {};
	const send = async () => await new Promise<object>((resolve) => (respond = resolve));
	const getRedactor = () => createRedactor(NO_SECRETS);
	const result = await exchange(send, { url: baseUrl }, { timeoutMs: 1, getRedactor });
	expect(result).toEqual({ connectionError: { kind: 'timeout' } });
	respond({ ...OK, body });
	await sleep(1);
	expect(body.destroyed).toBe(true);
});

test('a run that has ended sends no request that waits for its turn', async () => {
	const settings = around('activepiecesApi', { baseUrl, apiKey });
	let sent = 0;
	const sender = async () => {
		sent++;
		settings.nodeRun.end.stop();
		return OK;
	};
	const client = new ApiClient(sender, settings);
	const endpoint = { method: 'GET', path: '/v1/flows' } as const;
	const request = { endpoint, subject: { noun: 'flows' } };
	const send = async () => await client.request(request);
	const results = await Promise.allSettled(Array.from({ length: 30 }, send));
	expect(sent).toBe(1);
	expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('signing in first has its own time-out', async () => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	const session = formatSession(account, tokenOf('first'));
	for (const sessionToken of ['', session]) {
		const data = { ...account, sessionToken, timeout: 1000 };
		const sender = async () => {
			data.sessionToken = session;
			return OK;
		};
		const client = new ApiClient(sender, around('activepiecesSignInApi', data));
		timeout.mockClear();
		await client.attempt({ url: '/v1/flows' });
		expect(timeout.mock.calls).toEqual([[sessionToken === '' ? 2000 : 1000]]);
	}
	timeout.mockRestore();
});

test('tools of one agent’s run with the same credential have their own Request Options', async () => {
	const shared = around('activepiecesApi', { baseUrl, apiKey });
	const send = jest.fn<Promise<object>, [IHttpRequestOptions]>(
		async () => await Promise.resolve(OK),
	);
	const proxy = { host: 'proxy.example', port: 3128 };
	const clients = [{ proxy }, {}].map((settings) => new ApiClient(send, { ...shared, settings }));
	for (const client of clients) await client.attempt({ url: '/v1/flows' });
	expect(send.mock.calls.map(([options]) => options.proxy)).toEqual([proxy, undefined]);
});

test.each(['us:correct-horse', 'correct-horse'])(
	'n8n’s text with %s is not shown',
	async (user) => {
		const data = { baseUrl, apiKey, proxy: `http://${user}@proxy.example` };
		const sender = async () => await Promise.reject(new Error(`${apiKey} by correct-horse`));
		const client = new ApiClient(sender, around('activepiecesApi', data));
		const connectionError = { kind: 'other', text: NOT_SHOWN };
		expect(await client.attempt({ url: '/v1/flows' })).toMatchObject({ connectionError });
	},
);
