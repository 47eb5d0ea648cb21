import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { ApiClient } from '../../nodes/Activepieces/transport/client';
import { formatSession } from '../../nodes/Activepieces/transport/credential';
import { Run } from '../../nodes/Activepieces/transport/run';

const account = {
	baseUrl: 'https://host.example/api',
	email: 'nathan@example.com',
	password: 'correct horse',
};

const tokenOf = (projectId: string) =>
	`header.${Buffer.from(JSON.stringify({ projectId })).toString('base64url')}.signature`;
const around = (
	name: 'activepiecesApi' | 'activepiecesSignInApi',
	data: ICredentialDataDecryptedObject,
) => ({ credential: { name, data }, run: new Run(), place: 'node' }) as const;

test('signing in first has its own time-out', async () => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	const answer = { statusCode: 200, headers: {}, body: '{}' };
	for (const [sessionToken, ms] of [
		['', 2000],
		[formatSession(account, tokenOf('first')), 1000],
	] as const) {
		const data = { ...account, sessionToken, timeout: 1000 };
		const sender = async () => {
			data.sessionToken = formatSession(account, tokenOf('first'));
			return answer;
		};
		const client = new ApiClient(sender, around('activepiecesSignInApi', data));
		timeout.mockClear();
		await client.request({ url: '/v1/flows' });
		expect(timeout.mock.calls).toEqual([[ms]]);
	}
	timeout.mockRestore();
});

test('n8n’s text about a request shows no secret', async () => {
	const apiKey = `sk-${'k'.repeat(61)}`;
	const data = { baseUrl: account.baseUrl, apiKey, proxy: 'http://us:correct-horse@proxy.example' };
	const sender = async () => await Promise.reject(new Error(`${apiKey} by correct-horse`));
	const client = new ApiClient(sender, around('activepiecesApi', data));
	expect(await client.request({ url: '/v1/flows' })).toMatchObject({
		connectionError: { kind: 'other', text: '*** by ***' },
	});
});

test('a session token is decoded once, not for each of a thousand records, and again when it changes', () => {
	const data = { ...account, sessionToken: formatSession(account, tokenOf('first')) };
	const settings = around('activepiecesSignInApi', data);
	const client = new ApiClient(async () => undefined, settings);
	const decode = jest.spyOn(JSON, 'parse');
	const ids = Array.from({ length: 1000 }, () => client.tokenProjectId);
	expect(new Set(ids)).toEqual(new Set(['first']));
	const perToken = decode.mock.calls.length;
	expect(perToken).toBeLessThanOrEqual(3);
	data.sessionToken = formatSession(account, tokenOf('second'));
	expect(Array.from({ length: 1000 }, () => client.tokenProjectId).at(-1)).toBe('second');
	expect(decode.mock.calls.length).toBe(2 * perToken);
	decode.mockRestore();
});
