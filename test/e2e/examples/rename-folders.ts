import { type Example, rows, setValues } from './example';

const FIND = 'Billing';
const REPLACE_WITH = 'Invoicing';

/** Folders of all projects get the new name; one whose new name is taken is told with the reason. */
export const example: Example = {
	file: 'rename-folders.json',
	prepare(workflow, { service }) {
		setValues(workflow, 'Settings', { find: FIND, replaceWith: REPLACE_WITH });
		const [taken] = service.data.folders.filter(({ displayName }) => displayName === 'Campaigns');
		taken.displayName = REPLACE_WITH;
	},
	verify(outcome, { service }) {
		const { folders } = service.data;
		const renamed = rows(outcome, 'Renamed');
		expect(renamed.length).toBeGreaterThan(0);
		for (const { folderId, oldName, newName } of renamed) {
			expect([oldName, newName]).toEqual([FIND, REPLACE_WITH]);
			expect(folders.find(({ id }) => id === folderId)?.displayName).toBe(REPLACE_WITH);
		}
		const still = folders.filter(({ displayName }) => displayName === FIND);
		const notRenamed = rows(outcome, 'Not Renamed');
		expect(notRenamed.map(({ folderId }) => folderId)).toEqual(still.map(({ id }) => id));
		expect(notRenamed).toHaveLength(1);
		expect(notRenamed[0].reason).toContain('already has the name');
	},
};
