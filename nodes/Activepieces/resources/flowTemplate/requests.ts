import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

const FEATURE = 'custom templates';

/** The platform's own templates, in one piece */
export const LIST_TEMPLATES: ApiRequest = {
	method: 'GET',
	path: '/v1/flow-templates',
	// Since 0.74. Until 0.76 the contract's path gives the public catalogue, an empty page or a 500 (recorded).
	movedTo: { path: '/v1/templates', query: { type: 'CUSTOM' }, isFirst: true },
	feature: FEATURE,
	// Releases up to 0.73, where a platform has no templates of its own (recorded).
	mayHandOnCloud: true,
	subject: { noun: 'flow templates' },
};

export const DELETE_TEMPLATE: Endpoint = {
	method: 'DELETE',
	path: '/v1/flow-templates/{id}',
	// Since 0.74 (recorded).
	movedTo: { path: '/v1/templates/{id}' },
	feature: FEATURE,
	// 0.73 answers with empty params for a template of type PROJECT, later ones with a sentence (recorded).
	means: { forbidden: 'forbiddenTemplate', forbiddenWithoutReason: 'forbiddenTemplate' },
};
