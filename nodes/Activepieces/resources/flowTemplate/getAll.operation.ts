import { filters, listFilter, queryFilter } from '../../descriptions/filters';
import { listing, readWanted } from '../../descriptions/listing';
import { readShape, shapeFields } from '../../descriptions/shape';
import { readWhole } from '../../transport/lists';
import { addRecords, createTally } from '../../transport/pages';
import type { Endpoint } from '../../transport/request';
import type { Operation } from '../resource';
import { simplifyTemplate } from './simplifyTemplate';

const endpoint: Endpoint = { method: 'GET', path: '/v1/flow-templates' };

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flow templates',
	description: "Get the platform's own flow templates",
	hint: 'Gives one item per template. On a plan without custom templates there are none.',
	endpoint,
	fields: [
		...listing,
		...shapeFields,
		filters([
			listFilter({
				displayName: 'Pieces',
				name: 'pieces',
				type: 'string',
				default: '',
				placeholder: 'e.g. @activepieces/piece-slack',
				description: 'Comma-separated names of pieces; a template with any of them is returned',
			}),
			queryFilter({
				displayName: 'Search',
				name: 'search',
				type: 'string',
				default: '',
				placeholder: 'e.g. onboarding',
				description:
					'Text in the template. Releases up to 0.73 want it in the name and in the description, later ones in either.',
			}),
			listFilter({
				displayName: 'Tags',
				name: 'tags',
				type: 'string',
				default: '',
				placeholder: 'e.g. sales, weekly',
				description: 'Comma-separated tags; only templates with all of them are returned',
			}),
		]),
	],
	async run(work) {
		const shape = readShape(work, simplifyTemplate);
		const tally = createTally(readWanted(work.context), shape.keep);
		const { data } = await readWhole(work.session, {
			...endpoint,
			query: work.query,
			subject: { noun: 'flow templates', feature: 'custom templates' },
		});
		addRecords(tally, data);
		return shape.whole(tally.records);
	},
};
