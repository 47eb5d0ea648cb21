import { rows, type Runs, setValues } from './example';

export const runs: Runs = {
	/** Every team project has the folders afterwards; existing ones stay unchanged. */
	'standard-folders': {
		prepare(workflow, { service }) {
			service.live.addProject('Brand New');
			setValues(workflow, 'Settings', { folders: 'campaigns, Reports' });
		},
		verify(outcome, { service }) {
			const { folders, projects } = service.data;
			const namesIn = (projectId: string) =>
				folders.filter((each) => each.projectId === projectId).map((each) => each.displayName);
			for (const { id, type, displayName } of projects) {
				const names = namesIn(id);
				if (type === 'PERSONAL') expect(names).not.toContain('Reports');
				else if (displayName === 'Brand New') expect(names).toEqual(['campaigns', 'Reports']);
				else expect(names).toEqual(expect.arrayContaining(['Campaigns', 'Reports']));
			}
			const teams = projects.filter(({ type }) => type === 'TEAM').length;
			expect(rows(outcome, 'Existing Folders')).toHaveLength(2 * teams);
			expect(outcome.executed).not.toContain('Not Created');
		},
	},
};
