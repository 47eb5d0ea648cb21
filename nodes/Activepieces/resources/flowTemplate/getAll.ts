import { type Filter, textFilter, textsFilter } from '../../descriptions/filters';
import { listOperation } from '../listOperation';
import { LIST_TEMPLATES, simplifyTemplate } from './flowTemplate';

const filters: Filter[] = [
	textsFilter('Pieces', 'pieces', {
		placeholder: 'e.g. @activepieces/piece-slack',
		description:
			'Return only templates that use any of these pieces. Enter piece names, separated by commas, as in the pieces field of the output.',
	}),
	textFilter('Search', 'search', {
		placeholder: 'e.g. onboarding',
		description:
			'Return only templates whose name, summary or description contains this text. In Activepieces 0.73 and earlier, name and description must both contain it.',
	}),
	textsFilter('Tags', 'tags', {
		placeholder: 'e.g. sales, weekly',
		description:
			'Return only templates that have all of these tags. Enter tags, separated by commas, as in the tags field of the output.',
	}),
];

export const getAll = listOperation({
	description: "Get the platform's own flow templates",
	hint: 'Returns one item per template. Plans without custom templates return none.',
	toolDescription: "Returns the Activepieces platform's own flow templates",
	request: LIST_TEMPLATES,
	filters,
	simplify: simplifyTemplate,
	isUnpaged: true,
});
