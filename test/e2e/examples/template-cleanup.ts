import { changesOf, type Example, rows, setValues } from './example';
import { titlesOf } from './templates';

/** The dry run, which is how the file is imported: it shows what would go and deletes nothing. */
export const example: Example = {
	file: 'template-cleanup.json',
	isForEnterprise: true,
	prepare(workflow) {
		setValues(workflow, 'Settings', { tag: 'even', days: 30 });
	},
	verify(outcome, { service }) {
		const { templates } = service.data;
		const even = templates.filter((template) => titlesOf(template).includes('even'));
		expect(even.length).toBeGreaterThan(0);
		expect(rows(outcome, 'Would Be Deleted').map(({ id }) => id)).toEqual(even.map(({ id }) => id));
		expect(outcome.executed).not.toContain('Delete Template');
		expect(changesOf(service)).toEqual([]);
	},
};
