import { type ServiceData } from '../../service';
import { changesOf, rows, type Runs, setValues } from './example';

/** Tags of a template, which are objects since 0.74. */
const titlesOf = ({ tags }: ServiceData['templates'][number]): string[] =>
	tags.map((tag) => (typeof tag === 'string' ? tag : tag.title));

export const runs: Runs = {
	/** The dry run, as imported: shows the templates that would be deleted, and deletes none. */
	'template-cleanup': {
		isForEnterprise: true,
		prepare(workflow) {
			setValues(workflow, 'Settings', { tag: 'even', days: 30 });
		},
		verify(outcome, { service }) {
			const { templates } = service.data;
			const even = templates.filter((template) => titlesOf(template).includes('even'));
			expect(even.length).toBeGreaterThan(0);
			expect(rows(outcome, 'Would Be Deleted').map(({ id }) => id)).toEqual(
				even.map(({ id }) => id),
			);
			expect(outcome.executed).not.toContain('Delete Template');
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** After the dry run: the templates with the tag are deleted, the others stay. */
	'template-cleanup-for-real': {
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
	},
	/** An empty tag matches every template; nothing is deleted then. */
	'template-cleanup-without-tag': {
		isForEnterprise: true,
		prepare(workflow) {
			setValues(workflow, 'Settings', { dryRun: false, tag: '', days: 30 });
		},
		verify(outcome, { service }) {
			expect(rows(outcome, 'Would Be Deleted').length).toBeGreaterThan(0);
			expect(outcome.executed).not.toContain('Delete Template');
			expect(changesOf(service)).toEqual([]);
		},
	},
};
