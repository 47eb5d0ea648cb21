import { locatorField } from '../../descriptions/locator';
import type { Endpoint } from '../../transport/client/request';
import { UNKNOWN_TEMPLATE } from '../../transport/errors/responseMessages';
import { fetchNamed, recordOperation } from '../recordOperation';
import { FEATURE, simplifyTemplate, templateLocator } from './flowTemplate';

const GET_TEMPLATE: Endpoint = {
	method: 'GET',
	path: '/v1/flow-templates/{id}',
	// Since 0.74 (recorded).
	otherPath: { path: '/v1/templates/{id}' },
	feature: FEATURE,
	rules: [UNKNOWN_TEMPLATE],
};

export const get = recordOperation({
	name: 'Get',
	value: 'get',
	description: 'Get a flow template. Turn off Simplify to get its flows.',
	hint: 'Activepieces shows a template to everybody who knows its ID, even without an API key',
	toolDescription: 'Returns one Activepieces flow template by its ID',
	endpoint: GET_TEMPLATE,
	properties: [locatorField({ ...templateLocator, description: 'The flow template to get' })],
	simplify: simplifyTemplate,
	record: fetchNamed(GET_TEMPLATE, templateLocator),
});
