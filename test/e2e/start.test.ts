/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import { join } from 'node:path';

import { EXAMPLE_CREDENTIAL, readExamples } from './support/exampleFiles';
import { packageRoot, temporaryFolder } from './support/folders';
import { freePorts, isFree, startLongRunning } from './support/longRunning';
import { signIn } from './support/rest';

/** Starts the command and waits until it is ready. */
const startEditor = async (folder: string, port: number) =>
	await startLongRunning(
		process.execPath,
		[
			...['--import', 'tsx', join(packageRoot, 'test/e2e/start.ts')],
			...[`--folder=${folder}`, `--port=${port}`],
		],
		{ cwd: packageRoot },
		{ ready: (log) => log.includes('Press Ctrl+C'), signal: 'SIGINT', stoppedWithin: 60_000 },
	);

test('npm start opens the editor with the package and workflows, Ctrl+C ends all processes, and it can be started again', async () => {
	const folder = temporaryFolder('start-test');
	const [port] = await freePorts(1);
	const url = `http://127.0.0.1:${port}`;

	const first = await startEditor(folder, port);
	expect(first.log()).toContain(url);
	expect(first.log()).toContain('password');
	const rest = await signIn(url);
	const workflows = await rest.get<Array<{ id: string; name: string }>>('/rest/workflows');
	expect(workflows.map(({ name }) => name).sort()).toEqual(
		readExamples()
			.map(({ workflow }) => workflow.name)
			.sort(),
	);
	const [credential] = await rest.get<Array<{ id: string; name: string }>>('/rest/credentials');
	expect(credential).toMatchObject(EXAMPLE_CREDENTIAL);
	// As the editor does it, which receives and sends the key redacted.
	const { id } = EXAMPLE_CREDENTIAL;
	const stored = await rest.get<object>(`/rest/credentials/${id}?includeData=true`);
	const tested = await rest.post('/rest/credentials/test', { credentials: stored });
	expect(tested).toMatchObject({ status: 'OK' });
	const service = new URL(/http:\S+(?=\/api)/.exec(first.log())?.[0] ?? '');

	await first.stop();
	expect(first.process.exitCode).toBe(0);
	expect(await isFree(port)).toBe(true);
	expect(await isFree(Number(service.port))).toBe(true);

	const second = await startEditor(folder, port);
	const again = await (await signIn(url)).get<unknown[]>('/rest/workflows');
	expect(again).toHaveLength(workflows.length);
	await second.stop();
	expect(second.process.exitCode).toBe(0);
});
