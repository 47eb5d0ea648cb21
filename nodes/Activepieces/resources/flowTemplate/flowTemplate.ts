import type { IDataObject } from 'n8n-workflow';

import { type Locator, lowerCase, nameOf } from '../../descriptions/locator';
import type { ApiRequest } from '../../transport/client/request';
import { NO_CUSTOM_TEMPLATES } from '../../transport/errors/responseMessages';
import { isRecord, orNull } from '../../transport/values';

export const FEATURE = 'custom templates';

/** Lists the platform's own templates, in one piece. */
export const LIST_TEMPLATES: ApiRequest = {
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

export const templateLocator: Locator = {
	name: 'templateId',
	displayName: 'Template',
	noun: 'flow template',
	description: 'The flow template to operate on',
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
