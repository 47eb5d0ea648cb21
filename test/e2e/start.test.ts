/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import { join } from 'node:path';

import { command } from './support/command';
import { EXAMPLE_CREDENTIAL, readExamples } from './support/exampleFiles';
import { packageRoot, temporaryFolder } from './support/folders';
import { freePorts, isFree, startLongRunning } from './support/longRunning';
import { signIn } from './support/rest';

test('npm start opens the editor with the package and workflows, refuses to start twice, Ctrl+C ends all processes, and it can be started again', async () => {
	const folder = temporaryFolder('start-test');
	const [port] = await freePorts(1);
	const url = `http://127.0.0.1:${port}`;
	const program = ['--import', 'tsx', join(packageRoot, 'test/tools/start.ts')];
	const args = [...program, `--folder=${folder}`];
	const startEditor = async () =>
		await startLongRunning(
			process.execPath,
			[...args, `--port=${port}`],
			{ cwd: packageRoot },
			{ ready: (log) => log.includes('Press Ctrl+C'), signal: 'SIGINT', stoppedWithin: 60_000 },
		);

	const first = await startEditor();
	expect(first.log()).toContain(`${url}/home/workflows`);
	expect(first.log()).toMatch(/Sign-In +admin@example\.test\s+password +\S/);
	const rest = await signIn(url);
	const workflows = await rest.get<Array<{ name: string }>>('/rest/workflows');
	const names = Object.values(readExamples()).map(({ name }) => name);
	expect(workflows.map(({ name }) => name).sort()).toEqual(names.sort());
	expect(await rest.get('/rest/credentials')).toMatchObject([EXAMPLE_CREDENTIAL]);
	// As the editor does it, which receives and sends the key redacted.
	const { id } = EXAMPLE_CREDENTIAL;
	const credentials = await rest.get(`/rest/credentials/${id}?includeData=true`);
	const tested = await rest.post('/rest/credentials/test', { credentials });
	expect(tested).toMatchObject({ status: 'OK' });
	const twin = await command(process.execPath, args, { cwd: packageRoot });
	expect(twin).toMatchObject({ status: 1, stderr: expect.stringContaining(`running at ${url}`) });
	const service = new URL(/http:\S+(?=\/api)/.exec(first.log())?.[0] ?? '');

	await first.stop();
	expect(first.process.exitCode).toBe(0);
	for (const each of [port, Number(service.port)]) expect(await isFree(each)).toBe(true);

	const second = await startEditor();
	const again = await (await signIn(url)).get<unknown[]>('/rest/workflows');
	expect(again).toHaveLength(workflows.length);
	await second.stop();
	expect(second.process.exitCode).toBe(0);
});

test('npm start says which options it has', async () => {
	const file = join(packageRoot, 'test/tools/start.ts');
	const args = ['--import', 'tsx', file, '--help'];
	const { status, stdout } = await command(process.execPath, args, { cwd: packageRoot });
	expect(status).toBe(0);
	expect(stdout).toMatch(/^Starts n8n .+--folder <path>.+--port <n>/s);
});
