import { changesOf, type Example, rows, setValues } from './example';

/** An empty tag finds every template; nothing is deleted then. */
export const example: Example = {
	file: 'template-cleanup.json',
	isForEnterprise: true,
	prepare(workflow) {
		setValues(workflow, 'Settings', { dryRun: false, tag: '', days: 30 });
	},
	verify(outcome, { service }) {
		expect(rows(outcome, 'Would Be Deleted').length).toBeGreaterThan(0);
		expect(outcome.executed).not.toContain('Delete Template');
		expect(changesOf(service)).toEqual([]);
	},
};
