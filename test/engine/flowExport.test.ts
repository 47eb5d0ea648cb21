import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { draftFlow, editedFlow } from '../operations/flow';
import type { FlowRecord } from '../service/records';
import { webhookTrigger } from './harness/flowFile';
import { parametersOf } from './harness/parameters';
import { FIRST_AND_LAST, byId, requestPaths, useService } from './harness/service';

const exported = (id: unknown, more: INodeParameters = {}) =>
	parametersOf('flow.export', { flowId: byId(id), ...more });

/** The same value with the keys of its objects in reverse order. */
function reversed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reversed);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, each]) => [key, reversed(each)]),
	);
}

describe.each(FIRST_AND_LAST)('flows are exported on release %s', (release) => {
	const context = useService({ release, data: { projects: 2, foldersPerProject: 2, flows: 12 } });

	const record = async (parameters: INodeParameters): Promise<IDataObject> => {
		const [first] = await context.records(parameters);
		return first;
	};
	const textOf = async (id: unknown) => JSON.stringify(await record(exported(id)));
	/** A flow with the test's own trigger. */
	const flowWith = (trigger: IDataObject): FlowRecord => {
		const flow = context.live.addFlow();
		flow.version = { ...flow.version, trigger };
		return flow;
	};

	test('gives what makes the flow, in one shape on every release', async () => {
		const [flow] = context.data.flows;
		const file = await record(exported(flow.id));
		const expected = {
			name: flow.version.displayName,
			externalId: flow.externalId,
			projectId: flow.projectId,
			folderId: flow.folderId,
			status: flow.status,
			flow: {
				displayName: flow.version.displayName,
				trigger: expect.any(Object),
				schemaVersion: flow.version.schemaVersion,
				notes: [],
			},
		};
		expect(file).toEqual(expected);
		expect(Object.keys(file)).toEqual(Object.keys(expected));
		expect(requestPaths(context)).toEqual([`GET /v1/flows/${flow.id}`]);
	});

	test('gives a file beside the item on request, which has the same content', async () => {
		const { id } = context.live.addFlow({ name: 'Orders: a/b' });
		const { items } = await context.run(exported(id, { includeFile: true }));
		const [{ binary, json }] = items;
		expect(binary?.data).toMatchObject({
			fileName: 'Orders_ a_b.json',
			mimeType: 'application/json',
		});
		const text = Buffer.from(String(binary?.data.data), 'base64').toString('utf8');
		expect(JSON.parse(text)).toEqual(json);
		expect((await context.run(exported(id))).items[0].binary).toBeUndefined();
	});

	test('gives the latest version, or the published one', async () => {
		const edited = editedFlow(context.data)!;
		edited.version.displayName = 'Edited since';
		const published = { version: 'published' };
		expect((await record(exported(edited.id))).name).toBe('Edited since');
		expect((await record(exported(edited.id, published))).name).not.toBe('Edited since');

		const { id } = draftFlow(context.data);
		await context.failsWith(exported(id, published), /^Flow ".*" \(.*\) has never been published$/);
	});

	test('gives the same text for a flow that the service gives in another order, tested or imported again', async () => {
		const [flow] = context.data.flows;
		const before = await textOf(flow.id);
		flow.version.trigger = reversed(flow.version.trigger) as IDataObject;
		flow.version.trigger.lastUpdatedDate = '2026-11-22T04:07:53.859Z';
		const settings = flow.version.trigger.settings as IDataObject;
		settings.sampleData = { lastTestDate: '2026-11-22T04:07:53.859Z' };
		expect(await textOf(flow.id)).toBe(before);
		settings.triggerName = 'another';
		expect(await textOf(flow.id)).not.toBe(before);
	});

	test('keeps fields of a step that only have such a name', async () => {
		const trigger = webhookTrigger();
		const input = { sampleData: { kept: 1 }, lastUpdatedDate: 'kept', ['__proto__']: null };
		const nextAction = { name: 'step_1', type: 'PIECE', settings: { input, sampleData: {} } };
		const { flow } = await record(exported(flowWith({ ...trigger, nextAction }).id));
		expect(flow).toMatchObject({
			trigger: {
				nextAction: { settings: { input: { sampleData: { kept: 1 }, lastUpdatedDate: 'kept' } } },
			},
		});
		expect(JSON.stringify(flow)).not.toContain('"sampleData":{}');
	});

	test('keeps the references to connections of every kind', async () => {
		const references = [
			"{{connections['secret-text']}}",
			"{{connections['oauth2'].access_token}}",
			"{{connections['custom-auth']['api_key']}}",
			'{{connections.basic_auth}}',
			"Bearer {{connections['global']}}",
		];
		const nextAction = references.reduceRight<IDataObject | undefined>(
			(next, auth, index) => ({
				name: `step_${index + 1}`,
				type: index === 4 ? 'CODE' : 'PIECE',
				settings: { input: { auth } },
				...(next === undefined ? {} : { nextAction: next }),
			}),
			undefined,
		);
		const text = await textOf(flowWith({ ...webhookTrigger(), nextAction }).id);
		for (const reference of references) expect(text).toContain(JSON.stringify(reference));
	});

	test.each<[string, IDataObject, IDataObject]>([
		['basic', { username: 'ada', password: 'hush-hush' }, {}],
		['header', { headerName: 'X-Key', headerValue: 'hush-hush' }, { headerName: 'X-Key' }],
		['header', { headerName: 'X-Key', headerValue: 'hush-hush {{a}}' }, { headerName: 'X-Key' }],
		['hmac', { secret: 'hush-hush' }, {}],
	])('leaves out the secrets that a webhook requires: %s', async (authType, authFields, left) => {
		const flow = flowWith(webhookTrigger(authType, authFields));
		const file = await record(exported(flow.id));
		expect(JSON.stringify(file)).not.toMatch(/hush|ada/);
		expect(file.flow).toMatchObject({
			// Nobody can publish it before it has been entered again.
			trigger: { valid: false, settings: { input: { authType, authFields: left } } },
		});
		// The record of the service is another object.
		expect(flow.version.trigger).toEqual(webhookTrigger(authType, authFields));
	});

	test('keeps references in place of a secret, and a webhook without a secret', async () => {
		const authFields = { headerName: 'X-Key', headerValue: "{{connections['webhook'].key}}" };
		const kept = await record(exported(flowWith(webhookTrigger('header', authFields)).id));
		expect(kept.flow).toMatchObject({
			trigger: { valid: true, settings: { input: { authFields } } },
		});
		// Left over from an earlier setting.
		for (const left of [{}, { headerValue: 'hush-hush' }]) {
			const { id } = flowWith(webhookTrigger('none', left));
			expect((await record(exported(id))).flow).toMatchObject({
				trigger: { valid: true, settings: { input: { authType: 'none', authFields: {} } } },
			});
		}
	});

	test('leaves out the author of a note', async () => {
		const flow = context.live.addFlow();
		const note = { id: 'n1', content: 'Why', ownerId: 'user', color: 'blue' };
		flow.version = { ...flow.version, notes: [note] };
		expect((await record(exported(flow.id))).flow).toMatchObject({
			notes: [{ ...note, ownerId: null }],
		});
	});

	test('reads a flow of 2,000 steps', async () => {
		let step: IDataObject = { name: 'last', type: 'CODE', settings: {} };
		for (let i = 0; i < 2000; i++) step = { name: `s${i}`, type: 'CODE', nextAction: step };
		const { flow } = await record(exported(flowWith({ ...webhookTrigger(), nextAction: step }).id));
		expect(JSON.stringify(flow).match(/"name":/g)).toHaveLength(2002);
	});
});
