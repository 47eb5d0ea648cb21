/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- starts the command in Node, never inside n8n */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { packageRoot } from '../engine/harness/environment';
import { type Service, startService } from '../service';
import { readSettings } from './settings';
import { PREFIX } from './writes';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => {
	await service.close();
});
beforeEach(() => {
	service.clearFaults();
	service.clearRequests();
});

/** Starts the command as npm does. */
function start(args: string[], environment: Record<string, string>) {
	const child = spawn(
		process.execPath,
		[require.resolve('tsx/cli'), join(packageRoot, 'test/live/main.ts'), ...args],
		{ cwd: packageRoot, env: { ...process.env, N8N_USER_FOLDER: undefined, ...environment } },
	);
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
		child.on('close', (code) => resolve({ code, output }));
	});
	return { child, ended };
}

const environmentOf = ({ baseUrl, apiKey }: Service) => ({
	ACTIVEPIECES_BASE_URL: baseUrl,
	ACTIVEPIECES_API_KEY: apiKey,
});

test('prints the report and ends with 0 when nothing is wrong', async () => {
	const { code, output } = await start(['--write'], environmentOf(service)).ended;
	expect(output).toMatch(/^n8n-nodes-activepieces \d+\.\d+\.\d+, n8n-core \d+\.\d+\.\d+, Node\.js/);
	expect(output).toContain('Activepieces 0.85.2, edition Enterprise, with API key');
	expect(output).toMatch(/\d+ work, 0 not offered .*, 0 wrong\.\n$/);
	expect(output).not.toContain(service.apiKey);
	expect(code).toBe(0);
});

test('ends with 1 when something is wrong', async () => {
	service.fault({ path: '/v1/global-connections', kind: { body: { data: [{ id: 7 }] } } });
	const { code, output } = await start([], environmentOf(service)).ended;
	expect(output).toContain('id must be string (1 of 1)');
	expect(code).toBe(1);
});

test('deletes its folder when it is interrupted', async () => {
	service.fault({ method: 'POST', path: /^\/v1\/folders\/\w+/, kind: { delay: 60_000 } });
	const own = () =>
		service.data.folders.filter(({ displayName }) => displayName.startsWith(PREFIX));
	const { child, ended } = start(['--write'], environmentOf(service));
	const renaming = () =>
		service.requests.some(({ path }) => /^\/v1\/folders\/\w+$/.test(path) && own().length > 0);
	while (child.exitCode === null && !renaming()) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	expect(own()).toHaveLength(1);
	child.kill('SIGINT');
	expect((await ended).code).toBe(130);
	expect(own()).toEqual([]);
});

describe('settings', () => {
	const base = { ACTIVEPIECES_BASE_URL: 'https://flows.example.com/api' };

	test('take a key before e-mail and password', () => {
		const environment = {
			...base,
			ACTIVEPIECES_API_KEY: 'sk-1',
			ACTIVEPIECES_EMAIL: 'a@b.c',
			ACTIVEPIECES_PASSWORD: 'secret',
		};
		expect(readSettings(['--write'], environment)).toEqual({
			baseUrl: base.ACTIVEPIECES_BASE_URL,
			login: { apiKey: 'sk-1' },
			write: true,
		});
		expect(readSettings([], { ...environment, ACTIVEPIECES_API_KEY: '' })).toEqual({
			baseUrl: base.ACTIVEPIECES_BASE_URL,
			login: { email: 'a@b.c', password: 'secret' },
			write: false,
		});
	});

	test('name what is missing', () => {
		expect(() => readSettings([], base)).toThrow(
			/^Set ACTIVEPIECES_API_KEY, or ACTIVEPIECES_EMAIL/,
		);
	});

	test('repeat no argument, which may be a key', () => {
		expect(() => readSettings(['sk-1'], base)).toThrow('The only option is --write.');
	});
});
