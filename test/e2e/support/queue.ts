import { startPostgres, startRedis } from './databases';
import { freshHome } from './homes';
import type { N8nRelease } from './install';
import { freePorts } from './longRunning';
import { setUpOwner, signIn } from './rest';
import type { Ends } from './running';
import { startProcess, startServer } from './server';

/** How many executions a worker takes at a time. */
export const CONCURRENCY = 5;

/** A worker of queue mode, which logs its executions. */
export type Worker = Awaited<ReturnType<typeof startWorker>>;

const idsIn = (log: string, did: string) =>
	[...log.matchAll(new RegExp(`Worker ${did} execution (\\d+) `, 'g'))].map(([, id]) => id);

/**
 * Starts a worker with its own home.
 *
 * @param settings of the queue and the database, the same as for the main process
 */
async function startWorker(release: N8nRelease, settings: NodeJS.ProcessEnv) {
	const [broker, health] = await freePorts(2);
	const worker = await startProcess(
		await freshHome(release, settings),
		['worker', `--concurrency=${CONCURRENCY}`],
		{
			N8N_RUNNERS_BROKER_PORT: String(broker),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(health),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		},
		['n8n worker is now ready', `http://127.0.0.1:${health}/healthz/readiness`],
	);
	return {
		...worker,
		/** IDs of the executions that it has started, including repetitions */
		started: () => idsIn(worker.log(), 'started'),
		/** IDs of the executions that it has ended, successfully or not */
		finished: () => idsIn(worker.log(), 'finished'),
	};
}

/** One execution in n8n's database. */
export interface Execution {
	id: string;
	/** n8n's status: success, error, crashed, running, new … */
	status: string;
}

/** An n8n in queue mode: a main process with its editor, and workers that execute workflows. */
export type Queue = Awaited<ReturnType<typeof startQueue>>;

/** The settings of queue mode; the compose file is compared with them. */
export const QUEUE_SETTINGS: NodeJS.ProcessEnv = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
};

/** Starts a queue without workers. */
export async function startQueue(release: N8nRelease, ends: Ends, more: NodeJS.ProcessEnv = {}) {
	const redis = await ends(startRedis());
	const postgres = await ends(startPostgres());
	const settings = { ...QUEUE_SETTINGS, ...redis.env, ...postgres.env, ...more };
	const [health] = await freePorts(1);
	const home = await freshHome(release, settings);
	const main = await ends(startServer(home, { QUEUE_HEALTH_CHECK_PORT: String(health) }));
	await setUpOwner(main.url);
	return {
		main,
		rest: await signIn(main.url),
		startWorker: async () => await ends(startWorker(release, settings)),
		/** All executions so far, in order. */
		executions: async () =>
			(await postgres.query('SELECT id, status FROM execution_entity ORDER BY id')).map(
				([id, status]): Execution => ({ id, status }),
			),
	};
}
