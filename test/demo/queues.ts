import type { Release } from '../service';
import { deepEqual, type Demo, show } from './demo';

/** A busy day, so that no counter is right by accident. */
const JOBS = {
	waiting: 128,
	prioritized: 6,
	active: 12,
	delayed: 43,
	failed: 7,
	completed: 90_412,
};

/** Releases have the metrics at different addresses; the node finds them without a setting. */
export async function queueMetrics({ service, open, run }: Demo): Promise<void> {
	const rows = [];
	for (const release of [service.release, '0.79', '0.73'] satisfies Release[]) {
		const target = release === service.release ? service : await open(release);
		const queue = Object.assign(target.data.queue, JOBS);
		const records = await run({ resource: 'queue', operation: 'getMetrics' }, target);
		// From 0.80 on the service counts two states, and prioritized jobs among the waiting ones.
		const { waiting, prioritized, active } = queue;
		const stats = target === service ? { waiting: waiting + prioritized, active } : { ...queue };
		deepEqual(
			records.map((record) => record.stats),
			[stats],
		);
		rows.push({ release, ...stats });
	}
	show('Queue → Get Metrics', 'The same workflow on three releases of Activepieces', rows);
}
