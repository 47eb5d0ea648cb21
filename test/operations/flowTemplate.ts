import type { ServiceData } from '../service';
import type { ResourceFacts } from './facts';

/** The templates of the platform itself. */
const own = ({ templates }: ServiceData) =>
	templates.filter(({ type }) => type === 'PLATFORM' || type === 'CUSTOM');

export const flowTemplate: ResourceFacts = {
	records: own,
	needs: 'Cloud or Enterprise, on a plan with custom templates',
	output: {
		title: 'Flow template',
		fields: {
			summary: 'Summary; null up to 0.73',
			description: 'Description',
			type: 'For example `CUSTOM`, up to 0.73 `PLATFORM`',
			tags: 'Names of the tags',
			pieces: 'Pieces that the template uses',
			flowCount: 'Number of flows in the template',
		},
	},
	operations: {
		getAll: {
			// Community up to 0.76 passes on the response of the vendor's Cloud with its public ones.
			live: { lacking: ['ce', 'forwarded'] },
			docs: { note: 'of your own platform' },
		},
		delete: { load: { holds: (templates) => ({ templates }) }, docs: {} },
	},
};
