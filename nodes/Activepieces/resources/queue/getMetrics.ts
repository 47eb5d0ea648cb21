import type { Operation } from '../operation';
import { fetchMetrics, GET_METRICS } from './queue';

export const getMetrics: Operation = {
	name: 'Get Metrics',
	value: 'getMetrics',
	action: 'Get queue metrics',
	description: 'Get the number of jobs in the queues, by state',
	hint: 'Activepieces 0.80 to 0.86.2 and Cloud report only waiting and active jobs',
	toolDescription:
		'Returns the number of jobs in the Activepieces queues: stats.waiting and stats.active, and on some servers also stats.completed, stats.delayed, stats.failed and other states. Some servers also return queues, with the name, waiting and active jobs of each queue',
	endpoint: GET_METRICS.endpoint,
	properties: [],
	run: async ({ client }) => [await fetchMetrics(client)],
};
