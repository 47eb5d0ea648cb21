// Runs everything that a change has to pass: the build and the first check side by side, then jest beside
// the other checks.
//
//   node scripts/test.mjs [arguments of jest]

import { spawn } from 'node:child_process';

import { run } from './run.mjs';
import { npmCommand, setUp } from './setup.mjs';

/** Checks the files that have changed, by the same rules; CI checks all as n8n does. */
const LINT = process.env.CI ? 'lint' : 'lint:cached';

/** Scripts of package.json, one after the other: with the two workers of jest they fill two cores. */
const CHECKS = [LINT, 'typecheck', 'format:check', 'scan'];

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

/** Gives the scripts that failed. Those that read the build wait for it. */
async function runChecks(built) {
	const failed = [];
	for (const script of CHECKS) {
		if (script !== LINT) await built;
		if ((await check(script)) !== 0) failed.push(script);
	}
	return failed;
}

await setUp();
const built = check('build');
const checks = runChecks(built);
const build = await built;
const tests = build === 0 ? await run('jest', process.argv.slice(2)) : build;
const failed = await checks;
// Once more, because the output of jest is long.
if (failed.length > 0) console.log(`FAILED  ${failed.map((name) => `npm run ${name}`).join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : tests;
