import { type Runs, setValues } from './example';

export const runs: Runs = {
	/** More jobs wait than Settings allows, so a message is posted. */
	'queue-health-alert': {
		prepare(workflow, { service, inbox }) {
			service.data.queue = { ...service.data.queue, waiting: 250, active: 4 };
			setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/alerts` });
		},
		verify({ executed }, { inbox, service }) {
			const { waiting, prioritized, active } = service.data.queue;
			// From 0.80 on, prioritized jobs count as waiting.
			const waits = service.release >= '0.85' ? waiting + prioritized : waiting;
			expect(inbox.received).toEqual([
				{
					path: '/alerts',
					body: {
						text: expect.stringContaining(`${waits} jobs waiting, ${active} active`) as string,
					},
				},
			]);
			expect(executed).not.toContain('Nothing to Report');
		},
	},
	/** With few waiting jobs nothing is posted. */
	'queue-health-quiet': {
		prepare(workflow, { inbox }) {
			setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/alerts` });
		},
		verify({ executed, items }, { inbox }) {
			expect(items('Nothing to Report')).toHaveLength(1);
			expect(executed).not.toContain('Post to Chat');
			expect(inbox.received).toEqual([]);
		},
	},
};
