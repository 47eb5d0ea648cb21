import { freshHome } from './homes';
import { installed, type N8nRelease } from './install';
import { freePorts } from './ports';
import { startPostgres } from './postgres';
import { startRedis } from './redis';
import { type Rest, setUpOwner, signIn } from './rest';
import { type Server, startServer } from './server';
import { startWorker, type Worker } from './worker';

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
	startWorker(options?: { installed?: boolean }): Promise<Worker>;
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
			async startWorker(options) {
				const worker = await startWorker(release, settings, options);
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
