import { type Service } from '../../service';
import { changesOf, rows, type Runs, setValues } from './example';

const FIND = 'Billing';
const REPLACE_WITH = 'Invoicing';

/**
 * Folders with that name in all projects, one of which contains no flow, and one of which cannot get the
 * new name.
 */
function prepareFolders({ data }: Service): void {
	const [taken] = data.folders.filter(({ displayName }) => displayName === 'Campaigns');
	taken.displayName = REPLACE_WITH;
	const empty = data.folders.filter(({ displayName }) => displayName === FIND).at(-1);
	for (const flow of data.flows) if (flow.folderId === empty?.id) flow.folderId = null;
}

const byProject = (a: { project?: unknown }, b: { project?: unknown }) =>
	String(a.project).localeCompare(String(b.project));

export const runs: Runs = {
	/** The dry run, as imported: shows the folders of all projects that would be renamed. */
	'rename-folders': {
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
	},
	/** After the dry run: folders are renamed; a folder whose new name is in use is listed with the reason. */
	'rename-folders-for-real': {
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
	},
	/** An empty text is part of every name; nothing is renamed then. */
	'rename-folders-without-find': {
		prepare(workflow) {
			setValues(workflow, 'Settings', { dryRun: false, find: '', replaceWith: 'x' });
		},
		verify(outcome, { service }) {
			expect(rows(outcome, 'Would Be Renamed')).toHaveLength(service.data.folders.length);
			expect(outcome.executed).not.toContain('Rename Folder');
			expect(changesOf(service)).toEqual([]);
		},
	},
};
