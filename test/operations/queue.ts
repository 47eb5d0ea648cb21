import type { ResourceFacts } from './facts';

export const queue: ResourceFacts = {
	needs: 'On Cloud, 0.80 or later',
	output: {
		title: 'Queue metrics',
		fields: {
			stats:
				'Number of jobs in each state that the server reports: `waiting`, `active`, `delayed`, `prioritized`, `waiting-children`, `completed`, `failed`, `paused`',
			queues: 'From 0.80 on: `name`, `waiting` and `active` of each queue',
		},
	},
	operations: {
		getMetrics: {
			expected: (_, { queue: { active } }) => ({ stats: { active } }),
			// Up to 0.79 Cloud has none.
			live: { schema: 'QueueMetrics', lacking: ['cloud'] },
			docs: {
				calls: '`GET /v1/worker-machines/queue-metrics/prometheus`; `GET /v1/projects` up to 0.74',
			},
		},
	},
};
