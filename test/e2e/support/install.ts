/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- prepares what runs beside us, never inside n8n */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { npm } from './command';
import { cacheFolder, packageRoot } from './folders';

/** The releases of n8n that the node is run in; each has a folder with its lockfile in `test/e2e/n8n`. */
export const N8N_RELEASES = ['2.40.7', '1.123.81'] as const;
export type N8nRelease = (typeof N8N_RELEASES)[number];

export type Installation = Awaited<ReturnType<typeof installed>>;

/** The only native modules that n8n needs; the others are optional or prebuilt. */
const BUILT = ['sqlite3', 'node'];

/**
 * Returns an n8n with the Node.js that it needs, and first installs it if the cache does not have it.
 * The cache is keyed by the lockfile, so a change of one package makes a new installation, and clones
 * share installations.
 */
export async function installed(release: N8nRelease) {
	const source = join(packageRoot, 'test/e2e/n8n', release);
	const lock = readFileSync(join(source, 'package-lock.json'));
	const key = createHash('sha256').update(lock).digest('hex').slice(0, 12);
	const folder = join(cacheFolder, `n8n-${release}-${key}`);
	if (!existsSync(folder)) await install(release, source, folder);
	const modules = join(folder, 'node_modules');
	return { release, node: join(modules, 'node/bin/node'), bin: join(modules, 'n8n/bin/n8n') };
}

async function install(release: N8nRelease, source: string, folder: string): Promise<void> {
	console.log(`Installing n8n ${release} in ${cacheFolder}: up to 8 minutes and 2.7 GB, once.`);
	// Installs into another folder first, so that a folder with the final name is complete.
	const cwd = `${folder}.${process.pid}`;
	rmSync(cwd, { recursive: true, force: true });
	mkdirSync(cwd, { recursive: true });
	const ticking = setInterval(() => console.log('  …'), 20_000);
	try {
		for (const name of ['package.json', 'package-lock.json']) {
			cpSync(join(source, name), join(cwd, name));
		}
		await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--include=dev'], { cwd });
		await npm(['rebuild', ...BUILT], { cwd });
		// Another process may have been faster.
		if (!existsSync(folder)) renameSync(cwd, folder);
	} finally {
		clearInterval(ticking);
		rmSync(cwd, { recursive: true, force: true });
	}
}
