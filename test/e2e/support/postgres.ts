/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { clientsOf } from './clients';
import { type CommandOptions, succeed } from './command';
import { temporaryFolder } from './folders';
import { givenUrl, ownName, POSTGRES_URL } from './given';
import type { Installation } from './install';
import { type LongRunning, startLongRunning } from './longRunning';
import { freePorts } from './ports';
import { programPath } from './programs';

/** What n8n keeps its data in: a database of our own. */
export interface Postgres {
	/** n8n's settings */
	env: NodeJS.ProcessEnv;
	/** Asks n8n's database. */
	query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
	/** Drops the database, and ends the server if it is ours. */
	stop(): Promise<void>;
}

/** Its clients are disconnected first. */
const STOPPED_WITHIN_MS = 15_000;

const USER = 'postgres';
const PASSWORD = 'activepieces';

/** PostgreSQL does not run as root; Debian's package makes a user for it. */
async function whoRunsIt(): Promise<CommandOptions['user']> {
	if (process.getuid?.() !== 0) return undefined;
	const [uid, gid] = await Promise.all(
		['-u', '-g'].map(async (flag) => Number(await succeed('id', [flag, USER]))),
	);
	return { uid, gid };
}

async function query<Row>(
	installation: Installation,
	url: URL,
	text: string,
	values: unknown[] = [],
): Promise<Row[]> {
	const client = clientsOf(installation).postgres(url.href);
	await client.connect();
	try {
		return (await client.query<Row>(text, values)).rows;
	} finally {
		await client.end();
	}
}

async function startOwn(installation: Installation): Promise<{ url: URL; server: LongRunning }> {
	const user = await whoRunsIt();
	const folder = temporaryFolder('postgres');
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	mkdirSync(data);
	writeFileSync(passwordFile, PASSWORD);
	for (const path of [folder, data, passwordFile]) {
		chmodSync(path, 0o700);
		if (user !== undefined) chownSync(path, user.uid, user.gid);
	}
	const options: CommandOptions = { cwd: folder, user, env: { ...process.env, LC_ALL: 'C.UTF-8' } };

	const initdb = programPath('postgres');
	const flags = ['-A', 'scram-sha-256', '--pwfile', passwordFile, '--no-sync', '-E', 'UTF8'];
	await succeed(initdb, ['-D', data, '-U', USER, ...flags], options);

	const [port] = await freePorts(1);
	const url = new URL(`postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`);
	const settings = {
		listen_addresses: '127.0.0.1',
		port,
		unix_socket_directories: '',
		// Nothing of it outlives the test.
		fsync: 'off',
	};
	const server = await startLongRunning(
		join(dirname(initdb), 'postgres'),
		[
			'-D',
			data,
			...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
		],
		options,
		{
			async ready() {
				await query(installation, url, 'SELECT 1');
				return true;
			},
			// A fast shutdown, which does not wait for clients
			signal: 'SIGINT',
			stoppedWithin: STOPPED_WITHIN_MS,
		},
	);
	return { url, server };
}

/** n8n takes the parts of the address one by one. */
export function postgresSettings(url: URL): NodeJS.ProcessEnv {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: url.hostname,
		DB_POSTGRESDB_PORT: url.port || '5432',
		DB_POSTGRESDB_DATABASE: url.pathname.slice(1),
		DB_POSTGRESDB_USER: decodeURIComponent(url.username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(url.password),
	};
}

/** Gives a fresh database in the PostgreSQL that is named, or in one that it starts. */
export async function usePostgres(installation: Installation): Promise<Postgres> {
	const given = givenUrl(POSTGRES_URL);
	const own = given === undefined ? await startOwn(installation) : undefined;
	const server = (given ?? own?.url) as URL;
	const name = ownName();
	await query(installation, server, `CREATE DATABASE ${name}`);
	const database = new URL(server);
	database.pathname = `/${name}`;
	return {
		env: postgresSettings(database),
		query: async (text, values) => await query(installation, database, text, values),
		async stop() {
			if (own === undefined) {
				await query(installation, server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
			}
			await own?.server.stop();
		},
	};
}
