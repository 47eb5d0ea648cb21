import { type Runs, setValues } from './example';

export const runs: Runs = {
	/** The alert is posted, and as the backlog is gone by then, the all-clear after it. */
	'queue-backlog': {
		prepare(workflow, { inbox, service }) {
			service.live.setQueue({ waiting: 3, prioritized: 0 });
			setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/queue`, waitMinutes: 0.02 });
		},
		verify(_outcome, { inbox }) {
			expect(inbox.received.map(({ body }) => (body as { text: string }).text)).toEqual([
				'Activepieces has a backlog: many jobs wait',
				'The backlog of Activepieces is gone: 3 jobs wait',
			]);
		},
	},
};
