import {
	type Filter,
	filter,
	filtered,
	filtersField,
	listFilter,
} from '../../descriptions/filters';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getLimit, returnAllOrLimit } from '../../descriptions/returnAllOrLimit';
import { fetchUnpagedList } from '../../transport/paging/lists';
import { addRecords, createRecordCollector } from '../../transport/paging/recordCollector';
import type { Operation } from '../operation';
import { LIST_TEMPLATES } from './requests';
import { simplifyTemplate } from './simplify';

const filters: Filter[] = [
	listFilter({
		displayName: 'Pieces',
		name: 'pieces',
		type: 'string',
		default: '',
		placeholder: 'e.g. @activepieces/piece-slack',
		description:
			'Return only templates that use any of these pieces. Enter piece names, separated by commas, as in the pieces field of the output.',
	}),
	filter({
		displayName: 'Search',
		name: 'search',
		type: 'string',
		default: '',
		placeholder: 'e.g. onboarding',
		description:
			'Return only templates whose name or description contains this text. In Activepieces 0.73 and earlier, both must contain it.',
	}),
	listFilter({
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		default: '',
		placeholder: 'e.g. sales, weekly',
		description:
			'Return only templates that have all of these tags. Enter tags, separated by commas, as in the tags field of the output.',
	}),
];

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flow templates',
	description: "Get the platform's own flow templates",
	hint: 'Returns one item per template. Plans without custom templates return none.',
	toolDescription: "Returns the Activepieces platform's own flow templates",
	endpoint: LIST_TEMPLATES,
	properties: [...returnAllOrLimit, ...outputFields, filtersField(filters)],
	simplify: simplifyTemplate,
	async run(context) {
		const output = getOutputMode(context, simplifyTemplate);
		const collector = createRecordCollector(getLimit(context), output.transform);
		const request = filtered(context, LIST_TEMPLATES, filters);
		const { data, bytes } = await fetchUnpagedList(context.client, request);
		collector.keep = context.client.runState.keep;
		addRecords(collector, data, bytes);
		return output.finish(collector.records);
	},
};
