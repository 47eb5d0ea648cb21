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
			'Comma-separated names of pieces, which stand in pieces; a template with any of them is returned',
	}),
	filter({
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
];

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flow templates',
	description: "Get the platform's own flow templates",
	hint: 'Gives one item per template. On a plan without custom templates there are none.',
	toolDescription: 'Returns the flow templates that the Activepieces platform made itself',
	endpoint: LIST_TEMPLATES,
	properties: [...returnAllOrLimit, ...outputFields, filtersField(filters)],
	simplify: simplifyTemplate,
	async run(context) {
		const output = getOutputMode(context, simplifyTemplate);
		const collector = createRecordCollector(getLimit(context), output.transform);
		const request = filtered(context, LIST_TEMPLATES, filters);
		const { data } = await fetchUnpagedList(context.client, request);
		addRecords(collector, data);
		return output.finish(collector.records);
	},
};
