import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { draftFlow, editedFlow } from '../operations/flow';
import { FIRST_AND_LAST } from '../service';
import { addSampleFlows } from '../service/sampleFlows';
import { limits } from './harness/built';
import { byId } from './harness/byId';
import { flowFile, slackFlow, webhookTrigger } from './harness/flowFile';
import { ofRecord, parametersOf } from './harness/parameters';
import {
	cancelAt,
	changesSent,
	requestPaths,
	useService,
	type TestContext,
} from './harness/service';

const SCHEMA = { '0.79': '18', '0.85': '22', '0.92': '26' } as const;
const ONE_FLOW = /^\/v1\/flows\/\w+$/;

const exported = (id: unknown, more: INodeParameters = {}) => ofRecord('flow.export', id, more);
/** Content as a person types it, or the file of a flow. */
const asText = (content: IDataObject | string) =>
	typeof content === 'string' ? content : JSON.stringify(content);
const asNew = (projectId: string, content: IDataObject | string = contentWith(), more = {}) => {
	const parameters = { projectId: byId(projectId), content: asText(content), ...more };
	return parametersOf('flow.import', { mode: 'create', ...parameters });
};
const asDraft = (id: unknown, content: IDataObject | string = contentWith()) =>
	ofRecord('flow.import', id, { mode: 'replace', content: asText(content) });

const NAME = 'Send invoices';
const contentWith = (more: IDataObject = {}, input: IDataObject = {}): IDataObject => ({
	...slackFlow(NAME, { text: 'hi', ...input }),
	...more,
});

/** A flow as an item of Export. */
const file = (flow = contentWith(), externalId?: string) => ({
	...{ name: 'Its file', status: 'ENABLED', externalId, flow },
});

/** The same value with the keys of its objects in reverse order. */
function reversed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reversed);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([key, each]) => [key, reversed(each)]);
	return Object.fromEntries(entries.reverse());
}

const changeTypes = (context: TestContext) =>
	context.posts().map(({ body }) => (body as IDataObject).type);

describe.each(FIRST_AND_LAST)('flows are exported on release %s', (release) => {
	const context = useService({ release, data: { projects: 2, foldersPerProject: 2, flows: 12 } });

	const { record } = context;
	const flowOf = async (trigger: IDataObject) =>
		(await record(exported(context.live.addFlow({ steps: trigger }).id))).flow as IDataObject;

	test('gives what makes the flow, in one shape on every release', async () => {
		const [{ id, externalId, projectId, folderId, status, version }] = context.data.flows;
		const { displayName, schemaVersion } = version;
		const { items } = await context.run(exported(id));
		const flow = { displayName, trigger: expect.any(Object), schemaVersion, notes: [] };
		const wanted = { name: displayName, externalId, projectId, folderId, status, flow };
		const [{ json, binary }] = items;
		expect(json).toEqual(wanted);
		expect(Object.keys(json)).toEqual(Object.keys(wanted));
		expect(binary).toBeUndefined();
		expect(requestPaths(context)).toEqual([`GET /v1/flows/${id}`]);
	});

	test('gives a file beside the item on request, which has the same content', async () => {
		const flow = context.live.addFlow({ name: 'Orders' });
		Object.assign(flow, { folderId: '', externalId: '' });
		const { items } = await context.run(exported(flow.id, { includeFile: true }));
		const [{ binary, json }] = items;
		const data = { fileName: 'Orders.json', mimeType: 'application/json' };
		expect(binary?.data).toMatchObject(data);
		const text = Buffer.from(String(binary?.data.data), 'base64').toString('utf8');
		expect(JSON.parse(text)).toEqual(json);
		expect(json).toMatchObject({ folderId: null, externalId: null });
		expect(await record(exported(flow.id))).toEqual(json);
	});

	test.each([
		['Orders: a/b\\c*d?"<e>|', 'Orders_ a_b_c_d___e__.json'],
		['a\u0000b\tc\u202Ed\u2028e\ud800f', 'a_b_c_d_e_f.json'],
		[' ', 'flow.json'],
		['x'.repeat(300), `${'x'.repeat(79)}….json`],
		[`${'👍'.repeat(100)}`, `${'👍'.repeat(39)}….json`],
	])('names the file so that file systems accept it: %j', async (name, fileName) => {
		const { id } = context.live.addFlow({ name });
		const { items } = await context.run(exported(id, { includeFile: true }));
		expect(items[0].binary?.data.fileName).toBe(fileName);
	});

	test('gives the latest version, without the authors of its notes, or the published one', async () => {
		const { id, version } = editedFlow(context.data)!;
		const note = { id: 'n1', content: 'Why', ownerId: 'user', color: 'blue' };
		Object.assign(version, { displayName: 'Edited since', notes: [note, { id: 'n2' }] });
		const { name, flow } = await record(exported(id));
		expect(name).toBe('Edited since');
		expect((flow as IDataObject).notes).toEqual([{ ...note, ownerId: null }, { id: 'n2' }]);
		const published = { version: 'published' };
		expect((await record(exported(id, published))).name).not.toBe('Edited since');
		const never = /^Flow ".*" \(.*\) has never been published$/;
		await context.failsWith(exported(draftFlow(context.data).id, published), never);
	});

	test('gives the same text for a flow that the service gives in another order, tested or imported again', async () => {
		const [flow] = context.data.flows;
		Object.assign(flow.version, { notes: [{ id: 'n1', content: 'Why' }] });
		const text = async () => JSON.stringify(await record(exported(flow.id)));
		const before = await text();
		flow.version.trigger = reversed(flow.version.trigger) as IDataObject;
		Object.assign(flow.version, { notes: [{ content: 'Why', id: 'n1' }] });
		flow.version.trigger.lastUpdatedDate = '2026-11-22T04:07:53.859Z';
		const settings = flow.version.trigger.settings as IDataObject;
		settings.sampleData = { lastTestDate: '2026-11-22T04:07:53.859Z' };
		expect(await text()).toBe(before);
		settings.triggerName = 'another';
		expect(await text()).not.toBe(before);
	});

	test('keeps what is in a step: references to connections, and fields that only have such a name', async () => {
		const input = {
			text: "{{connections['secret-text']}}",
			token: "{{connections['oauth2'].access_token}}",
			key: "{{connections['custom-auth']['api_key']}}",
			old: '{{connections.basic_auth}}',
			header: "Bearer {{connections['global']}}",
			sampleData: { kept: 1 },
			lastUpdatedDate: 'kept',
		};
		const settings = { input: { ...input, ['__proto__']: null }, sampleData: {} };
		const nextAction = { name: 'step_1', type: 'PIECE', settings };
		const flow = await flowOf({ ...webhookTrigger(), nextAction });
		expect(flow).toMatchObject({ trigger: { nextAction: { settings: { input } } } });
		expect(JSON.stringify(flow)).not.toContain('"sampleData":{}');
	});

	const HEADER = { headerName: 'X-Key' };
	const REFERENCE = { ...HEADER, headerValue: "{{connections['webhook'].key}}" };
	test.each<[string, IDataObject, IDataObject, boolean]>([
		['basic', { username: 'ada', password: 'hush-hush' }, {}, false],
		['header', { ...HEADER, headerValue: 'hush-hush' }, HEADER, false],
		['header', { ...HEADER, headerValue: '{{a}} hush-hush {{b}}' }, HEADER, false],
		['basic', { username: '', password: '' }, { username: '', password: '' }, true],
		['hmac', { secret: 'hush-hush' }, {}, false],
		['header', REFERENCE, REFERENCE, true],
		['none', {}, {}, true],
		// Left over from an earlier setting.
		['none', { headerValue: 'hush-hush' }, {}, true],
	])('leaves out the secrets of a webhook: %s %j', async (authType, fields, left, valid) => {
		const flow = await flowOf(webhookTrigger(authType, fields));
		expect(JSON.stringify(flow)).not.toMatch(/hush|ada/);
		// Nobody can publish it before a secret that it requires has been entered again.
		const trigger = { valid, settings: { input: { authType, authFields: left } } };
		expect(flow).toMatchObject({ trigger });
		// The record of the service is another object.
		const { version } = context.data.flows.at(-1)!;
		expect(version.trigger).toMatchObject(webhookTrigger(authType, fields));
	});
});

describe.each(FIRST_AND_LAST)('flows are imported on release %s', (release) => {
	const data = { projects: 2, foldersPerProject: 2, flows: 6, connections: 20 };
	const context = useService({ release, data });
	const schemaVersion = SCHEMA[release];

	const { record, records, failsWith } = context;
	const project = () => context.data.projects[0].id;
	const count = () => context.data.flows.length;
	let before: number;
	beforeEach(() => void (before = count()));

	describe('as a new flow', () => {
		test('makes a flow of an item of Export, with the fields of Get Many, and reads back what was stored', async () => {
			const items = [file(contentWith({ schemaVersion }))];
			const [{ id, ...flow }] = await records(asNew(project(), '={{ $json }}'), items);
			const [create, put, get] = context.requests.filter(({ path }) => !path.includes('/pieces/'));
			expect({ id, ...flow }).toEqual({
				...(await record(ofRecord('flow.get', id))),
				...{ change: 'created', runsOldVersion: false },
				...{ missingConnections: [], missingPieces: [], missingTables: [], missingFlows: [] },
			});
			expect(flow).toMatchObject({
				...{ name: 'Send invoices', status: 'DISABLED', published: false, projectId: project() },
				pieces: ['@activepieces/piece-slack', '@activepieces/piece-webhook'],
			});
			const displayName = 'Send invoices';
			// Each step has a time, like steps that were edited in Activepieces.
			const nextAction = { lastUpdatedDate: expect.any(String) };
			const trigger = { lastUpdatedDate: expect.any(String), nextAction };
			const request = { displayName, trigger, schemaVersion, notes: [] };
			expect(create.body).toEqual({ displayName, projectId: project() });
			expect(put.body).toMatchObject({ type: 'IMPORT_FLOW', request });
			const path = `/v1/flows/${String(id)}`;
			const sent = [create, put, get].map((request) => `${request.method} ${request.path}`);
			expect(sent).toEqual(['POST /v1/flows', `POST ${path}`, `GET ${path}`]);
		});

		test('puts it into a folder of the project, as Create does', async () => {
			const folder = context.data.folders.find(({ projectId }) => projectId === project())!;
			const { id } = await record(asNew(project(), contentWith(), { folderId: byId(folder.id) }));
			expect(context.flow(id)?.folderId).toBe(folder.id);
		});

		test('accepts what the server makes of a file in an older format', async () => {
			const answers = ({ path }: { path: string }) => {
				const { version, ...flow } = context.flow(path.split('/').at(-1))!;
				const text = JSON.stringify({ ...flow, version: { ...version, schemaVersion } });
				return JSON.parse(text.replaceAll('piece-slack', 'piece-slack-2')) as IDataObject;
			};
			context.fault({ method: 'GET', path: ONE_FLOW, kind: { answers } });
			const pieces = expect.arrayContaining(['@activepieces/piece-slack-2']) as string[];
			const older = JSON.stringify(contentWith({ schemaVersion: '1' }));
			expect(await record(asNew(project(), older))).toMatchObject({ published: false, pieces });
		});

		test('refuses a file of a newer release in words, and leaves no flow behind', async () => {
			const newer = contentWith({ schemaVersion: '99' });
			await failsWith(
				asNew(project(), '={{ $json }}'),
				'The flow "Send invoices" was exported from a newer Activepieces release than the one on this server',
				new RegExp(
					`schemaVersion is 99, but this server uses ${schemaVersion}\\. .* older release\\.\\s+The new flow was removed\\.$`,
				),
				[newer],
			);
			expect(count()).toBe(before);
			const draft = asDraft(context.live.addFlow().id, '={{ $json }}');
			await failsWith(draft, /newer Activepieces release/, /Nothing was changed\.$/, [newer]);
			expect(JSON.stringify(context.posts())).not.toContain('IMPORT');
			// It makes none once it knows the release of the server.
			const given = { items: [contentWith(), newer], onError: 'continueRegularOutput' as const };
			const { items } = await context.run(asNew(project(), '={{ $json }}'), given);
			expect(items[1].json.message).toContain('Nothing was changed.');
			expect(count()).toBe(before + 2);
		});

		test('names the connections that the project lacks, whatever refers to them', async () => {
			const [there] = context.data.connections.filter(({ projectIds }) =>
				projectIds.includes(project()),
			);
			const input = {
				auth: "{{connections['not-here']}}",
				two: `{{connections['${there.externalId}']}} and {{ connections[ "nor this"].key }}`,
				old: "{{connections.old_form}} {{connections.old-form}} {{connections['not-here']}}",
				odd: `{{connections['it]s']}} {{connections['q"q']}} {{connections['one','two']}}`,
				noReference: "connections['text']",
			};
			const flow = await record(asNew(project(), contentWith({}, input)));
			const missing = ['it]s', 'nor this', 'not-here', 'old-form', 'old_form', 'one', 'q"q', 'two'];
			expect(flow.missingConnections).toEqual(missing);
			// Code runs as it is written.
			const code = { code: "'{{connections.in_code}}'", packageJson: '{}' };
			const settings = { sourceCode: code, input: {} };
			const ofCode = JSON.stringify(flowFile('Code', { type: 'CODE', settings }));
			expect((await record(asNew(project(), ofCode))).missingConnections).toEqual([]);
			const other = context.data.projects.find(({ id }) => !there.projectIds.includes(id))!;
			const inEach = asNew('={{ $json.id }}', contentWith({}, { auth: input.two }));
			const given = await records(inEach, [{ id: project() }, { id: other.id }]);
			const lacks = given.map((made) => String(made.missingConnections).includes(there.externalId));
			expect(lacks).toEqual([false, true]);
		});

		test('says in the output panel which connections the project lacks, and so does Publish', async () => {
			const auth = "{{connections['not-here']}}";
			const parameters = asNew(project(), contentWith({}, { auth }));
			const imported = await context.run(parameters);
			const { id } = imported.items[0].json;
			const published = await context.run(ofRecord('flow.publish', id));
			const says = /^Flow "Send invoices" .* does not have: not-here\./;
			for (const { hints, error } of [imported, published]) {
				expect(error).toBeUndefined();
				expect(hints).toEqual([expect.stringMatching(says)]);
			}
			// However many there are.
			const long = 'x'.repeat(90);
			const many = Array.from({ length: 3000 }, (_, n) => `{{connections['${n}-${long}']}}`);
			const { hints } = await context.run(asNew(project(), contentWith({}, { many: many.join() })));
			expect(hints).toEqual([expect.stringMatching(/ and 2995 more\. Its runs fail until /)]);
			expect(hints[0].length).toBeLessThanOrEqual(1000);
			// Flows are published even if the connections cannot be read, which is tried once in a run.
			const others = await records(parameters, [{}, {}, {}, {}]);
			context.clearRequests();
			context.fault({ path: '/v1/app-connections', kind: { status: 500 } });
			const given = others.map((flow) => ({ id: flow.id }));
			const flows = await records(ofRecord('flow.publish', '={{ $json.id }}'), given);
			expect(flows.map((flow) => flow.published)).toEqual([true, true, true, true]);
			const reads = requestPaths(context).filter((path) => path === 'GET /v1/app-connections');
			expect(reads).toHaveLength(1);
		});

		test('a long text with references that do not end is read once', async () => {
			// From each reference to the end of the text, it would be read for half an hour.
			const text = `{{${"connections['".repeat(200_000)}}} {{connections["x"]}}`;
			const flow = await record(asNew(project(), contentWith({}, { text })));
			expect(flow.missingConnections).toEqual(['x']);
		});

		test('reads the connections of a project once, and none for flows that use none', async () => {
			const items = [1, 2, 3].map((n) => contentWith({}, { auth: `{{connections['c${n}']}}` }));
			const given = await records(asNew(project(), '={{ $json }}'), [...items, contentWith()]);
			const missing = given.map(({ missingConnections }) => missingConnections);
			expect(missing).toEqual([['c1'], ['c2'], ['c3'], []]);
			const lists = requestPaths(context).filter((line) => line === 'GET /v1/app-connections');
			expect(lists).toHaveLength(1);
			// Where they cannot be listed, it imports without them.
			for (const status of [403, 500]) {
				context.fault({ path: '/v1/app-connections', times: 1, kind: { status } });
				const flow = await record(asNew(project(), '={{ $json }}'), [items[0]]);
				expect(flow.missingConnections).toBeNull();
			}
		});

		const PARTS = ['Send invoices', 'send_channel_message', 'piece-slack', 'step_1'];
		test.each(PARTS)('removes the new flow again when it was stored without %s', async (part) => {
			const answers = ({ path }: { path: string }) => {
				const stored = JSON.stringify(context.flow(path.split('/').at(-1)));
				return JSON.parse(stored.replaceAll(part, 'other')) as IDataObject;
			};
			context.fault({ method: 'GET', path: ONE_FLOW, kind: { answers } });
			const parameters = asNew(project(), contentWith({ schemaVersion }));
			await failsWith(parameters, /^Activepieces did not store the steps of flow/);
			expect(count()).toBe(before);
		});

		const unknown = (schema: string | null) => {
			const next = { name: 'step_2', type: 'CODE', settings: { input: {} }, valid: true };
			const step = { name: 'step_1', displayName: 'Ask', type: 'FUTURE', nextAction: next };
			const steps = { ...step, settings: {}, valid: true };
			return { ...flowFile('Send invoices', steps), schemaVersion: schema };
		};

		test('names the first step that a server leaves out, and removes the new flow', async () => {
			const error = await failsWith(
				asNew(project(), unknown(schemaVersion)),
				/^Activepieces did not store the step "Ask" \(step_1\) of flow "Send invoices" \(\w{21}\)$/,
			);
			expect(error.description).toBe(
				'This Activepieces release may not know steps of the type FUTURE. Import the flow into a release that knows them, or remove the step. The steps after it were left out, too. The new flow was removed.',
			);
			expect(count()).toBe(before);
			await failsWith(
				asNew(project(), unknown(null)),
				/^Activepieces could not change flow "\w+" \(HTTP 500\)$/,
				'The new flow was removed.',
			);
			expect(count()).toBe(before);
			// Its draft is no more to be checked.
			context.fault({ method: 'GET', path: ONE_FLOW, kind: { status: 422 } });
			const { description } = await context.failure(asNew(project()));
			expect(description).toMatch(/\. The new flow was removed\.$/);
			expect(description).not.toContain('draft');
			expect(count()).toBe(before);
		});

		/** Cancels the workflow while the content is sent, or with one request less while the flow is created. */
		const cancelled = async (isRouted: boolean, requests = 2) => {
			context.fault({ method: 'POST', path: '/v1/flows', done: true, kind: { delay: 100 } });
			context.fault({ method: 'POST', path: ONE_FLOW, kind: { delay: 2_000 } });
			const started = cancelAt(context, requests);
			const { error } = await context.run(asNew(project()), { started, isRouted });
			expect(error?.message).toBe('The execution was cancelled');
			return error?.description;
		};

		test.each([1, 2])('removes the new flow when cancelled at request %d', async (requests) => {
			expect(await cancelled(false, requests)).toBeFalsy();
			while (count() > before) await sleep(5);
		});

		test.each([false, true])('says so when it cannot be removed (router: %s)', async (isRouted) => {
			context.fault({ method: 'DELETE', kind: { status: 403 } });
			expect(await cancelled(isRouted)).toBe(
				`The new flow "Send invoices" (${context.data.flows.at(-1)?.id}) could not be removed. Delete it in Activepieces.`,
			);
		});

		test('a canceled workflow does not wait long for a server that does not remove it', async () => {
			limits.cleanUp.maxElapsedMs = 300;
			context.fault({ method: 'DELETE', kind: { delay: 60_000 } });
			expect(await cancelled(false)).toContain('could not be removed');
		});
	});

	describe('as the draft of a flow', () => {
		test('replaces it, and leaves the published version running', async () => {
			const { id, publishedVersionId } = context.live.addFlow({ enabled: true, name: 'Before' });
			expect(await record(asDraft(id))).toMatchObject({
				...{ id, name: 'Send invoices', status: 'ENABLED', published: true },
				...{ unpublishedChanges: true, runsOldVersion: true },
			});
			expect(context.flow(id)?.publishedVersionId).toBe(publishedVersionId);
			// What was imported is kept with the flow.
			expect(changeTypes(context)).toEqual(['IMPORT_FLOW', 'UPDATE_METADATA']);
			const off = asDraft(context.live.addFlow({ published: true }).id);
			expect(await record(off)).toMatchObject({ unpublishedChanges: true, runsOldVersion: false });
		});

		test('changes nothing, and begins no draft, when the flow is that of the file', async () => {
			const { id } = context.live.addFlow({ enabled: true, name: 'Orders ' });
			const items = [await record(exported(id))];
			const given = await record(asDraft(id, '={{ $json }}'), items);
			expect(given).toMatchObject({ id, unpublishedChanges: false });
			expect(changesSent(context)).toEqual([]);
		});

		test('keeps the password of a webhook when its own export is imported', async () => {
			const fields = { username: 'ada', password: 'hush' };
			const { id } = context.live.addFlow({ steps: webhookTrigger('basic', fields) });
			const stored = () => JSON.stringify(context.flow(id));
			const imports = async (item: IDataObject) =>
				await records(asDraft(id, '={{ $json }}'), [item]);
			await imports(await record(exported(id)));
			expect(stored()).toContain('hush');
			// A value in the file is another one.
			const trigger = webhookTrigger('basic', { ...fields, password: 'another' });
			await imports({ displayName: 'Other', trigger });
			expect(stored()).toContain('another');
			// A file with another way to authenticate is taken as it is.
			await imports({
				displayName: 'Header',
				trigger: webhookTrigger('header', { headerName: 'X' }),
			});
			expect(stored()).not.toContain('another');
			// The file with the value that is there already starts no draft.
			const same = structuredClone(context.flow(id)?.version) as unknown as IDataObject;
			context.clearRequests();
			await imports(same);
			expect(changesSent(context)).toEqual([]);
		});

		test('a lost import is not told as done when the draft has other values in the same steps', async () => {
			const { id } = context.live.addFlow();
			await record(asDraft(id));
			const edited = structuredClone(context.flow(id)!);
			edited.version.updated = new Date().toISOString();
			context.fault({ method: 'POST', kind: { status: 502 } });
			context.fault({ method: 'GET', path: ONE_FLOW, after: 1, kind: { body: edited } });
			const other = asDraft(id, contentWith({}, { text: 'other' }));
			await failsWith(other, /HTTP 502/, 'may have applied the change');
		});

		test('never deletes the flow, whatever becomes of the import', async () => {
			const { id } = context.live.addFlow();
			context.fault({ method: 'POST', kind: { status: 500 } });
			await context.failure(asDraft(id));
			expect(changesSent(context)).toMatchObject([[`POST /v1/flows/${id}`, expect.any(Object)]]);
			expect(context.flow(id)).toBeDefined();
		});
	});
});

describe('Content', () => {
	const context = useService({ data: { projects: 2, flows: 6 } });
	const project = () => context.data.projects[0].id;

	const flow = contentWith();
	const { displayName, trigger, schemaVersion } = flow;
	const version = { displayName, trigger, schemaVersion, valid: true, state: 'DRAFT' };
	const template = { name: 'T', pieces: [], tags: [], template: flow };
	const templates = { name: 'T', type: 'SHARED', metadata: { externalId: 'of it' }, flows: [flow] };
	const textOf = (externalId: string, input = {}) =>
		JSON.stringify(file(contentWith({}, input), externalId));
	const FENCE = { code: 'Use ```js\n1\n``` here' };
	const code = (text: string) => `\`\`\`json\n${text}\n\`\`\``;

	// With an external ID, by which Create or Update finds the flow
	test.each<[string, unknown, externalId?: string]>([
		['an item of Export', file(flow, 'of Export'), 'of Export'],
		[
			'a record of the API',
			{ id: 'a', externalId: 'record', status: 'ENABLED', version },
			'record',
		],
		['a file of Git Sync', { id: 'abc', externalId: 'git', version }, 'git'],
		['the body of an import', { type: 'IMPORT_FLOW', request: flow }],
		['an item of Export as text', JSON.stringify(file())],
		['a file of n8n with one item', JSON.stringify([file()])],
		["what n8n's Extract From File gives", { data: [file()] }],
		['what HTTP Request gives of a text file', { data: JSON.stringify(file()) }],
		['one with other fields', { ...file(), data: 1 }],
		['a template of 0.73', template],
		['a template', templates, 'of it'],
		['a flow by itself', flow],
		['a file with a byte order mark', `\uFEFF${JSON.stringify(flow)}`],
		['one without notes', { flow: { ...flow, notes: undefined } }],
		['a name beside it', { ...file(contentWith({ displayName: ' ' })), name: NAME }],
		['one without schemaVersion', { flow: { ...flow, schemaVersion: null } }],
		['JSON in a fence', `${code(textOf('fence'))}\n`, 'fence'],
		['JSON in a fence in a text', `The flow:\n${code(textOf('text'))}\nIt works.`, 'text'],
		['JSON in a fence on one line', `The flow: \`\`\`json ${textOf('line')}\`\`\``, 'line'],
		['JSON with a fence in it', textOf('code', FENCE), 'code'],
		['JSON with a fence in it, in a fence', `Flow:\n\`\`\`\n${textOf('in', FENCE)}\n\`\`\``, 'in'],
		['JSON in a text of JSON', JSON.stringify(textOf('twice')), 'twice'],
	])('accepts %s', async (...row) => {
		const [, content, externalId] = row;
		const mode = externalId === undefined ? 'create' : 'upsert';
		// The other flows belong to no file.
		const projectId = mode === 'create' ? context.data.projects[1].id : project();
		const parameters = asNew(projectId, '={{ $json.content }}', { mode });
		const { id, name } = await context.record(parameters, [{ content: content as IDataObject }]);
		expect(name).toBe(NAME);
		expect(context.flow(id)).toMatchObject({
			version: { schemaVersion: SCHEMA['0.85'], trigger: { nextAction: { name: 'step_1' } } },
			...(externalId && { metadata: { n8nImport: { externalId } } }),
		});
	});

	const NO_FLOW = 'Content must be an exported flow, not';
	const NO_VERSION = 'The schemaVersion in Content must be a whole number, not "1.x"';
	const INCOMPLETE = 'The trigger of the flow in Content is not complete';
	test.each<[string, IDataObject | string, string | RegExp, RegExp?]>([
		['nothing', '={{ $json.no }}', 'Content is empty'],
		['no JSON', '{ "a": 1, }', `${NO_FLOW} "{ "a": 1, }"`, /position 10\b/],
		['two blocks of code', '```\n{}\n```\n```\n{}\n```', /^Content must be an exported flow, not/],
		['a number', '={{ 12 }}', `${NO_FLOW} 12`],
		['another record', '{"id":"1"}', 'Content is not an exported flow: it has no trigger'],
		['half a trigger', '{"displayName":"x","trigger":{}}', INCOMPLETE],
		['an empty list', '[]', `${NO_FLOW} an empty list`],
		['several flows', '[{},{}]', 'Content has 2 flows'],
		['a template of several flows', '{"flows":[{},{},{}]}', 'Content has 3 flows'],
		['no name', contentWith({ displayName: '' }), 'The flow in Content has no name'],
		['an invisible one', contentWith({ displayName: '\u200b' }), 'The flow in Content has no name'],
		['another schemaVersion', contentWith({ schemaVersion: '1.x' }), NO_VERSION],
	])('refuses %s, and sends nothing', async (_name, content, message, where = /^[A-Z]/) => {
		await context.refuses(asNew(project(), content), message, [where, /Nothing was sent\.$/]);
	});

	const step = (name: string, more: IDataObject = {}) => ({
		...{ name, displayName: `Step ${name}`, type: 'PIECE', settings: { input: {} }, ...more },
	});
	const { nextAction, ...alone } = contentWith().trigger as Record<string, unknown>;
	const onTrigger = (more: IDataObject) =>
		contentWith({ trigger: { ...alone, ...more } as IDataObject });
	const two = [step('a'), step('b')];
	test.each<[string, IDataObject, RegExp]>([
		[
			'actions beside the trigger',
			contentWith({ actions: two }),
			/ 2 steps: "Step a" \(a\), "Step b" \(b\)$/,
		],
		[
			'steps beside it in a file',
			file(contentWith({ steps: [step('a')] })),
			/ the step "Step a" \(a\)$/,
		],
		['steps of the trigger', onTrigger({ steps: two }), / 2 steps: /],
		[
			'a misspelled name',
			onTrigger({ nextActions: nextAction as IDataObject }),
			/ the step "Step 1" \(step_1\)$/,
		],
		['a list of them', onTrigger({ nextAction: two }), / 2 steps: /],
		[
			'one after a step',
			onTrigger({ nextAction: step('a', { next: step('b') }) }),
			/ the step "Step b"/,
		],
	])('refuses a flow with steps that no step leads to: %s', async (_what, content, steps) => {
		const message = new RegExp(`^In Content no step leads to${steps.source}`);
		const says = 'Put each step into nextAction of the step or trigger before it';
		await context.refuses(asNew(project(), content), message, says);
	});

	/** As text, because an expression of n8n may not contain an object with such a name. */
	const withInput = (text: string) =>
		JSON.stringify(contentWith())
			.replace('"text":"hi"', `"text":"hi",${text}`)
			.replace('"10"', `"${SCHEMA['0.85']}"`);

	// The framework of the service accepts these two in a body.
	test.each(['constructor', 'prototype'])('an input named %s arrives, once', async (name) => {
		const { id } = context.live.addFlow({ enabled: true });
		const content = withInput(`"${name}":"kept"`);
		for (let time = 0; time < 2; time++) await context.records(asDraft(id, content));
		expect(changeTypes(context)).toEqual(['IMPORT_FLOW', 'UPDATE_METADATA']);
		const [{ body }] = context.posts();
		for (const each of [body, context.flow(id)]) {
			expect(JSON.stringify(each)).toContain(`"${name}":"kept"`);
		}
	});

	test('the steps after a failure of a step arrive, once, and count like all others', async () => {
		const { id } = context.live.addFlow({ enabled: true });
		const settings = { input: { key: "{{connections['x']}}" }, sampleData: { a: 1 } };
		const after = { name: 'step_2', type: 'CODE', settings };
		const continueOnFailureBranches = { onFailure: after };
		const step = { type: 'CODE', settings: { input: {} }, continueOnFailureBranches };
		const content = { ...flowFile('Send invoices', step), schemaVersion: '22' };
		for (let time = 0; time < 2; time++) {
			const flow = await context.record(asDraft(id, content));
			expect(flow.missingConnections).toEqual(['x']);
		}
		expect(changeTypes(context)).toEqual(['IMPORT_FLOW', 'UPDATE_METADATA']);
		const text = JSON.stringify(await context.record(exported(id)));
		expect(text).not.toMatch(/lastUpdatedDate|sampleData/);
	});

	test('values that are nested deeply are sent', async () => {
		// Deeper than a function that calls itself for each value can read, as n8n's helper does.
		const metadata = `${'{"a":'.repeat(2_500)}1${'}'.repeat(2_500)}`;
		const create = parametersOf('project.create', { displayName: 'Deep', metadata });
		const { error } = await context.run(create);
		expect(context.posts()).toHaveLength(1);
		// The stand-in's own stack may be too small for it.
		expect(error?.description ?? '').not.toContain('Check Base URL');
	});
});

describe.each([false, true])('Input from a binary field, in n8n’s router: %s', (isRouted) => {
	const context = useService({ data: { projects: 2, flows: 6 } });
	const project = () => context.data.projects[0].id;
	const fromFile = (binaryPropertyName: unknown = 'data') => {
		const parameters = { mode: 'create', projectId: byId(project()), inputSource: 'binary' };
		return parametersOf('flow.import', { ...parameters, binaryPropertyName } as INodeParameters);
	};
	const fileWith = (content: string | Buffer, fileName?: string) => {
		const data = Buffer.from(content).toString('base64');
		return { data: { mimeType: 'application/json', data, fileName } };
	};

	test('is the file of Export', async () => {
		const flow = context.live.addFlow({ name: 'Round trip' });
		const { items } = await context.run(exported(flow.id, { includeFile: true }));
		const { binary } = items[0];
		for (const field of ['data', "={{ $('Start').item.binary.data }}"]) {
			const { id, name } = await context.record(fromFile(field), { binary, isRouted });
			expect(name).toBe('Round trip');
			expect(context.flow(id)?.version.trigger).toMatchObject({ type: flow.version.trigger.type });
		}
	});

	const FLOW = JSON.stringify(contentWith(), null, '\t');
	const FORMS = [FLOW, `\uFEFF${FLOW}`, `[${FLOW}]`];
	test.each(FORMS)('is JSON as Windows writes it: %#', async (file) => {
		const { name } = await context.record(fromFile(), { binary: fileWith(file), isRouted });
		expect(name).toBe('Send invoices');
	});

	const NAMELESS = FLOW.replace('Send invoices', '');
	const UTF16 = Buffer.from(`\uFEFF${FLOW}`, 'utf16le');
	const LATIN = Buffer.from(FLOW.replace('Send', 'Größe'), 'latin1');
	const NO_JSON = /^The file must be an exported flow, not "PK/;
	test.each<[string, unknown, string | undefined, RegExp]>([
		['no files', 'data', undefined, /binary file 'data'/],
		['other files', 'other', FLOW, /no binary field 'other'/],
		['no field', '={{ "" }}', FLOW, /no binary field ''/],
	])('refuses %s in the words of n8n', async (_what, field, file, message) => {
		const binary = file === undefined ? undefined : fileWith(file);
		const given = { binary, isRouted };
		await context.refuses(fromFile(field), message, /binary/, given);
	});

	test.each<[string, unknown, Buffer | string, string | RegExp, RegExp]>([
		['no JSON', 'data', 'PK\u0003\u0004', NO_JSON, /not valid JSON/],
		['nothing', 'data', '', 'The file is empty', /Export/],
		['no UTF-8', 'data', LATIN, 'The file is not a text in UTF-8', /^Save it in UTF-8/],
		['UTF-16', 'data', UTF16, 'The file is not a text in UTF-8', /^Save it in UTF-8/],
		['several flows', 'data', `[${FLOW},${FLOW}]`, 'The file has 2 flows', /one flow per/],
		['no flow', 'data', '{"id":"1"}', /^The file is not an exported flow: it has no tr/, /Export/],
		['no name', 'data', NAMELESS, 'The flow in the file has no name', /flow\.displayName/],
	])('refuses %s, and sends nothing', async (_what, field, file, message, says) => {
		const given = { binary: fileWith(file), isRouted };
		await context.refuses(fromFile(field), message, [says, /Nothing was sent\.$/], given);
	});

	test('messages name the file, whatever is wrong', async () => {
		const ends = 'The file is "orders.json". Nothing was sent.';
		const given = { binary: fileWith('{}', ' orders.json'), isRouted };
		await context.refuses(fromFile(), /^The file is not/, new RegExp(`${ends}$`), given);
		const { items } = await context.run(fromFile(), { ...given, onError: 'continueRegularOutput' });
		expect(items[0].json.message).toContain(ends);
		context.fault({ method: 'POST', kind: { status: 403 } });
		const valid = { binary: fileWith(FLOW, 'orders.json'), isRouted };
		const { description } = await context.failure(fromFile(), valid);
		expect(description).toContain(' The file is "orders.json".');
	});

	const NO_TRIGGER = 'Content is not an exported flow: it has no trigger';
	test.each([
		['={{ $json }}', NO_TRIGGER],
		['={{ $json.data }}', 'Content is empty'],
		['={{ $json.fileName }}', 'Content must be an exported flow, not "Orders.json"'],
	])('is named when Input is left at JSON, with Content %s', async (content, message) => {
		// As n8n's Read/Write Files from Disk returns it.
		const items = [{ fileName: 'Orders.json', mimeType: 'application/json' }];
		const given = { items, binary: fileWith(FLOW), isRouted };
		const says = [/The input item has a file\. To import it, set Input to Binary File\./];
		await context.refuses(asNew(project(), content), message, says, given);
		const { error } = await context.run(asNew(project(), content), { items, isRouted });
		expect(error?.description).not.toContain('Binary File');
	});

	test('refuses a file that is too large', async () => {
		limits.maxInputFileBytes = FLOW.length - 3;
		const message = /^The file in Input Binary Field is larger than the node accepts \(\d+ MB\)$/;
		await context.refuses(fromFile(), message, [], { binary: fileWith(FLOW), isRouted });
	});
});

describe('a flow of an older schema on release 0.92, which migrates it when it is read', () => {
	const context = useService({ release: '0.92', data: { projects: 1, flows: 0, steps: 1 } });

	test('is exported as it is then, and published', async () => {
		const { id, version } = context.live.addFlow();
		version.schemaVersion = SCHEMA['0.85'];
		const old = JSON.stringify(version.trigger).replace('"0.9.4"', '"0.7.1"');
		version.trigger = JSON.parse(old) as typeof version.trigger;
		const [{ flow }] = await context.records(exported(id));
		expect(flow).toMatchObject({ schemaVersion: SCHEMA['0.92'] });
		expect(JSON.stringify(flow)).toContain('"pieceVersion":"0.9.4"');
		const [published] = await context.records(ofRecord('flow.publish', id));
		expect(published).toMatchObject({ status: 'ENABLED', unpublishedChanges: false });
	});
});

/** The export of a flow without the data of its location. */
const withoutPlace = ({ name, flow }: IDataObject) => ({ name, flow });

/** Up to 0.79 an import turns the version of each piece into a range (recorded). */
const withoutRanges = (value: IDataObject[]) =>
	JSON.parse(JSON.stringify(value).replace(/"pieceVersion":"[~^]/g, '"pieceVersion":"')) as unknown;

describe.each(FIRST_AND_LAST)('a round trip on release %s', (release) => {
	// Generated flows have few distinct contents: one for each kind of trigger.
	const context = useService({ release, data: { projects: 2, flows: 8, steps: 3 } });
	const { records } = context;
	// Those of npm start, which people try Export and Import with.
	beforeAll(() => addSampleFlows(context.service));

	test('flows that are exported, imported into an empty project and exported again are equal', async () => {
		const [source, target] = context.data.projects;
		for (const flow of context.data.flows) flow.projectId = source.id;
		context.data.flows = [...context.data.flows];
		const all = async (flows: Array<{ id?: unknown }>) =>
			await records(
				exported('={{ $json.id }}'),
				flows.map(({ id }) => ({ id: String(id) })),
			);
		const copied = async (items: IDataObject[]) =>
			await all(await records(asNew(target.id, '={{ $json }}'), items));

		const before = await all(context.data.flows);
		expect(before.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['Return the input', 'Fail']),
		);
		const after = await copied(before);
		expect(new Set(after.map(({ projectId }) => projectId))).toEqual(new Set([target.id]));
		expect(withoutRanges(after.map(withoutPlace))).toEqual(withoutRanges(before.map(withoutPlace)));
		// Also as text, as in a file; a second import changes nothing.
		const texts = (items: IDataObject[]) => items.map((each) => JSON.stringify(withoutPlace(each)));
		expect(texts(await copied(after))).toEqual(texts(after));
	});
});
