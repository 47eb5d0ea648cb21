import { clientsOf, type RedisClient } from './clients';
import { temporaryFolder } from './folders';
import { givenUrl, ownName, REDIS_URL } from './given';
import type { Installation } from './install';
import { type LongRunning, startLongRunning } from './longRunning';
import { freePorts } from './ports';
import { programPath } from './programs';

/** It has little to bring in order. */
const STOPPED_WITHIN_MS = 15_000;

/** What n8n's queue works with: all keys begin with a name of our own. */
export interface Redis {
	/** n8n's settings */
	env: NodeJS.ProcessEnv;
	/** Removes all that was kept, and ends the server if it is ours. */
	stop(): Promise<void>;
}

async function startOwn(installation: Installation): Promise<{ url: URL; server: LongRunning }> {
	const [port] = await freePorts(1);
	const url = new URL(`redis://127.0.0.1:${port}`);
	const client = clientsOf(installation).redis(url.href);
	const folder = temporaryFolder('redis');
	const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
	try {
		const server = await startLongRunning(
			programPath('redis'),
			Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
			{ cwd: folder },
			{ ready: async () => (await client.ping()) === 'PONG', stoppedWithin: STOPPED_WITHIN_MS },
		);
		return { url, server };
	} finally {
		client.disconnect();
	}
}

/** n8n takes the parts of the address one by one. */
export function redisSettings(url: URL, prefix: string): NodeJS.ProcessEnv {
	return {
		QUEUE_BULL_REDIS_HOST: url.hostname,
		QUEUE_BULL_REDIS_PORT: url.port || '6379',
		QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(url.username),
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(url.password),
		QUEUE_BULL_REDIS_DB: url.pathname.slice(1) || '0',
		QUEUE_BULL_REDIS_TLS: String(url.protocol === 'rediss:'),
		QUEUE_BULL_PREFIX: prefix,
		N8N_REDIS_KEY_PREFIX: prefix,
	};
}

async function removeKeys(client: RedisClient, prefix: string): Promise<void> {
	let cursor = '0';
	do {
		const [next, keys] = await client.scan(cursor, 'MATCH', `*${prefix}*`, 'COUNT', 1000);
		if (keys.length > 0) await client.unlink(...keys);
		cursor = next;
	} while (cursor !== '0');
}

/** Gives the Redis that is named, or starts one. */
export async function useRedis(installation: Installation): Promise<Redis> {
	const given = givenUrl(REDIS_URL);
	const prefix = ownName();
	if (given === undefined) {
		const { url, server } = await startOwn(installation);
		return { env: redisSettings(url, prefix), stop: server.stop };
	}
	return {
		env: redisSettings(given, prefix),
		async stop() {
			const client = clientsOf(installation).redis(given.href);
			try {
				await removeKeys(client, prefix);
			} finally {
				client.disconnect();
			}
		},
	};
}
