import { locatorField } from '../../descriptions/locator';
import type { Endpoint } from '../../transport/client/request';
import { when } from '../../transport/errors/rule';
import { fetchNamed, recordOperation } from '../recordOperation';
import { FEATURE, isOfCloud, simplifyTemplate, templateLocator } from './flowTemplate';

const GET_TEMPLATE: Endpoint = {
	method: 'GET',
	path: '/v1/flow-templates/{id}',
	// Since 0.74 (recorded).
	otherPath: { path: '/v1/templates/{id}' },
	feature: FEATURE,
	rules: [
		// The server asks Activepieces Cloud for a template that it does not have (recorded).
		when([isOfCloud], ({ Record, field }) => ({
			message: `${Record} was not found`,
			description: `Check ${field}. This server does not have the template, and did not get it from Activepieces Cloud.`,
		})),
	],
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
