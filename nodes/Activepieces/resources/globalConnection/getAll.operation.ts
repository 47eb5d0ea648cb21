import { filters, listFilter, queryFilter } from '../../descriptions/filters';
import { listing, pagingOptions, readPageSize, readWanted } from '../../descriptions/listing';
import { readShape, shapeFields } from '../../descriptions/shape';
import { readList } from '../../transport/lists';
import { createTally } from '../../transport/pages';
import type { Endpoint } from '../../transport/request';
import type { Operation } from '../resource';
import { simplifyConnection } from './simplifyConnection';

const endpoint: Endpoint = { method: 'GET', path: '/v1/global-connections' };

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many global connections',
	description:
		'Get the connections that are shared across projects. Needs a plan with global connections.',
	hint: 'Gives one item per connection. Needs the Enterprise or Cloud edition and a plan with global connections.',
	endpoint,
	fields: [
		...listing,
		...shapeFields,
		filters([
			queryFilter({
				displayName: 'Name',
				name: 'displayName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Slack',
				description: 'Part of the name, in any letter case. % and _ are wildcards.',
			}),
			queryFilter({
				displayName: 'Piece Name',
				name: 'pieceName',
				type: 'string',
				default: '',
				placeholder: 'e.g. @activepieces/piece-slack',
				description: 'The exact name of the piece that the connection is for',
			}),
			queryFilter({
				displayName: 'Scope',
				name: 'scope',
				type: 'options',
				options: [
					{ name: 'Platform', value: 'PLATFORM' },
					{ name: 'Project', value: 'PROJECT' },
				],
				default: 'PLATFORM',
				description: 'Only connections of this scope',
				hint: 'Has no effect on Activepieces up to 0.85',
			}),
			listFilter({
				displayName: 'Status',
				name: 'status',
				type: 'multiOptions',
				options: [
					{ name: 'Active', value: 'ACTIVE' },
					{ name: 'Error', value: 'ERROR' },
					{ name: 'Missing', value: 'MISSING' },
				],
				default: [],
				description:
					'Only connections with one of the chosen statuses. Those in Error or Missing need attention.',
			}),
		]),
		pagingOptions(),
	],
	async run(work) {
		const shape = readShape(work, simplifyConnection);
		const tally = createTally(readWanted(work.context), shape.keep);
		await readList(
			work.session,
			{
				...endpoint,
				query: work.query,
				subject: { noun: 'global connections', feature: 'global connections' },
			},
			readPageSize(work.context),
			tally,
		);
		return shape.whole(tally.records);
	},
};
