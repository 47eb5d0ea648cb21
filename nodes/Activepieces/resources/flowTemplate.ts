import type { IDataObject } from 'n8n-workflow';

import { named, options } from '../descriptions/field';
import { recordName, text, texts } from '../descriptions/kinds';
import { lowerCase, nameOf, type Locator } from '../descriptions/locator';
import type { ApiClient } from '../transport/api/client';
import type { ApiRequest, Endpoint } from '../transport/client/request';
import type { ResponseRule } from '../transport/errors/rule';
import { isStatus, SESSION_CODES } from '../transport/http/response';
import { toLikePattern } from '../transport/names';
import { shortName } from '../transport/texts';
import { isRecord, orNull, recordOf } from '../transport/values';
import { contentOf, withTimes } from './flow/content';
import { flowLocator, versionOf } from './flow/flow';
import { chosenVersionOf } from './flow/versions';
import { deleteOperation, listOperation, operation, type Resource } from './operation';

const FEATURE = 'custom templates';

/**
 * The responses of the vendor's Cloud, to which some releases hand on requests, for a route or a template that it does
 * not have, with status 200, or that did not reach the service (recorded).
 */
const isOfCloud: ResponseRule['when'] = ({ response: { status, body, message } }) =>
	(isStatus(status, 'ok') && isRecord(body) && isStatus(body.statusCode, 'notFound')) ||
	(isStatus(status, 'internalServerError') && message === 'fetch failed');

/** Lists the platform's own templates, in one piece. */
const LIST_TEMPLATES: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/flow-templates',
		// Since 0.74. Until 0.76 the contract's path returns the public catalog, an empty page or a 500 (recorded).
		otherPath: { path: '/v1/templates', query: { type: 'CUSTOM' }, isTriedFirst: true },
		worksOn073: true,
		feature: FEATURE,
		// Up to 0.73 a platform has no templates of its own (recorded).
		rules: [
			{
				when: isOfCloud,
				message: 'This Activepieces server has no custom templates',
				description:
					'The Community edition has no custom templates. Other editions need a plan that includes them (Enterprise or a paid Cloud plan).',
			},
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
const simplifyTemplate = (template: IDataObject): IDataObject => ({
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
	description: 'The flow template to operate on',
	required: true,
	byName: ({ name }) => name,
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

const filters = {
	pieces: texts('Pieces', 'pieces', {
		placeholder: 'e.g. @activepieces/piece-slack',
		description:
			'Return only templates that use any of these pieces. Enter piece names, separated by commas, as in the pieces field of the output.',
	}),
	search: text(
		'Search',
		'search',
		{
			placeholder: 'e.g. onboarding',
			description: 'Return only templates whose name, summary or description contains this text',
		},
		(_label, part) => toLikePattern(part),
	),
	tags: texts('Tags', 'tags', {
		placeholder: 'e.g. sales, weekly',
		description:
			'Return only templates that have all of these tags. Enter tags, separated by commas, as in the tags field of the output.',
	}),
};

const getAll = listOperation({
	description: "Get the platform's own flow templates",
	hint: 'Returns one item per template. Plans without custom templates return none.',
	toolDescription: "Returns the Activepieces platform's own flow templates",
	request: LIST_TEMPLATES,
	filters,
	simplify: simplifyTemplate,
	isUnpaged: true,
});

const GET_TEMPLATE: Endpoint = {
	method: 'GET',
	path: '/v1/flow-templates/{id}',
	// Since 0.74 (recorded).
	otherPath: { path: '/v1/templates/{id}' },
	feature: FEATURE,
	rules: [
		// The server asks Activepieces Cloud for a template that it does not have (recorded).
		{
			when: isOfCloud,
			message: ({ recordAtStart }) => `${recordAtStart} was not found`,
			description: ({ field }) =>
				`Check ${field}. This server does not have the template, and did not get it from Activepieces Cloud.`,
		},
	],
};

const get = operation({
	name: 'Get',
	value: 'get',
	description: 'Get a flow template. Turn off Simplify to get its flows.',
	hint: 'Activepieces shows a template to everybody who knows its ID, even without an API key',
	toolDescription: 'Returns one Activepieces flow template by its ID',
	endpoint: GET_TEMPLATE,
	fields: { template: named({ ...templateLocator, description: 'The flow template to get' }) },
	simplify: simplifyTemplate,
});

const CREATE_TEMPLATE: Endpoint = {
	method: 'POST',
	path: '/v1/flow-templates',
	// Since 0.74 (recorded).
	otherPath: { path: '/v1/templates', isTriedFirst: true },
	feature: FEATURE,
};

/** Each tag needs a color (recorded). */
const TAG_COLOR = '#808080';

/**
 * The flow in a template. Everybody who knows the ID of the template can read it (recorded), so it is without
 * the secrets that callers of a webhook need, as in an export.
 */
function flowFor(record: IDataObject, displayName: string) {
	const version = versionOf(record);
	const content = { ...contentOf(version), displayName };
	const { trigger, schemaVersion, notes } = content;
	const valid = version.valid !== false && trigger.valid !== false;
	const flow = { displayName, trigger: withTimes(trigger), valid, schemaVersion, notes };
	return { content: JSON.stringify(content), flow };
}

/**
 * The template that a request without a clear result has created. Without the plan for custom templates, the service lists
 * none, although it creates them (recorded).
 */
async function findCreated(client: ApiClient, name: string, description: string, content: string) {
	const data = await client.fetchUnpagedList(LIST_TEMPLATES);
	return data.find((each) => {
		const [flow] = Array.isArray(each.flows) ? each.flows : [];
		const isAlike = each.name === name && each.description === description;
		return isAlike && JSON.stringify(contentOf(recordOf(flow))) === content;
	});
}

const create = operation({
	name: 'Create',
	value: 'create',
	description: 'Create a flow template of the platform from a flow',
	hint: 'Everybody who knows the ID of a template can read its flow, so its steps should not contain secrets',
	toolDescription:
		'Creates a template of the Activepieces platform from a flow and returns the template. Several templates can have the same name. Everybody who knows the ID of a template can read its flow, without a key',
	endpoint: CREATE_TEMPLATE,
	fields: {
		chosen: chosenVersionOf(
			{
				...flowLocator,
				description:
					'The flow to make the template from. The list shows the flows of all projects.',
			},
			'Which version of the flow to use',
		),
		name: recordName('Name', 'template', {
			placeholder: 'e.g. Customer onboarding',
			description: 'The name of the template. Several templates can have the same name.',
		}),
		options: options({
			categories: texts('Categories', 'categories', {
				placeholder: 'e.g. SALES, MARKETING',
				description: 'The categories of the template, separated by commas',
			}),
			description: text('Description', 'description', {
				typeOptions: { rows: 3 },
				description: 'What the template does and what it needs',
			}),
			summary: text('Summary', 'summary', {
				description: 'What the template does, in one line',
			}),
			tags: texts('Tags', 'tags', {
				placeholder: 'e.g. sales, weekly',
				description: 'The tags of the template, separated by commas',
			}),
		}),
	},
	simplify: simplifyTemplate,
	async record({ chosen, name, options: given }, { client }) {
		const { summary, description, categories, tags } = given;
		const { content, flow } = flowFor(chosen.flow, name);
		const body = {
			...{ description, metadata: null, type: 'CUSTOM', name, summary, author: '', categories },
			...{ tags: tags.map((title) => ({ title, color: TAG_COLOR })), flows: [flow] },
		};
		const change = `the template "${shortName(name)}" was created`;
		return await client.makeChange({
			idempotency: { key: [content, given], change, lookIn: 'the templates' },
			find: async () => await findCreated(client, name, description, content),
			send: async () =>
				await client.requestRecord({
					endpoint: CREATE_TEMPLATE,
					body,
					subject: { noun: 'flow template' },
				}),
		});
	},
});

/** The service says that the record is not for deleting, and nothing about the credential. */
const isAboutRecord: ResponseRule['when'] = ({ response: { code = '', message = '' } }) =>
	!['PERMISSION_DENIED', ...SESSION_CODES].includes(code) &&
	!(code === 'AUTHORIZATION' && /principal|project id is required/i.test(message));

const remove = deleteOperation({
	description: 'Permanently delete a flow template',
	hint: 'Deletes one template per input item. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces flow template with the given ID and returns {"deleted": true}',
	endpoint: {
		method: 'DELETE',
		path: '/v1/flow-templates/{id}',
		// Since 0.74 (recorded).
		otherPath: { path: '/v1/templates/{id}' },
		worksOn073: true,
		feature: FEATURE,
		// For a template of type PROJECT, 0.73 responds with empty params, and later releases with a sentence
		// (recorded).
		rules: [
			{
				from: 'service',
				status: 'forbidden',
				when: isAboutRecord,
				message: ({ actor, record }) => `The ${actor} is not allowed to delete the ${record}`,
				description: ({ quoted }) =>
					`${quoted}You can delete only custom templates of your own platform, not official, shared or project templates.`,
			},
		],
	},
	fields: { template: named({ ...templateLocator, description: 'The flow template to delete' }) },
});

export const flowTemplate: Resource = {
	name: 'Flow Template',
	value: 'flowTemplate',
	locators: [templateLocator],
	operations: [getAll, get, create, remove],
};
