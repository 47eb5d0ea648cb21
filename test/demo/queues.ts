import type { IDataObject } from 'n8n-workflow';

import type { Release, Service } from '../service';
import { same } from './check';
import { heading, remark, result, table } from './print';
import type { Stage } from './stage';

/** A busy day, so that no counter is right by accident. */
const JOBS = {
	waiting: 128,
	prioritized: 6,
	active: 12,
	delayed: 43,
	failed: 7,
	completed: 90_412,
};

const COUNTERS = ['waiting', 'active', 'delayed', 'failed', 'completed'];

/** Releases from 0.80 on count two states only, and prioritized jobs among the waiting ones. */
function expected({ release, data: { queue } }: Service): object {
	return release === '0.85'
		? { waiting: queue.waiting + queue.prioritized, active: queue.active }
		: queue;
}

/** Three releases have the metrics at different addresses; the node finds them without a setting. */
export async function queueMetrics(stage: Stage): Promise<void> {
	heading('How busy are the queues?', 'Queue → Get Metrics');
	const rows = [];
	for (const release of ['0.85', '0.79', '0.73'] satisfies Release[]) {
		const service = release === '0.85' ? stage.service : await stage.open({ release });
		Object.assign(service.data.queue, JOBS);
		const { items, requests, ms } = await stage.run(
			service,
			{ resource: 'queue', operation: 'getMetrics' },
			(given) => {
				same('Number of items', given.length, 1);
				same(`Queue metrics of release ${release}`, given[0].stats, expected(service));
			},
		);
		const stats = items[0].stats as IDataObject;
		rows.push({
			release,
			...Object.fromEntries(COUNTERS.map((name) => [name, Number(stats[name] ?? NaN)])),
			requests,
			ms: Math.max(1, Math.round(ms)),
		});
	}
	result('The same workflow on three releases of Activepieces, without any setting');
	table(rows.map((row) => Object.fromEntries(Object.entries(row).map(orDash))));
	remark('– not reported; prioritized jobs are among the waiting ones since 0.80');
}

/** Counters that a release does not report are absent in the item: here a dash. */
function orDash([name, value]: [string, string | number]): [string, string | number] {
	return [name, Number.isNaN(value) ? '–' : value];
}
