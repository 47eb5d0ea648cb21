/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { succeed, type CommandOptions } from './command';
import { temporaryFolder } from './folders';
import { freePorts, startLongRunning } from './longRunning';
import { programPath } from './programs';

/** n8n has a setting for each part of the URL. */
export const redisSettings = ({ hostname, port }: URL): NodeJS.ProcessEnv => ({
	QUEUE_BULL_REDIS_HOST: hostname,
	QUEUE_BULL_REDIS_PORT: port || '6379',
});

export const postgresSettings = (url: URL): NodeJS.ProcessEnv => ({
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: url.hostname,
	DB_POSTGRESDB_PORT: url.port || '5432',
	DB_POSTGRESDB_DATABASE: url.pathname.slice(1),
	DB_POSTGRESDB_USER: url.username,
	DB_POSTGRESDB_PASSWORD: url.password,
});

/** Starts a Redis that stores nothing on disk; returns the settings of n8n for it. */
export async function startRedis() {
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

/** Starts a PostgreSQL with an empty database, of which nothing is kept; returns the settings of n8n for it. */
export async function startPostgres() {
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
	const listen = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
	const settings = [...listen, 'fsync=off'].flatMap((setting) => ['-c', setting]);
	const { stop } = await startLongRunning(
		join(dirname(initdb), 'postgres'),
		['-D', data, ...settings],
		options,
		{
			ready: (log) => log.includes('database system is ready to accept connections'),
			// A fast shutdown, which does not wait for clients.
			signal: 'SIGINT',
			stoppedWithin: 15_000,
		},
	);
	const url = new URL(`postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`);
	return {
		env: postgresSettings(url),
		stop,
		/** Runs a query, and returns the values of each row. */
		async query(text: string): Promise<string[][]> {
			const args = ['--no-align', '--tuples-only', '-c', text, url.href];
			const lines = (await succeed(join(dirname(initdb), 'psql'), args)).split('\n');
			return lines.filter((line) => line !== '').map((line) => line.split('|'));
		},
	};
}
