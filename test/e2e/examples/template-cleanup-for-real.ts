import { type Example, rows, setValues } from './example';
import { titlesOf } from './templates';

/** The run after the dry run: the templates with the tag go, the others stay. */
export const example: Example = {
	file: 'template-cleanup.json',
	isForEnterprise: true,
	prepare(workflow) {
		setValues(workflow, 'Settings', { dryRun: false, tag: 'even', days: 30 });
	},
	verify(outcome, { service }) {
		const { templates } = service.data;
		const deleted = rows(outcome, 'Deleted');
		expect(deleted.length).toBeGreaterThan(0);
		const deletes = service.requests.filter(
			({ method, status }) => method === 'DELETE' && status === 204,
		);
		expect(deletes.map(({ path }) => path.split('/').at(-1)).sort()).toEqual(
			deleted.map(({ id }) => id).sort(),
		);
		expect(templates.length).toBeGreaterThan(0);
		expect(templates.flatMap(titlesOf)).not.toContain('even');
		expect(outcome.executed).not.toContain('Would Be Deleted');
	},
};
