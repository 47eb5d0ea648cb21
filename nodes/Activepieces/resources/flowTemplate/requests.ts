import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

const FEATURE = 'custom templates';

/** Lists the platform's own templates, in one piece. */
export const LIST_TEMPLATES: ApiRequest = {
	method: 'GET',
	path: '/v1/flow-templates',
	// Since 0.74. Until 0.76 the contract's path returns the public catalog, an empty page or a 500 (recorded).
	movedTo: { path: '/v1/templates', query: { type: 'CUSTOM' }, isFirst: true },
	feature: FEATURE,
	// Up to 0.73 a platform has no templates of its own (recorded).
	mayHandOnCloud: true,
	subject: { noun: 'flow templates' },
};

export const DELETE_TEMPLATE: Endpoint = {
	method: 'DELETE',
	path: '/v1/flow-templates/{id}',
	// Since 0.74 (recorded).
	movedTo: { path: '/v1/templates/{id}' },
	feature: FEATURE,
	// For a template of type PROJECT, 0.73 responds with empty params, and later releases with a sentence
	// (recorded).
	means: { forbidden: 'forbiddenTemplate', forbiddenWithoutReason: 'forbiddenTemplate' },
};
