import { type Runs, setValues } from './example';

export const runs: Runs = {
	/** Posts the alert and, because the backlog has ended by then, a second message. */
	'queue-backlog': {
		prepare(workflow, { inbox, service }) {
			service.live.setQueue({ waiting: 3, prioritized: 0 });
			setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/queue`, waitMinutes: 0.02 });
		},
		verify(_outcome, { inbox }) {
			expect(inbox.received.map(({ body }) => (body as { text: string }).text)).toEqual([
				'Activepieces has a backlog: many jobs are waiting',
				'The Activepieces backlog is gone: 3 jobs are waiting',
			]);
		},
	},
};
