/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- prepares what runs beside n8n, never inside it */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { command } from './command';

/** The system programs that some end-to-end tests need, with Debian's package of each. */
const PROGRAMS = {
	chromium: { names: ['chromium', 'chromium-browser', 'google-chrome'], debian: 'chromium' },
	redis: { names: ['redis-server'], debian: 'redis-server' },
	postgres: { names: ['initdb'], debian: 'postgresql' },
};

type ProgramName = keyof typeof PROGRAMS;

/** Debian's folders of PostgreSQL, the newest first, which are not in PATH. */
function postgresFolders(): string[] {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root) : [];
	return versions.sort((a, b) => Number(b) - Number(a)).map((each) => join(root, each, 'bin'));
}

function find(name: ProgramName): string | undefined {
	return [...postgresFolders(), ...(process.env.PATH ?? '').split(':')]
		.flatMap((place) => PROGRAMS[name].names.map((each) => join(place, each)))
		.find(existsSync);
}

function missingOf(names: ProgramName[]): string[] {
	return names.filter((name) => find(name) === undefined).map((name) => PROGRAMS[name].debian);
}

/** Set by `.ci/run`, where no test may be skipped. */
const isComplete = () => process.env.ACTIVEPIECES_E2E_COMPLETE === 'true';

/** Installs missing programs with Debian's package manager, if this is Debian and the user is root. */
export async function installPrograms(names: ProgramName[]): Promise<void> {
	const packages = missingOf(names);
	const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
	if (packages.length === 0 || !mayInstall) return;
	console.log(`Installing ${packages.join(', ')} with apt-get`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	await command('apt-get', ['update', '-q'], { env });
	const install = ['install', '-y', '-q', '--no-install-recommends', ...packages];
	const { status, stderr } = await command('apt-get', install, { env });
	if (status !== 0) console.log(`apt-get did not install them:\n${stderr.slice(-1000)}`);
}

/**
 * `describe` for tests that need system programs. If one is missing, it skips them with a printed
 * reason, or lets them fail where no test may be skipped.
 */
export function describeWith(names: ProgramName[]): jest.Describe {
	const missing = missingOf(names);
	if (missing.length === 0 || isComplete()) return describe;
	console.log(`Skipped, because it needs ${missing.join(', ')} of the system's packages`);
	return describe.skip as unknown as jest.Describe;
}

export function programPath(name: ProgramName): string {
	const path = find(name);
	if (path !== undefined) return path;
	throw new Error(`${PROGRAMS[name].names[0]} is missing: install ${PROGRAMS[name].debian}`);
}
