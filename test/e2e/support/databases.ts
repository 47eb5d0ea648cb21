/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { type CommandOptions, succeed } from './command';
import { temporaryFolder } from './folders';
import type { Installation } from './install';
import { freePorts, type LongRunning, startLongRunning } from './longRunning';
import { programPath } from './programs';

/** The Redis of n8n's queue. */
export interface Redis {
	/** n8n's settings */
	env: NodeJS.ProcessEnv;
	stop: LongRunning['stop'];
}

/** n8n has a setting for each part of the URL. */
export const redisSettings = ({ hostname, port }: URL): NodeJS.ProcessEnv => ({
	QUEUE_BULL_REDIS_HOST: hostname,
	QUEUE_BULL_REDIS_PORT: port || '6379',
});

/** Starts a Redis that stores nothing on disk. */
export async function startRedis(): Promise<Redis> {
	const [port] = await freePorts(1);
	const folder = temporaryFolder('redis');
	const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
	const { stop } = await startLongRunning(
		programPath('redis'),
		Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
		{ cwd: folder },
		{ ready: (log) => log.includes('Ready to accept connections'), stoppedWithin: 15_000 },
	);
	return { env: redisSettings(new URL(`redis://127.0.0.1:${port}`)), stop };
}

/** n8n's database. */
export interface Postgres {
	/** n8n's settings */
	env: NodeJS.ProcessEnv;
	/** Runs a query in n8n's database. */
	query<Row>(text: string): Promise<Row[]>;
	stop: LongRunning['stop'];
}

/** The part of `pg` that is used. */
interface Client {
	connect(): Promise<void>;
	query<Row>(text: string): Promise<{ rows: Row[] }>;
	end(): Promise<void>;
}

const USER = 'postgres';
const PASSWORD = 'activepieces';

/** PostgreSQL does not run as root; Debian's package creates a user for it. */
async function whoRunsIt(): Promise<CommandOptions['user']> {
	if (process.getuid?.() !== 0) return undefined;
	const [uid, gid] = await Promise.all(
		['-u', '-g'].map(async (flag) => Number(await succeed('id', [flag, USER]))),
	);
	return { uid, gid };
}

/** n8n has a setting for each part of the URL. */
export const postgresSettings = (url: URL): NodeJS.ProcessEnv => ({
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: url.hostname,
	DB_POSTGRESDB_PORT: url.port || '5432',
	DB_POSTGRESDB_DATABASE: url.pathname.slice(1),
	DB_POSTGRESDB_USER: url.username,
	DB_POSTGRESDB_PASSWORD: url.password,
});

/** Starts a PostgreSQL with an empty database. */
export async function startPostgres({ bin }: Installation): Promise<Postgres> {
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
	// Nothing is kept after the test.
	const settings = [
		'listen_addresses=127.0.0.1',
		`port=${port}`,
		'unix_socket_directories=',
		'fsync=off',
	];
	const { stop } = await startLongRunning(
		join(dirname(initdb), 'postgres'),
		['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
		options,
		{
			ready: (log) => log.includes('database system is ready to accept connections'),
			// A fast shutdown, which does not wait for clients.
			signal: 'SIGINT',
			stoppedWithin: 15_000,
		},
	);
	const url = new URL(`postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`);
	// The client in n8n's dependencies, so that nothing else has to be installed.
	const pg = createRequire(bin)('pg') as { Client: new (options: object) => Client };
	return {
		env: postgresSettings(url),
		stop,
		async query(text) {
			const client = new pg.Client({ connectionString: url.href });
			await client.connect();
			try {
				return (await client.query<never>(text)).rows;
			} finally {
				await client.end();
			}
		},
	};
}
