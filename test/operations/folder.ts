import { CREATED, find, ofOneProject, renamed, type ResourceFacts } from './facts';

/** The personal projects, whose lists of folders and flows are empty. */
export const personalProjects: ResourceFacts['records'] = ({ projects }) =>
	projects.filter(({ type }) => type === 'PERSONAL');

export const folder: ResourceFacts = {
	records: ({ folders }) => folders,
	output: { title: 'Folder', fields: { flowCount: 'Number of flows in the folder' } },
	operations: {
		getAll: { faults: [ofOneProject], docs: {} },
		get: { faults: [{ isFull: true }], docs: {} },
		create: {
			records: ({ projects }) => projects,
			parameters: () => ({ displayName: CREATED }),
			expected: (projectId) => ({ projectId, name: CREATED }),
			isChanged: ({ data }) => data.folders.some(({ displayName }) => displayName === CREATED),
			faults: [{ looksAfterwards: true }],
			load: {
				records: personalProjects,
				parameters: () => ({ ifExists: 'use' }),
				requests: 2,
				left: ({ data }) =>
					expect(data.folders.filter(({ displayName }) => displayName === CREATED)).toHaveLength(2),
			},
			live: { own: true },
			docs: {
				calls: '`GET /v1/folders` first, `GET /v1/folders/{id}`',
				secondTime:
					'Stops with a message, because the folder exists. With *Use Existing Folder* returns it',
			},
		},
		update: {
			parameters: (id) => ({ displayName: renamed(id) }),
			expected: (id) => ({ id, name: renamed(id) }),
			isChanged: ({ data }, id) => find(data.folders, id).displayName === renamed(id),
			faults: [{ isFull: true, inDoubt: /may have applied the change/ }],
			live: { own: true },
			docs: { secondTime: 'Sets the same name again' },
		},
		delete: {
			faults: [{ isFull: true }],
			load: { holds: (items) => ({ foldersPerProject: items / 2, flows: 0 }) },
			live: { own: true },
			docs: {},
		},
	},
};
