import type { ServiceData } from '../service';
import { CREATED, type ResourceFacts } from './facts';

/** The templates of the platform itself. */
const own = ({ templates }: ServiceData) =>
	templates.filter(({ type }) => type === 'PLATFORM' || type === 'CUSTOM');

export const flowTemplate: ResourceFacts = {
	records: own,
	needs: 'Cloud or Enterprise, on a plan with custom templates',
	output: {
		title: 'Flow template',
		fields: {
			summary: 'Summary; null before Activepieces 0.74',
			description: 'Description',
			type: 'For example `CUSTOM`, before Activepieces 0.74 `PLATFORM`',
			tags: 'Names of the tags',
			pieces: 'Pieces that the template uses',
			flowCount: 'Number of flows in the template',
		},
	},
	operations: {
		getAll: {
			// Community up to 0.76 passes on the response of the vendor's Cloud with its public ones.
			live: { lacking: ['ce', 'forwarded'] },
			docs: {},
		},
		get: { live: { lacking: ['ce', 'forwarded'] }, docs: {} },
		create: {
			records: ({ flows }) => flows,
			parameters: () => ({ displayName: CREATED, options: { description: 'How to', tags: 'new' } }),
			expected: () => ({ name: CREATED, description: 'How to', tags: ['new'], flowCount: 1 }),
			isChanged: ({ data }) => data.templates.some(({ name }) => name === CREATED),
			faults: [{ looksAfterwards: true }, { name: 'the flow', request: 'GET /v1/flows/{id}' }],
			load: {
				requests: 2,
				left: ({ data }, items) =>
					expect(data.templates.filter(({ name }) => name === CREATED)).toHaveLength(items),
			},
			docs: {
				calls: '`GET /v1/flows/{id}` first; the list of templates if the outcome is unknown',
				secondTime: '**Creates another template** of the same name',
			},
		},
		delete: { load: { holds: (templates) => ({ templates }) }, docs: {} },
	},
};
