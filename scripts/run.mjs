// Installs what is missing, builds the package, and runs a command of node_modules.
//
//   node scripts/run.mjs tsx test/tools/demo/main.ts

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npm, setUp } from './setup.mjs';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));

/** Runs a command of node_modules and gives its exit code. */
export async function run(name, args) {
	const folder = join(modules, name);
	const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	// The file itself, since Windows starts those of node_modules/.bin through a shell only.
	const file = join(folder, typeof bin === 'string' ? bin : bin[name]);
	const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
	// A terminal sends this one to both; the command ends when it has cleaned up.
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	return await new Promise((done) => child.on('close', (code) => done(code ?? 1)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [command, ...args] = process.argv.slice(2);
	await setUp();
	const { status } = npm(['run', 'build', '--silent'], { stdio: 'inherit' });
	process.exitCode = status === 0 ? await run(command, args) : (status ?? 1);
}
