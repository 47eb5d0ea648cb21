/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { endTree, start } from './support/command';
import { EXAMPLE_CREDENTIAL, readExamples } from './support/exampleFiles';
import { packageRoot, temporaryFolder } from './support/folders';
import { freePorts, isFree } from './support/ports';
import { signIn } from './support/rest';

interface Started {
	process: ChildProcess;
	/** Everything it printed */
	text: () => string;
	ended: Promise<number | null>;
}

/** Starts the command and waits until it is ready. */
async function startEditor(folder: string, port: number): Promise<Started> {
	const child = start(
		process.execPath,
		[
			'--import',
			'tsx',
			join(packageRoot, 'test/e2e/start.ts'),
			`--folder=${folder}`,
			`--port=${port}`,
		],
		{ cwd: packageRoot },
	);
	let text = '';
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	await new Promise<void>((resolve, reject) => {
		const listen = (chunk: string) => {
			text += chunk;
			if (text.includes('Ctrl-C ends both')) resolve();
		};
		child.stdout?.setEncoding('utf8').on('data', listen);
		child.stderr?.setEncoding('utf8').on('data', listen);
		void ended.then((code) => reject(new Error(`It ended with ${code}:\n${text}`)));
	});
	return { process: child, text: () => text, ended };
}

test('npm start opens the editor with the package and workflows, Ctrl-C ends all processes, and it can be started again', async () => {
	const folder = temporaryFolder('start-test');
	const [port] = await freePorts(1);
	const url = `http://127.0.0.1:${port}`;

	const first = await startEditor(folder, port);
	expect(first.text()).toContain(url);
	expect(first.text()).toContain('password');
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
	const service = new URL(/http:\S+(?=\/api)/.exec(first.text())?.[0] ?? '');

	endTree(first.process, 'SIGINT');
	expect(await first.ended).toBe(0);
	expect(await isFree(port)).toBe(true);
	expect(await isFree(Number(service.port))).toBe(true);

	const second = await startEditor(folder, port);
	const again = await (await signIn(url)).get<unknown[]>('/rest/workflows');
	expect(again).toHaveLength(workflows.length);
	endTree(second.process, 'SIGINT');
	expect(await second.ended).toBe(0);
});
