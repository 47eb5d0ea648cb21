import { CREATED, ofOneProject, type ResourceFacts } from './facts';

const NAME = CREATED.toUpperCase();

export const variable: ResourceFacts = {
	records: ({ variables }) => variables,
	needs: '0.85 or later',
	lackedBy: ['0.79'],
	output: {
		title: 'Variable',
		fields: {
			metadata: 'Data that your own software stored with the variable',
			ownerEmail: 'Email of the user who created it',
		},
	},
	operations: {
		getAll: { faults: [ofOneProject], docs: {} },
		upsert: {
			records: ({ projects }) => projects,
			parameters: () => ({ variableName: NAME, value: 'A secret value' }),
			expected: (projectId) => ({ projectId, name: NAME }),
			isChanged: ({ data }) => data.variables.some(({ name }) => name === NAME),
			faults: [
				{ looksAfterwards: true },
				{ name: 'variables of the project', request: 'GET /v1/variables' },
			],
			load: { requests: 2 },
			docs: {
				calls: '`GET /v1/variables` first, `POST /v1/variables/{id}`',
				secondTime: 'Sets the same value again',
			},
		},
		delete: {
			load: { holds: (items) => ({ variablesPerProject: items / 2 }) },
			docs: {},
		},
	},
};
