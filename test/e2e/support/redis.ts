import { temporaryFolder } from './folders';
import { type LongRunning, startLongRunning } from './longRunning';
import { freePorts } from './ports';
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
