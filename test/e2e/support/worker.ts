/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { freshHome } from './homes';
import type { N8nRelease } from './install';
import { freePorts } from './ports';
import type { LongRunning } from './longRunning';
import { isHealthy, startProcess } from './server';

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
 * @param installed whether the package is installed in that home
 */
export async function startWorker(
	release: N8nRelease,
	settings: NodeJS.ProcessEnv,
	{ installed = true } = {},
): Promise<Worker> {
	const home = await freshHome(release, settings);
	if (!installed) {
		rmSync(join(home.folder, '.n8n', 'nodes'), { recursive: true, force: true });
	}
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
