import type { IDataObject } from 'n8n-workflow';

import { type Locator, lowerCase, nameOf } from '../../descriptions/locator';
import type { ApiRequest } from '../../transport/client/request';
import { type Condition, when } from '../../transport/errors/rule';
import { isStatus } from '../../transport/http/httpStatus';
import type { ApiResponse } from '../../transport/http/response';
import { isRecord, orNull } from '../../transport/values';

export const FEATURE = 'custom templates';

/**
 * The responses of the vendor's Cloud, to which some releases hand on requests, for a route or a template that it does
 * not have, with status 200, or that did not reach the service (recorded).
 */
export const isOfCloud: Condition<ApiResponse> = ({ status, body, message }) =>
	(isStatus(status, 'ok') && isRecord(body) && isStatus(body.statusCode, 'notFound')) ||
	(isStatus(status, 'internalServerError') && message === 'fetch failed');

/** Lists the platform's own templates, in one piece. */
export const LIST_TEMPLATES: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/flow-templates',
		// Since 0.74. Until 0.76 the contract's path returns the public catalog, an empty page or a 500 (recorded).
		otherPath: { path: '/v1/templates', query: { type: 'CUSTOM' }, isTriedFirst: true },
		feature: FEATURE,
		// Up to 0.73 a platform has no templates of its own (recorded).
		rules: [
			when([isOfCloud], () => ({
				message: 'This Activepieces server has no custom templates',
				description:
					'The Community edition has no custom templates. Other editions need a plan that includes them (Enterprise or a paid Cloud plan).',
			})),
		],
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
