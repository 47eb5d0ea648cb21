import { type Example, setValues } from './example';

/** With few jobs waiting, nobody is disturbed. */
export const example: Example = {
	file: 'queue-health-alert.json',
	prepare(workflow, { inbox }) {
		setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/alerts` });
	},
	verify({ executed, items }, { inbox }) {
		expect(items('Nothing to Report')).toHaveLength(1);
		expect(executed).not.toContain('Post to Chat');
		expect(inbox.received).toEqual([]);
	},
};
