// Runs everything that a change has to pass: first the checks, two at a time, then jest.
//
//   node scripts/test.mjs [arguments of jest]

import { spawn } from 'node:child_process';

import { run } from './run.mjs';
import { npmCommand, setUp } from './setup.mjs';

/** Scripts of package.json: those of a row one after the other, the rows side by side. */
const CHECKS = [['lint'], ['build', 'typecheck', 'format:check', 'scan']];

/** Runs a script and gives its exit code. What it prints comes in one piece when it has ended. */
async function check(script) {
	const begun = Date.now();
	const { file, args, options } = npmCommand(['run', '--silent', script]);
	const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	const output = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
	const code = await new Promise((done) => child.on('close', (status) => done(status ?? 1)));
	const seconds = Math.round((Date.now() - begun) / 1000);
	console.log(`${code === 0 ? 'passed' : 'FAILED'}  npm run ${script} (${seconds} s)`);
	process.stdout.write(Buffer.concat(output));
	return code;
}

async function checkRow(scripts) {
	for (const script of scripts) {
		const code = await check(script);
		if (code !== 0) return code;
	}
	return 0;
}

setUp();
const codes = await Promise.all(CHECKS.map(checkRow));
const failed = codes.find((code) => code !== 0);
process.exitCode = failed ?? (await run('jest', process.argv.slice(2)));
