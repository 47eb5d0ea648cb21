import type { IDataObject } from 'n8n-workflow';

import { collectionField, nameField, textField } from '../../descriptions/fields';
import { locatorField } from '../../descriptions/locator';
import { splitList, toText } from '../../descriptions/parameters';
import { toRecordName } from '../../descriptions/recordName';
import type { OperationContext } from '../../execution/operationContext';
import { requestRecord } from '../../transport/client/record';
import type { Endpoint } from '../../transport/client/request';
import { fetchUnpagedList } from '../../transport/lists/pages';
import { shortName } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import { flowLocator, versionOf } from '../flow/flow';
import { contentOf, withTimes } from '../flow/flowFile';
import { fetchChosenVersion, versionField } from '../flow/flowVersion';
import { recordOperation } from '../recordOperation';
import { unconfirmed } from '../refusals';
import { FEATURE, LIST_TEMPLATES, simplifyTemplate } from './flowTemplate';

// Since 0.74 (recorded).
const OTHER_PATH = { path: '/v1/templates', isTriedFirst: true };

const CREATE_TEMPLATE: Endpoint = {
	method: 'POST',
	path: '/v1/flow-templates',
	otherPath: OTHER_PATH,
	feature: FEATURE,
};

/** Each tag needs a color (recorded). */
const TAG_COLOR = '#808080';

const summaryField = textField('Summary', 'summary', {
	description: 'What the template does, in one line',
});

const descriptionField = textField('Description', 'description', {
	typeOptions: { rows: 3 },
	description: 'What the template does and what it needs',
});

const categoriesField = textField('Categories', 'categories', {
	placeholder: 'e.g. SALES, MARKETING',
	description: 'The categories of the template, separated by commas',
});

const tagsField = textField('Tags', 'tags', {
	placeholder: 'e.g. sales, weekly',
	description: 'The tags of the template, separated by commas',
});

function readTexts(context: OperationContext) {
	const given = (name: string) => context.get(`options.${name}`, '') ?? '';
	return {
		name: toRecordName('Name', context.get('displayName', ''), 'template'),
		summary: toText(summaryField.displayName, given('summary')),
		description: toText(descriptionField.displayName, given('description')),
		categories: splitList(categoriesField.displayName, given('categories')),
		tags: splitList(tagsField.displayName, given('tags')),
	};
}

type Texts = ReturnType<typeof readTexts>;

/**
 * The flow in a template. Everybody who knows the ID of the template can read it (recorded), so it is without
 * the secrets that callers of a webhook need, as in an export.
 */
function flowFor(flow: IDataObject, displayName: string) {
	const version = versionOf(flow);
	const content = { ...contentOf(version), displayName };
	const { trigger, schemaVersion, notes } = content;
	const valid = version.valid !== false && trigger.valid !== false;
	const old = { displayName, trigger: withTimes(trigger), valid, schemaVersion };
	return { content: JSON.stringify(content), old, flow: { ...old, notes } };
}

/** The template that an earlier try has created; undefined if it has created none. */
async function findCreated(
	{ client }: OperationContext,
	{ name, description }: Texts,
	content: string,
) {
	const { data } = await fetchUnpagedList(client, LIST_TEMPLATES);
	const named = data.filter((each) => each.name === name);
	const made = named.find((each) => {
		const { template, flows = [template] } = each;
		const [flow] = flows as unknown[];
		return (
			each.description === description && JSON.stringify(contentOf(recordOf(flow))) === content
		);
	});
	// Without the plan for custom templates, the service lists none, although it creates them (recorded).
	if (made !== undefined || (named.length === 0 && data.length > 0)) return made;
	throw notConfirmed(name);
}

const notConfirmed = (name: unknown) =>
	unconfirmed(`the template "${shortName(textOf(name))}" was created`, 'the templates');

async function createTemplate(context: OperationContext): Promise<IDataObject> {
	const { client, tried } = context;
	const texts = readTexts(context);
	const { name, summary, description, categories, tags } = texts;
	const { flow: chosen } = await fetchChosenVersion(context);
	const { content, old, flow } = flowFor(chosen, name);
	const before = tried.keepBefore({ name, content });
	if (tried.isInDoubt) {
		if (before.name !== name || before.content !== content) throw notConfirmed(before.name);
		const made = await findCreated(context, texts, content);
		if (made !== undefined) return made;
	}
	const common = { description, metadata: null };
	const body = {
		...{ ...common, type: 'CUSTOM', name, summary, author: '', categories },
		...{ tags: tags.map((title) => ({ title, color: TAG_COLOR })), flows: [flow] },
	};
	const template = await requestRecord(client, {
		endpoint: { ...CREATE_TEMPLATE, otherPath: { ...OTHER_PATH, body } },
		body: { ...common, type: 'PLATFORM', tags, template: old },
		subject: { noun: 'flow template' },
	});
	if (template.summary === undefined && (summary !== '' || categories.length > 0)) {
		context.showHint('This Activepieces release keeps no summary and no categories of templates');
	}
	return template;
}

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create a flow template of the platform from a flow',
	hint: 'Everybody who knows the ID of a template can read its flow, so its steps should not contain secrets',
	toolDescription:
		'Creates a template of the Activepieces platform from a flow and returns the template. Several templates can have the same name. Everybody who knows the ID of a template can read its flow, without a key',
	endpoint: CREATE_TEMPLATE,
	properties: [
		locatorField({
			...flowLocator,
			description: 'The flow to make the template from. The list shows the flows of all projects.',
		}),
		{ ...versionField, description: 'Which version of the flow to use' },
		nameField('Name', {
			placeholder: 'e.g. Customer onboarding',
			description: 'The name of the template. Several templates can have the same name.',
		}),
		collectionField('Options', 'options', 'Add option', [
			categoriesField,
			descriptionField,
			summaryField,
			tagsField,
		]),
	],
	simplify: simplifyTemplate,
	record: createTemplate,
});
