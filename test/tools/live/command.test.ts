/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- starts the command in Node, never inside n8n */
import { join } from 'node:path';

import { start as startProgram, statusOf } from '../../e2e/support/command';
import { packageRoot } from '../../engine/harness/environment';
import { startService, type Service } from '../../service';
import { live } from './main';
import { readSettings } from './settings';
import { PREFIX } from './writes';

/** Starts the command as npm does. */
function start(args: string[], { baseUrl, apiKey }: Pick<Service, 'baseUrl' | 'apiKey'>) {
	const server = { ACTIVEPIECES_BASE_URL: baseUrl, ACTIVEPIECES_API_KEY: apiKey };
	const child = startProgram(
		process.execPath,
		[require.resolve('tsx/cli'), join(packageRoot, 'test/tools/live/main.ts'), ...args],
		{ cwd: packageRoot, env: { ...process.env, N8N_USER_FOLDER: undefined, ...server } },
	);
	return { child, ended: statusOf(child) };
}

test('deletes its folder when it is interrupted', async () => {
	const service = await startService({ data: { projects: 0, flows: 0 } });
	service.fault({ method: 'POST', path: /^\/v1\/folders\/\w+/, kind: { delay: 60_000 } });
	const own = () =>
		service.data.folders.filter(({ displayName }) => displayName.startsWith(PREFIX));
	const { child, ended } = start(['--write'], service);
	const renaming = () =>
		service.requests.some(({ path }) => /^\/v1\/folders\/\w+$/.test(path) && own().length > 0);
	while (child.exitCode === null && !renaming()) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	expect(own()).toHaveLength(1);
	child.kill('SIGINT');
	expect(await ended).toBe(130);
	expect(own()).toEqual([]);
	await service.close();
});

const SERVER = { ACTIVEPIECES_BASE_URL: 'https://flows.example.com/api' };
test.each([
	[{}, /^Set ACTIVEPIECES_BASE_URL\.$/],
	[SERVER, /^Set ACTIVEPIECES_API_KEY, or ACTIVEPIECES_EMAIL/],
	[{ ...SERVER, ACTIVEPIECES_EMAIL: 'a@b.c' }, /^Set ACTIVEPIECES_API_KEY, or/],
])('settings that are missing are named (%#)', (environment, message) => {
	expect(() => readSettings([], environment)).toThrow(message);
});

test('an unknown argument gives 1 and the usage', async () => {
	const print = jest.spyOn(console, 'error').mockImplementation();
	expect(await live(['sk-1'], SERVER)).toBe(1);
	const printed = String(print.mock.calls);
	expect(printed).toMatch(/^The only option is --write\.\n\nRuns the node against your/);
	// It may be a key.
	expect(printed).not.toContain('sk-1');
});
