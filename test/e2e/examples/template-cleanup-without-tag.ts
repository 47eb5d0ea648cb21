import { type Example, rows, setValues } from './example';

/** An empty tag finds every template; nothing is deleted then. */
export const example: Example = {
	file: 'template-cleanup.json',
	prepare(workflow) {
		setValues(workflow, 'Settings', { dryRun: false, tag: ' ', days: 30 });
	},
	verify(outcome, { service }) {
		expect(rows(outcome, 'Would Be Deleted').length).toBeGreaterThan(0);
		expect(outcome.executed).not.toContain('Delete Template');
		expect(service.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
	},
};
