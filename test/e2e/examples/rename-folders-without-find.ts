import { changesOf, type Example, rows, setValues } from './example';

/** An empty text stands everywhere in every name; nothing is renamed then. */
export const example: Example = {
	file: 'rename-folders.json',
	prepare(workflow) {
		setValues(workflow, 'Settings', { dryRun: false, find: '', replaceWith: 'x' });
	},
	verify(outcome, { service }) {
		expect(rows(outcome, 'Would Be Renamed')).toHaveLength(service.data.folders.length);
		expect(outcome.executed).not.toContain('Rename Folder');
		expect(changesOf(service)).toEqual([]);
	},
};
