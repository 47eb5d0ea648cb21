import type { IDataObject } from 'n8n-workflow';

import { type Filter, textFilter, textsFilter } from '../../descriptions/filters';
import { type Locator, locatorField, lowerCase, nameOf } from '../../descriptions/locator';
import { NO_CUSTOM_TEMPLATES, NOT_OWN_TEMPLATE } from '../../transport/errors/responseMessages';
import type { ApiRequest } from '../../transport/client/request';
import { isRecord } from '../../transport/values';
import { deleteOperation, listOperation, orNull } from '../builders';
import type { Resource } from '../operation';

const FEATURE = 'custom templates';

/** Lists the platform's own templates, in one piece. */
const LIST_TEMPLATES: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/flow-templates',
		// Since 0.74. Until 0.76 the contract's path returns the public catalog, an empty page or a 500 (recorded).
		otherPath: { path: '/v1/templates', query: { type: 'CUSTOM' }, isTriedFirst: true },
		feature: FEATURE,
		// Up to 0.73 a platform has no templates of its own (recorded).
		rules: [NO_CUSTOM_TEMPLATES],
	},
	subject: { noun: 'flow templates' },
};

/** Up to 0.73 tags are texts, later objects with a title. */
const tagNames = (tags: unknown): unknown[] =>
	Array.isArray(tags) ? tags.map((tag: unknown) => (isRecord(tag) ? tag.title : tag)) : [];

/** Up to 0.73 `template` contains one flow, later `flows` contains a list. */
function flowCount({ template, flows }: IDataObject): number | null {
	if (Array.isArray(flows)) return flows.length;
	return isRecord(template) ? 1 : null;
}

/** The fields of a template that a person reads, the same for all releases. */
export const simplifyTemplate = (template: IDataObject): IDataObject => ({
	...orNull(template, 'name', 'type', 'summary', 'description'),
	tags: tagNames(template.tags) as IDataObject[],
	pieces: template.pieces ?? [],
	flowCount: flowCount(template),
	...orNull(template, 'created', 'updated', 'id'),
});

const templateLocator: Locator = {
	name: 'templateId',
	displayName: 'Template',
	noun: 'flow template',
	description: 'The flow template to delete',
	required: true,
	searchMethod: 'searchTemplates',
	sources: () => [
		{
			key: 'all',
			request: LIST_TEMPLATES,
			isUnpaged: true,
			label: (template) => `${nameOf(template, 'name')} (${lowerCase(template.type)})`,
		},
	],
};

const filters: Filter[] = [
	textsFilter('Pieces', 'pieces', {
		placeholder: 'e.g. @activepieces/piece-slack',
		description:
			'Return only templates that use any of these pieces. Enter piece names, separated by commas, as in the pieces field of the output.',
	}),
	textFilter('Search', 'search', {
		placeholder: 'e.g. onboarding',
		description:
			'Return only templates whose name or description contains this text. In Activepieces 0.73 and earlier, both must contain it.',
	}),
	textsFilter('Tags', 'tags', {
		placeholder: 'e.g. sales, weekly',
		description:
			'Return only templates that have all of these tags. Enter tags, separated by commas, as in the tags field of the output.',
	}),
];

const getAll = listOperation({
	description: "Get the platform's own flow templates",
	hint: 'Returns one item per template. Plans without custom templates return none.',
	toolDescription: "Returns the Activepieces platform's own flow templates",
	request: LIST_TEMPLATES,
	filters,
	simplify: simplifyTemplate,
	isUnpaged: true,
});

const remove = deleteOperation({
	description: 'Delete a flow template permanently',
	hint: 'Deletes one template per input item. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces flow template with the given ID and returns {"deleted": true}',
	endpoint: {
		method: 'DELETE',
		path: '/v1/flow-templates/{id}',
		// Since 0.74 (recorded).
		otherPath: { path: '/v1/templates/{id}' },
		feature: FEATURE,
		// For a template of type PROJECT, 0.73 responds with empty params, and later releases with a sentence
		// (recorded).
		rules: [NOT_OWN_TEMPLATE],
	},
	properties: [locatorField(templateLocator)],
	target: templateLocator,
});

export const flowTemplate: Resource = {
	name: 'Flow Template',
	value: 'flowTemplate',
	locators: [templateLocator],
	operations: [getAll, remove],
};
