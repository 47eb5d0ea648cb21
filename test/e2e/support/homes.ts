/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs in Node beside n8n, never inside it */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { command, npm } from './command';
import { packageRoot, temporaryFolder } from './folders';
import { installed, N8N_RELEASES, type Installation, type N8nRelease } from './install';
import { freePorts } from './longRunning';
import { setUpOwner } from './rest';
import { startServer } from './server';

/** A user folder of n8n, and the n8n that uses it. */
export type Home = ReturnType<typeof homeIn>;

/** The variables of our environment that n8n needs, without its own settings and ours for npm and jest. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'SystemRoot', 'APPDATA', 'USERPROFILE'];

/** The same for all, so that a home can be copied and the workers of queue mode read the same secrets. */
const SHARED_BY_ALL = 'n8n-nodes-activepieces-end-to-end';

const SETTINGS: NodeJS.ProcessEnv = {
	N8N_ENCRYPTION_KEY: SHARED_BY_ALL,
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
	// Both send requests to n8n's own servers.
	N8N_COMMUNITY_PACKAGES_REGISTRY: 'http://127.0.0.1:9',
	EXTERNAL_FRONTEND_HOOKS_URLS: '',
	N8N_LOG_LEVEL: 'info',
	GENERIC_TIMEZONE: 'UTC',
	NODE_ENV: 'production',
};

export function homeIn(folder: string, installation: Installation, more: NodeJS.ProcessEnv = {}) {
	const env: NodeJS.ProcessEnv = {
		...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
		...SETTINGS,
		N8N_USER_FOLDER: folder,
		N8N_RESTRICT_FILE_ACCESS_TO: folder,
		...more,
	};
	return {
		installation,
		/** The value of N8N_USER_FOLDER */
		folder,
		/** Environment of every command of this n8n */
		env,
		/** Runs a command of n8n to its end, for example `import:workflow`. */
		async cli(args: string[]) {
			// Otherwise a command of 2.x uses the port of any other n8n on this machine.
			const [broker] = await freePorts(1);
			return await command(installation.node, [installation.bin, ...args], {
				cwd: folder,
				env: { ...env, N8N_RUNNERS_BROKER_PORT: String(broker) },
			});
		},
	};
}

/** Installs the package as n8n's settings page does. */
export async function installPackage(folder: string, tarball: string): Promise<void> {
	const nodes = join(folder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	const json = { name: 'installed-nodes', private: true, dependencies: {} };
	writeFileSync(join(nodes, 'package.json'), JSON.stringify(json));
	const flags = ['--no-save', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
	await npm(['install', ...flags, tarball], { cwd: nodes });
}

/** Packs the built package as it would be published, and returns the path of the tarball. */
export async function packPackage(folder: string): Promise<string> {
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const printed = await npm(args, { cwd: packageRoot });
	const [{ filename }] = JSON.parse(printed.slice(printed.indexOf('['))) as [{ filename: string }];
	return join(folder, filename);
}

/** Variable with the folder of the prepared homes, one per release; set by `prepareHomes`. */
const HOMES = 'ACTIVEPIECES_E2E_HOMES';

/**
 * Prepares a home for each release, for this process and its children: the package installed from its
 * tarball, the database migrated, the owner set up.
 *
 * @param purpose part of the name of their folder, which is removed with this process
 */
export async function prepareHomes(
	purpose: string,
	releases: readonly N8nRelease[] = N8N_RELEASES,
): Promise<void> {
	const folder = temporaryFolder(purpose);
	const tarball = await packPackage(folder);
	for (const release of releases) {
		console.log(`Installing the package in n8n ${release}`);
		const home = homeIn(join(folder, release), await installed(release));
		await installPackage(home.folder, tarball);
		const server = await startServer(home);
		await setUpOwner(server.url).finally(async () => await server.stop());
	}
	process.env[HOMES] = folder;
}

/** A copy of a prepared home. */
export async function freshHome(release: N8nRelease, env?: NodeJS.ProcessEnv): Promise<Home> {
	const homes = process.env[HOMES];
	if (homes === undefined) throw new Error('Run the end-to-end tests with: npm run e2e');
	const folder = temporaryFolder(`n8n-${release}`);
	cpSync(join(homes, release), folder, { recursive: true });
	return homeIn(folder, await installed(release), env);
}
