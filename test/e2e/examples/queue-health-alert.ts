import { type Example, setValues } from './example';

/** More jobs wait than Settings allows, so a message is posted. */
export const example: Example = {
	file: 'queue-health-alert.json',
	prepare(workflow, { service, inbox }) {
		service.data.queue = { ...service.data.queue, waiting: 250, active: 4 };
		setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/alerts` });
	},
	verify({ executed }, { inbox, service }) {
		const { waiting, prioritized, active } = service.data.queue;
		// Releases from 0.80 on count prioritized jobs among those that wait.
		const waits = service.release === '0.85' ? waiting + prioritized : waiting;
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
};
