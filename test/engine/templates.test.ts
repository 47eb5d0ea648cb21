import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { editedFlow } from '../operations/flow';
import type { TemplateRecord } from '../service/records';
import { byId } from './harness/byId';
import { webhookTrigger } from './harness/flowFile';
import { ofRecord, parametersOf, RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, useService } from './harness/service';
import { signInCredential } from './harness/signIn';
import { textsOf } from './harness/traces';

const NAME = 'Onboarding';
const create = (flowId: unknown, more: INodeParameters = {}) =>
	parametersOf('flowTemplate.create', { flowId: byId(flowId), displayName: NAME, ...more });
const OPTIONS = {
	summary: ' In one line ',
	description: 'How to use it',
	categories: 'SALES, MARKETING',
	tags: 'new,, weekly ',
};

describe.each(['0.79', '0.86'] as const)('templates on release %s', (release) => {
	const context = useService({ release, data: { projects: 1, flows: 12, templates: 3 } });
	const { record, failsWith } = context;
	const created = () => context.data.templates.filter(({ name }) => name === NAME);
	const flowIn = (template: TemplateRecord | IDataObject) =>
		(template as { flows: unknown[] }).flows[0] as IDataObject;
	beforeEach(() => {
		context.data.templates = context.data.templates.filter(({ name }) => name !== NAME);
	});

	test('Create makes one from the latest version of a flow, and Get returns it', async () => {
		const { id } = context.data.flows[0];
		const made = await record(create(id, { options: OPTIONS }));
		const [[sent, body]] = changesSent(context).slice(-1);
		const flow = {
			...{ displayName: NAME, valid: true, trigger: expect.any(Object) },
			schemaVersion: context.data.flows[0].version.schemaVersion,
		};
		const common = { description: 'How to use it', metadata: null };
		const tags = ['new', 'weekly'];
		expect(sent).toBe('POST /v1/templates');
		expect(body).toEqual({
			...{ ...common, type: 'CUSTOM', name: NAME, summary: 'In one line', author: '' },
			tags: tags.map((title) => ({ title, color: '#808080' })),
			...{ categories: ['SALES', 'MARKETING'], flows: [{ ...flow, notes: [] }] },
		});
		expect(made).toMatchObject({ name: NAME, description: 'How to use it', tags, flowCount: 1 });
		expect(made.summary).toBe('In one line');
		expect(await record(ofRecord('flowTemplate.get', made.id))).toEqual(made);
		const raw = await record(ofRecord('flowTemplate.get', made.id, { simplify: false }));
		expect(flowIn(raw)).toMatchObject({ displayName: NAME });
	});

	test('the published version on request, and nothing that only belongs to the server', async () => {
		const { id, publishedVersionId } = editedFlow(context.data);
		const { displayName } = context.data.olderVersions.get(id)![0];
		const trigger = webhookTrigger('header', { headerName: 'x-key', headerValue: 'hunter2!' });
		const settings = { ...(trigger.settings as IDataObject), sampleData: { file: 'abc' } };
		const flow = context.live.addFlow({ steps: { ...trigger, settings } });
		await record(create(flow.id));
		const secret = flowIn(created()[0]);
		expect(secret.valid).toBe(false);
		expect(secret.trigger).toMatchObject({ lastUpdatedDate: expect.any(String), valid: false });
		expect(textsOf([secret]).join()).toContain('x-key');
		expect(textsOf([secret]).join()).not.toMatch(/hunter2|abc/);
		context.clearRequests();
		await record(create(id, { version: 'published', displayName: `=${displayName}` }));
		const versions = context.requests.map(({ query }) => query.versionId);
		expect(versions).toContain(publishedVersionId);
	});

	test('each run creates another one', async () => {
		const { id } = context.data.flows[1];
		await record(create(id));
		await record(create(id));
		expect(created()).toHaveLength(2);
	});

	test('a lost response makes no second template', async () => {
		context.fault({ method: 'POST', times: 1, done: true, kind: { status: 502 } });
		const made = await record(create(context.data.flows[0].id, { options: OPTIONS }));
		expect(created().map((each) => each.id)).toEqual([made.id]);
	});

	test('in doubt, a template of the same name from another flow is not taken for the new one', async () => {
		const [first, second] = context.data.flows;
		await record(create(first.id));
		context.fault({ method: 'POST', times: 1, kind: { status: 502 } });
		context.clearRequests();
		const doubt = `Could not confirm whether the template "${NAME}" was created`;
		const trigger = { ...second.version.trigger, displayName: 'Another trigger' };
		Object.assign(second.version, { trigger });
		const given = { settings: RETRY_ON_FAIL };
		await failsWith(create(second.id), doubt, 'Check the templates in Activepieces', given);
		expect(changesSent(context)).toHaveLength(1);
	});

	test('a flow without a published version is refused', async () => {
		const { id } = context.live.addFlow({ name: 'Draft' });
		const never = create(id, { version: 'published' });
		await failsWith(never, `Flow "Draft" (${id}) has never been published`);
		expect(changesSent(context)).toEqual([]);
	});
});

describe('a plan without custom templates', () => {
	const context = useService({
		data: { flows: 2, templates: 0 },
		plan: { manageTemplatesEnabled: false },
	});

	test('lists no template, so that an earlier try stays in doubt', async () => {
		const { id } = context.data.flows[0];
		context.fault({ method: 'POST', times: 1, done: true, kind: { status: 502 } });
		const doubt = `Could not confirm whether the template "${NAME}" was created`;
		await context.failsWith(create(id), doubt, [], { settings: RETRY_ON_FAIL });
		expect(context.data.templates).toHaveLength(1);
		const { id: made } = context.data.templates[0];
		const got = await context.record(ofRecord('flowTemplate.get', made));
		expect(got).toMatchObject({ id: made, name: NAME });
	});
});

describe('Sign-In', () => {
	const context = useService({ data: { flows: 2 } });

	test('an admin creates one, and a member is refused', async () => {
		const { id } = context.data.flows[0];
		const admin = { credential: signInCredential(context) };
		expect(await context.record(create(id), admin)).toMatchObject({ name: NAME });
		const credential = signInCredential(context, 1);
		context.live.addMember(context.accounts[1].user.id, context.data.flows[0].projectId, 'Editor');
		const refused = /^The signed-in user is not allowed to access the flow template$/;
		const says = 'User is not owner of the platform';
		await context.failsWith(create(id), refused, says, { credential });
	});
});
