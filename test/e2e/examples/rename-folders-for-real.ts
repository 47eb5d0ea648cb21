import { FIND, prepareFolders, REPLACE_WITH } from './folders';
import { type Example, rows, setValues } from './example';

/** The run after the dry run: folders get the new name; one whose new name is taken is told with the reason. */
export const example: Example = {
	file: 'rename-folders.json',
	prepare(workflow, { service }) {
		prepareFolders(service);
		setValues(workflow, 'Settings', { dryRun: false, find: FIND, replaceWith: REPLACE_WITH });
	},
	verify(outcome, { service }) {
		const { flows, folders } = service.data;
		const renamed = rows(outcome, 'Renamed');
		for (const { folderId, oldName, newName } of renamed) {
			expect([oldName, newName]).toEqual([FIND, REPLACE_WITH]);
			expect(folders.find(({ id }) => id === folderId)?.displayName).toBe(REPLACE_WITH);
		}
		const isEmpty = (id: unknown) => !flows.some(({ folderId }) => folderId === id);
		expect(renamed.filter(({ folderId }) => isEmpty(folderId))).toHaveLength(1);
		const still = folders.filter(({ displayName }) => displayName === FIND);
		const notRenamed = rows(outcome, 'Not Renamed');
		expect(notRenamed.map(({ folderId }) => folderId)).toEqual(still.map(({ id }) => id));
		expect(notRenamed).toHaveLength(1);
		expect(notRenamed[0].reason).toContain('already has the name');
		expect(outcome.executed).not.toContain('Would Be Renamed');
	},
};
