/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- prepares what runs beside n8n, never inside it */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { command } from './command';

/** A system program that some end-to-end tests need. */
interface Program {
	names: string[];
	/** Debian's folders outside PATH */
	folders?: () => string[];
	/** Debian's package */
	debian: string;
}

/** `/usr/lib/postgresql/<version>/bin`, the newest first. */
function postgresFolders(): string[] {
	const root = '/usr/lib/postgresql';
	if (!existsSync(root)) return [];
	return readdirSync(root)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(root, version, 'bin'));
}

const PROGRAMS = {
	chromium: { names: ['chromium', 'chromium-browser', 'google-chrome'], debian: 'chromium' },
	redis: { names: ['redis-server'], debian: 'redis-server' },
	postgres: { names: ['initdb'], folders: postgresFolders, debian: 'postgresql' },
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof PROGRAMS;

function find(name: ProgramName): string | undefined {
	const { names, folders }: Program = PROGRAMS[name];
	const places = [...(folders?.() ?? []), ...(process.env.PATH ?? '').split(':')];
	return places
		.flatMap((place) => names.map((each) => join(place, each)))
		.find((path) => existsSync(path));
}

/** Set by `.ci/run`, where no test may be skipped. */
const isComplete = () => process.env.ACTIVEPIECES_E2E_COMPLETE === 'true';

/** Installs missing programs with Debian's package manager, if this is Debian and the user is root. */
export async function installPrograms(names: ProgramName[]): Promise<void> {
	const missing = names.filter((name) => find(name) === undefined);
	if (missing.length === 0) return;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
	const packages = missing.map((name) => PROGRAMS[name].debian);
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
	const missing = names.filter((name) => find(name) === undefined);
	if (missing.length === 0 || isComplete()) return describe;
	const packages = missing.map((name) => PROGRAMS[name].debian).join(', ');
	console.log(`Skipped, because it needs ${packages} of the system's packages`);
	return describe.skip as unknown as jest.Describe;
}

export function programPath(name: ProgramName): string {
	const path = find(name);
	if (path === undefined) {
		throw new Error(`${PROGRAMS[name].names[0]} is missing: install ${PROGRAMS[name].debian}`);
	}
	return path;
}
