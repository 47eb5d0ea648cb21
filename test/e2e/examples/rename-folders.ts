import { FIND, prepareFolders, REPLACE_WITH } from './folders';
import { changesOf, type Example, rows, setValues } from './example';

/** The dry run, which is how the file is imported: it shows what would get a new name, in all projects. */
export const example: Example = {
	file: 'rename-folders.json',
	prepare(workflow, { service }) {
		prepareFolders(service);
		setValues(workflow, 'Settings', { find: FIND, replaceWith: REPLACE_WITH });
	},
	verify(outcome, { service }) {
		const { folders, projects } = service.data;
		const found = folders.filter(({ displayName }) => displayName === FIND);
		expect(found.length).toBeGreaterThan(1);
		const projectOf = (id: string) => projects.find((project) => project.id === id)?.displayName;
		expect(rows(outcome, 'Would Be Renamed').sort(byProject)).toEqual(
			found
				.map(({ projectId }) => ({
					project: projectOf(projectId),
					oldName: FIND,
					newName: REPLACE_WITH,
				}))
				.sort(byProject),
		);
		expect(outcome.executed).not.toContain('Rename Folder');
		expect(changesOf(service)).toEqual([]);
	},
};

const byProject = (a: { project?: unknown }, b: { project?: unknown }) =>
	String(a.project).localeCompare(String(b.project));
