import { CREATED, find, ofOneProject, renamed, type ResourceFacts } from './facts';

/** The personal projects, whose lists of folders and flows are empty. */
export const personalProjects: ResourceFacts['records'] = ({ projects }) =>
	projects.filter(({ type }) => type === 'PERSONAL');

export const folder: ResourceFacts = {
	records: ({ folders }) => folders,
	output: {
		title: 'Folder',
		fields: {
			id: 'ID of the folder',
			projectId: 'ID of the folder’s project',
			flowCount: 'Number of flows in the folder',
		},
	},
	operations: {
		getAll: {
			faults: [ofOneProject],
			docs: {
				result: 'One item per folder',
				calls: '`GET /v1/projects` for the projects’ names, and to list all projects',
			},
		},
		get: {
			faults: [{ isFull: true }],
			docs: { result: 'The folder', calls: '`GET /v1/projects` for the project’s name' },
		},
		create: {
			records: ({ projects }) => projects,
			parameters: () => ({ displayName: CREATED }),
			expected: (projectId) => ({ projectId, name: CREATED }),
			isChanged: ({ data }) => data.folders.some(({ displayName }) => displayName === CREATED),
			load: {
				records: personalProjects,
				parameters: () => ({ ifExists: 'use' }),
				requests: 2,
				left: ({ data }) =>
					expect(data.folders.filter(({ displayName }) => displayName === CREATED)).toHaveLength(2),
			},
			live: { own: (displayName) => ({ displayName }) },
			docs: {
				result:
					'The new folder. If a folder with this name exists, the item fails or returns that folder, depending on *If Folder Exists*',
				calls:
					'`GET /v1/folders` first, to find a folder of the same name; `GET /v1/folders/{id}` for that folder; `GET /v1/projects`',
				secondTime:
					'Stops with a message, because the folder exists. Set *If Folder Exists* to *Use Existing Folder*',
			},
		},
		update: {
			parameters: (id) => ({ displayName: renamed(id) }),
			expected: (id) => ({ id, name: renamed(id) }),
			isChanged: ({ data }, id) => find(data.folders, id).displayName === renamed(id),
			faults: [{ isFull: true, inDoubt: /may have applied the change/ }],
			live: { own: (displayName) => ({ displayName }) },
			docs: {
				result: 'The renamed folder',
				calls: '`GET /v1/projects` for the project’s name',
				secondTime: 'Sets the same name again',
			},
		},
		delete: {
			faults: [{ isFull: true }],
			load: { holds: { foldersPerProject: 10_000, flows: 0 } },
			live: { own: true },
			docs: { result: '`{ "deleted": true }`. Its flows remain, without a folder' },
		},
	},
};
