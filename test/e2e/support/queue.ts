import { startPostgres, startRedis } from './databases';
import { freshHome } from './homes';
import { installed, type N8nRelease } from './install';
import { freePorts, type LongRunning } from './longRunning';
import { type Rest, setUpOwner, signIn } from './rest';
import { isHealthy, type Server, startProcess, startServer } from './server';

/** How many executions a worker takes at a time. */
export const CONCURRENCY = 5;

/** A worker of queue mode, which logs its executions. */
export interface Worker extends LongRunning {
	/** IDs of the executions that it has started, including repetitions */
	started(): string[];
	/** IDs of the executions that it has ended, successfully or not */
	finished(): string[];
}

const idsIn = (log: string, did: string) =>
	[...log.matchAll(new RegExp(`Worker ${did} execution (\\d+) `, 'g'))].map(([, id]) => id);

/**
 * Starts a worker with its own home.
 *
 * @param settings of the queue and the database, the same as for the main process
 */
export async function startWorker(
	release: N8nRelease,
	settings: NodeJS.ProcessEnv,
): Promise<Worker> {
	const home = await freshHome(release, settings);
	const [broker, health] = await freePorts(2);
	const worker = await startProcess(
		home,
		['worker', `--concurrency=${CONCURRENCY}`],
		{
			N8N_RUNNERS_BROKER_PORT: String(broker),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(health),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		},
		async (log) => {
			if (!log.includes('n8n worker is now ready')) return false;
			return await isHealthy(`http://127.0.0.1:${health}/healthz/readiness`);
		},
	);
	return {
		...worker,
		started: () => idsIn(worker.log(), 'started'),
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
export interface Queue {
	readonly main: Server;
	readonly rest: Rest;
	startWorker(): Promise<Worker>;
	/** All executions so far, in order. */
	executions(): Promise<Execution[]>;
	/** Ends all processes and removes their data. */
	stop(): Promise<void>;
}

/** The settings of queue mode; the compose file is compared with them. */
export const QUEUE_SETTINGS: NodeJS.ProcessEnv = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
};

/** Starts a queue without workers. */
export async function startQueue(
	release: N8nRelease,
	more: NodeJS.ProcessEnv = {},
): Promise<Queue> {
	const ends: Array<() => Promise<void>> = [];

	async function stop() {
		// Ends processes in reverse order: n8n before its databases.
		for (const end of ends.splice(0).reverse()) await end();
	}

	let complete = false;
	try {
		const redis = await startRedis();
		ends.push(async () => await redis.stop());
		const postgres = await startPostgres(await installed(release));
		ends.push(async () => await postgres.stop());
		const settings = { ...QUEUE_SETTINGS, ...redis.env, ...postgres.env, ...more };

		const [health] = await freePorts(1);
		const main = await startServer(await freshHome(release, settings), {
			QUEUE_HEALTH_CHECK_PORT: String(health),
		});
		ends.push(async () => await main.stop());
		await setUpOwner(main.url);
		const workers: Worker[] = [];
		ends.push(async () => {
			await Promise.all(workers.map(async (worker) => await worker.stop()));
		});

		const rest = await signIn(main.url);
		complete = true;
		return {
			main,
			rest,
			stop,
			async startWorker() {
				const worker = await startWorker(release, settings);
				workers.push(worker);
				return worker;
			},
			executions: async () =>
				await postgres.query<Execution>(
					'SELECT id::text AS id, status FROM execution_entity ORDER BY execution_entity.id',
				),
		};
	} finally {
		if (!complete) await stop();
	}
}
