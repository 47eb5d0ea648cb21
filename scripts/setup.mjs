// Installs what is missing, so that every command works in a bare clone. Uses nothing but Node.
//
//   node scripts/setup.mjs

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.made-from');

/** How npm is started: a file, its arguments, and options for it. */
export function npmCommand(args) {
	// Below npm, this is the npm that runs us: the one in PATH may be older, or missing.
	const running = process.env.npm_execpath;
	if (running !== undefined && basename(running) === 'npm-cli.js') {
		return { file: process.execPath, args: [running, ...args], options: { cwd: root } };
	}
	if (process.platform !== 'win32') return { file: 'npm', args, options: { cwd: root } };
	// Node starts .cmd files through a shell only, and leaves the quoting to us.
	const quoted = args.map((arg) => `"${arg}"`);
	return { file: 'npm.cmd', args: quoted, options: { cwd: root, shell: true } };
}

/**
 * Runs npm, in the root of the package unless the options say otherwise.
 * @returns what spawnSync gives
 */
export function npm(args, options = {}) {
	const command = npmCommand(args);
	return spawnSync(command.file, command.args, { ...command.options, ...options });
}

/** The text of a file, or undefined without one. */
function read(file) {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return undefined;
	}
}

/**
 * Whether somebody has installed just these packages already, for example with `npm ci`. What npm
 * keeps in node_modules/.package-lock.json says that an installation ended, but not what is there:
 * `npm install --package-lock-only` changes it as well.
 */
function isInstalled(lock) {
	if (!existsSync(join(modules, '.package-lock.json'))) return false;
	return Object.entries(JSON.parse(lock).packages).every(([path, { version, optional }]) => {
		if (path === '') return true; // this package itself
		const installed = read(join(root, path, 'package.json'));
		// Which optional packages there are depends on the machine.
		if (installed === undefined) return optional === true;
		return JSON.parse(installed).version === version;
	});
}

function fail(sentence) {
	console.error(sentence);
	process.exit(1);
}

/**
 * Runs `npm ci`, which prints nothing until it has ended unless it has a terminal, and says now and then
 * how far it is.
 * @returns its exit code
 */
async function install(lock, everyMs) {
	const wanted = Object.entries(JSON.parse(lock).packages)
		.filter(([path, { optional }]) => path !== '' && !optional)
		.map(([path]) => join(root, path, 'package.json'));
	const total = wanted.length.toLocaleString('en');
	console.log(
		`Installing the ${total} packages in package-lock.json. This takes one to five minutes, and only the first time.`,
	);
	const progress = () => {
		const count = wanted.filter((file) => existsSync(file)).length;
		console.log(`  ${count.toLocaleString('en')} of ${total} packages`);
	};
	// --include=dev because NODE_ENV=production would leave out all of them.
	const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--include=dev'];
	const command = npmCommand(args);
	const child = spawn(command.file, command.args, { ...command.options, stdio: 'inherit' });
	const telling = setInterval(progress, everyMs);
	try {
		return await new Promise((done, failed) => child.on('close', done).on('error', failed));
	} finally {
		clearInterval(telling);
	}
}

/** Installs the packages of package-lock.json when they are not there. */
export async function setUp({ everyMs = 10_000 } = {}) {
	if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
		fail(`Node.js ${OLDEST_NODE} or later is required. You are using ${process.versions.node}.`);
	}
	const lock = read(join(root, 'package-lock.json'));
	if (lock === undefined) fail('package-lock.json is missing: check out the whole repository.');

	const fingerprint = createHash('sha256').update(lock).digest('hex');
	if (read(stamp) === fingerprint) return;
	if (!isInstalled(lock)) {
		const status = await install(lock, everyMs).catch(({ message }) =>
			fail(`npm could not be started (${message}): install Node.js together with npm.`),
		);
		if (status !== 0) {
			fail(
				'npm ci did not finish: see its messages above, check the network, and run the command again.',
			);
		}
	}
	writeFileSync(stamp, fingerprint);
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await setUp();
