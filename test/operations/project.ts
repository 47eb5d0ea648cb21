import type { ServiceData } from '../service';
import { CREATED, find, renamed, type ResourceFacts } from './facts';

const teams = ({ projects }: ServiceData) => projects.filter(({ type }) => type === 'TEAM');

/** A team project that nobody uses any more, added to the records of the service. */
function emptyProject({ projects }: ServiceData) {
	const id = 'EmptyProject'.padEnd(21, '0');
	if (projects.every((project) => project.id !== id)) {
		projects.push({ ...projects[0], id, displayName: 'Empty', externalId: null });
	}
	return find(projects, id);
}

const NEEDS = 'Cloud or Enterprise. From 0.80, the Community edition allows one team project';

export const project: ResourceFacts = {
	records: ({ projects }) => projects,
	output: {
		title: 'Project',
		fields: {
			type: "`TEAM`, or `PERSONAL` for a user's own project",
			externalId: 'ID that your own software gave the project',
			ownerId: 'ID of the user who owns the project',
		},
	},
	operations: {
		getAll: { docs: {} },
		create: {
			parameters: () => ({ displayName: CREATED, externalId: CREATED }),
			expected: () => ({ name: CREATED, externalId: CREATED }),
			isChanged: ({ data }) => data.projects.some(({ displayName }) => displayName === CREATED),
			faults: [{ looksAfterwards: true }],
			docs: {
				needs: NEEDS,
				calls: '`GET /v1/projects` first, with an external ID',
				secondTime:
					'**Creates another project** of the same name. With an *External ID* stops with a message, or with *Use Existing Project* returns the project',
			},
		},
		update: {
			records: teams,
			parameters: (id) => ({ updateFields: { displayName: renamed(id) } }),
			expected: (id) => ({ id, name: renamed(id) }),
			isChanged: ({ data }, id) => find(data.projects, id).displayName === renamed(id),
			docs: { secondTime: 'Sets the same values again' },
		},
		delete: {
			records: (data) => [emptyProject(data)],
			load: {
				records: teams,
				holds: (projects) => ({ projects, foldersPerProject: 0, flows: 0 }),
				requests: 2,
			},
			docs: { needs: NEEDS, calls: '`GET /v1/projects/{id}` first' },
		},
	},
};
