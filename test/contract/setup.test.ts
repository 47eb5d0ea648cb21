/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals -- runs a script in a folder of its own, never inside n8n */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packageRoot } from '../engine/harness/environment';

const one = { version: '1.0.0' };

const LOCK = {
	packages: {
		'': {},
		'node_modules/first': one,
		'node_modules/@scope/second': one,
		'node_modules/only-on-a-mac': { ...one, optional: true },
	},
};

/** Installs one package, and the other one when it gets a line of input. */
const NPM = `
	const { mkdirSync, writeFileSync } = require('node:fs');
	const install = (name) => {
		mkdirSync('node_modules/' + name, { recursive: true });
		writeFileSync('node_modules/' + name + '/package.json', '{ "version": "1.0.0" }');
	};
	install('first');
	process.stdin.once('data', () => install('@scope/second')).on('end', () => process.exit());
`;

const files = {
	'package-lock.json': JSON.stringify(LOCK),
	'npm-cli.js': NPM,
	'run.mjs': `import { setUp } from './scripts/setup.mjs'; await setUp({ everyMs: 5 }); console.log('Ready');`,
};

let folder: string;
let child: ChildProcess;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'setup-'));
	cpSync(join(packageRoot, 'scripts/setup.mjs'), join(folder, 'scripts/setup.mjs'));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterEach(() => {
	child.stdin?.destroy();
	child.kill();
	rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs the script without a terminal, as CI does, and gives what it prints, each line once. Whether it also counts before
 * the first package and after the last one depends on the machine.
 */
async function run(answer?: { line: string; input: string }) {
	const env = { ...process.env, npm_execpath: join(folder, 'npm-cli.js') };
	const script = spawn(process.execPath, ['run.mjs'], { cwd: folder, env });
	child = script;
	let printed = '';
	script.stderr.on('data', (part) => (printed += String(part)));
	script.stdout.on('data', (part) => {
		printed += String(part);
		if (answer !== undefined && printed.includes(answer.line)) script.stdin.end(answer.input);
	});
	const status = await new Promise((done) => script.on('close', done));
	const lines = [...new Set(printed.trim().split('\n'))];
	return { status, lines: lines.filter((line) => !/^ {2}[02] of 2 packages$/.test(line)) };
}

test('the first command in a clone says how far the installation is, also without a terminal', async () => {
	expect(await run({ line: '  1 of 2 packages', input: '\n' })).toEqual({
		status: 0,
		lines: [
			'Installing the 2 packages in package-lock.json. This takes one to five minutes, and only the first time.',
			'  1 of 2 packages',
			'Ready',
		],
	});
	expect(await run()).toEqual({ status: 0, lines: ['Ready'] });
});
