import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';

import { flowFile, webhookTrigger } from './harness/flowFile';
import { parametersOf, RETRY_ON_FAIL as settings } from './harness/parameters';
import {
	FIRST_AND_LAST,
	byId,
	cancelAt,
	RELEASES,
	requestPaths,
	useService,
} from './harness/service';
import { SIGN_IN, signedIn, signInCredential } from './harness/signIn';

const SCHEMA = { '0.73': '10', '0.86': '22' } as const;
const NO_FOLDER = { mode: 'list', value: 'NULL', __rl: true };

const asNew = (projectId: unknown, content: unknown, more: INodeParameters = {}) =>
	parametersOf('flow.import', {
		mode: 'create',
		projectId: byId(projectId),
		content: content as string,
		...more,
	});
const asDraft = (id: unknown, content: unknown) =>
	parametersOf('flow.import', { mode: 'replace', flowId: byId(id), content: content as string });
const exported = (id: unknown) => parametersOf('flow.export', { flowId: byId(id) });

/** A flow with two steps, as in a file. */
const contentWith = (more: IDataObject = {}, input: IDataObject = {}): IDataObject => ({
	...flowFile('Send invoices', {
		type: 'PIECE',
		settings: {
			pieceName: '@activepieces/piece-slack',
			pieceVersion: '0.12.1',
			actionName: 'send_channel_message',
			input: { text: 'hi', ...input },
			propertySettings: {},
		},
	}),
	...more,
});
const CONTENT = JSON.stringify(contentWith());

/** A flow as an item of Export. */
const file = (flow: IDataObject) => ({ name: 'Its file', status: 'ENABLED', flow });

describe.each(FIRST_AND_LAST)('flows are imported on release %s', (release) => {
	const context = useService({
		release,
		data: { projects: 2, foldersPerProject: 2, flows: 6, connections: 20 },
	});
	const schemaVersion = SCHEMA[release];

	const { records, failure, failsWith } = context;
	const project = () => context.data.projects[0].id;
	const stored = (id: unknown) => context.data.flows.find((flow) => flow.id === id);
	const count = () => context.data.flows.length;
	const changes = () => requestPaths(context).filter((line) => !line.startsWith('GET'));

	describe('as a new flow', () => {
		let before: number;
		beforeEach(() => void (before = count()));

		test('makes a flow of an item of Export, with the fields of Get Many, and reads back what was stored', async () => {
			const [flow] = await records(asNew(project(), '={{ $json }}'), [
				file(contentWith({ schemaVersion })),
			]);
			expect(flow).toEqual({
				...(await records({ resource: 'flow', operation: 'get', flowId: byId(flow.id) }))[0],
				runsOldVersion: false,
				missingConnections: [],
			});
			expect(flow).toMatchObject({
				name: 'Send invoices',
				status: 'DISABLED',
				published: false,
				projectId: project(),
				pieces: ['@activepieces/piece-slack', '@activepieces/piece-webhook'],
			});
			const [create, put, get] = context.requests;
			expect([create, put, get].map(({ method, path }) => `${method} ${path}`)).toEqual([
				'POST /v1/flows',
				`POST /v1/flows/${String(flow.id)}`,
				`GET /v1/flows/${String(flow.id)}`,
			]);
			expect(create.body).toEqual({ displayName: 'Send invoices', projectId: project() });
			expect(put.body).toMatchObject({
				type: 'IMPORT_FLOW',
				request: {
					displayName: 'Send invoices',
					// Each step has a time, like steps that were edited in Activepieces.
					trigger: {
						lastUpdatedDate: expect.any(String),
						nextAction: { lastUpdatedDate: expect.any(String) },
					},
					schemaVersion,
					notes: [],
				},
			});
		});

		test('puts it into a folder of the project; one of another project is refused', async () => {
			const { folders, projects } = context.data;
			const [own] = folders.filter(({ projectId }) => projectId === project());
			const [{ id }] = await records(asNew(project(), CONTENT, { folderId: byId(own.id) }));
			expect(stored(id)?.folderId).toBe(own.id);
			const [none] = await records(asNew(project(), CONTENT, { folderId: NO_FOLDER }));
			expect(stored(none.id)?.folderId).toBeNull();

			const [foreign] = folders.filter(({ projectId }) => projectId === projects[1].id);
			const error = await failure(asNew(project(), CONTENT, { folderId: byId(foreign.id) }));
			expect(error.message).toBe(`The folder "${foreign.displayName}" is in another project`);
			expect(count()).toBe(before + 2);
		});

		test('refuses a file of a newer release in words, and leaves no flow behind', async () => {
			const newer = contentWith({ schemaVersion: '99' });
			await failsWith(
				asNew(project(), '={{ $json }}'),
				'The flow "Send invoices" was exported from a newer Activepieces release than the one on this server',
				[`schemaVersion is 99, but this server uses ${schemaVersion}`, 'The new flow was removed.'],
				[newer],
			);
			expect(count()).toBe(before);
			expect(context.requests.some(({ body }) => JSON.stringify(body)?.includes('IMPORT'))).toBe(
				false,
			);
		});

		test('makes no flow for a newer file once it knows the release of the server', async () => {
			const items = [contentWith(), contentWith({ schemaVersion: '99' })];
			const { items: given } = await context.run(asNew(project(), '={{ $json }}'), {
				items,
				onError: 'continueRegularOutput',
			});
			expect(given[1].json.message).toContain('Nothing was changed.');
			expect(count()).toBe(before + 1);
			expect(changes()).toHaveLength(2);
		});

		test('names the connections that the project lacks, whatever refers to them', async () => {
			const { connections } = context.data;
			const [there] = connections.filter(({ projectIds }) => projectIds.includes(project()));
			const input = {
				auth: "{{connections['not-here']}}",
				two: `{{connections['${there.externalId}']}} and {{ connections["nor this"].key }}`,
				old: '{{connections.old_form}}',
				odd: `{{connections['it]s']}} {{connections['q"q']}} {{connections['one','two']}}`,
				noReference: "connections['text']",
			};
			const content = JSON.stringify(contentWith({}, input));
			const [flow] = await records(asNew(project(), content));
			expect(flow.missingConnections).toEqual([
				'it]s',
				'nor this',
				'not-here',
				'old_form',
				'one',
				'q"q',
				'two',
			]);
		});

		test('says in the output panel which connections the project lacks, and so does Publish', async () => {
			const auth = "{{connections['not-here']}}";
			const content = JSON.stringify(contentWith({}, { auth }));
			const imported = await context.run(asNew(project(), content));
			const [{ id }] = await records(asNew(project(), content));
			const publish = { resource: 'flow', operation: 'publish', flowId: byId(id) };
			for (const { run, error } of [imported, await context.run(publish)]) {
				expect(error).toBeUndefined();
				const [{ hints }] = run.data.resultData.runData.Activepieces;
				expect(hints).toMatchObject([
					{ message: expect.stringMatching(/^Flow "Send invoices" .* does not have: not-here\./) },
				]);
			}
			// The flow is published even if the connections cannot be read.
			const [other] = await records(asNew(project(), content));
			context.fault({ path: '/v1/app-connections', kind: { status: 500 } });
			const [flow] = await records({ ...publish, flowId: byId(other.id) });
			expect(flow.published).toBe(true);
		});

		test('reads the connections of a project once, and none for flows that use none', async () => {
			const items = [1, 2, 3].map((n) => contentWith({}, { auth: `{{connections['c${n}']}}` }));
			const given = await records(asNew(project(), '={{ $json }}'), [...items, contentWith()]);
			const missing = given.map(({ missingConnections }) => missingConnections);
			expect(missing).toEqual([['c1'], ['c2'], ['c3'], []]);
			const lists = requestPaths(context).filter((line) => line === 'GET /v1/app-connections');
			expect(lists).toHaveLength(1);
		});

		test('imports without them where they may not be listed', async () => {
			context.fault({ path: '/v1/app-connections', kind: { status: 403 } });
			const content = JSON.stringify(contentWith({}, { auth: "{{connections['c1']}}" }));
			const [flow] = await records(asNew(project(), content));
			expect(flow).toMatchObject({ name: 'Send invoices', missingConnections: null });
		});

		test('removes the new flow again when the import is refused', async () => {
			const half = { displayName: 'Half', trigger: { type: 'PIECE_TRIGGER', name: 'trigger' } };
			const error = await failure(asNew(project(), JSON.stringify(half)));
			expect(error.description).toMatch(/The new flow was removed\.$/);
			expect(error.message).toBe('Activepieces did not accept the flow in Content');
			expect(error.httpCode).toBe('400');
			expect(count()).toBe(before);
		});

		test('says where JSON has an error', async () => {
			const error = await failure(asNew(project(), '{ "a": 1, }'));
			expect(error.description).toMatch(/position 10\b/);
		});

		test.each([
			['refused', { status: 409, code: 'FLOW_IN_USE' }],
			['answered with 500', { status: 500 }],
			['not answered', { reset: 'beforeHeaders' }],
		] as const)('deletes the new flow when the import is %s', async (_name, kind) => {
			context.fault({ method: 'POST', after: 1, kind });
			const error = await failure(asNew(project(), CONTENT));
			expect(error.description).toMatch(/The new flow was removed\.$/);
			expect(error.description).not.toMatch(/may have applied|Nothing was changed/);
			expect(count()).toBe(before);
		});

		test('says that an empty flow may be there when the answer to its creation was lost', async () => {
			context.fault({ method: 'POST', done: true, kind: { reset: 'beforeHeaders' } });
			expect((await failure(asNew(project(), CONTENT))).description).toContain(
				'An empty flow "Send invoices" may be in the project. If it is, delete it in Activepieces.',
			);
			expect(count()).toBe(before + 1);
			expect(changes()).toEqual(['POST /v1/flows']);
		});

		test('removes it when what was stored is not what was sent', async () => {
			context.fault({
				method: 'GET',
				path: /^\/v1\/flows\/\w+$/,
				kind: {
					answers: ({ path }) => ({ id: path.split('/').at(-1), version: { displayName: 'x' } }),
				},
			});
			await failsWith(asNew(project(), CONTENT), /^Activepieces did not store the steps of flow/);
			expect(count()).toBe(before);
		});

		const notRemoved = () =>
			`The new flow "Send invoices" (${context.data.flows.at(-1)?.id}) could not be removed. Delete it in Activepieces.`;

		test('says so when the new flow cannot be removed', async () => {
			context.fault({ method: 'POST', after: 1, kind: { status: 500 } });
			context.fault({ method: 'DELETE', kind: { status: 403 } });
			const { description } = await failure(asNew(project(), CONTENT));
			expect(description).toContain(notRemoved());
		});

		test('sends four deletes at most for a flow that stays busy', async () => {
			context.fault({ method: 'POST', after: 1, kind: { status: 500 } });
			const busy = { status: 409, code: 'FLOW_OPERATION_IN_PROGRESS' };
			context.fault({ method: 'DELETE', kind: busy });
			const { description } = await failure(asNew(project(), CONTENT));
			expect(description).toContain(notRemoved());
			expect(context.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(4);
		});

		/** Cancels the workflow while the content is sent. */
		const cancelled = async (isRouted = false) => {
			context.fault({ method: 'POST', path: /^\/v1\/flows\/\w+$/, kind: { delay: 2_000 } });
			const started = cancelAt(context, 2);
			const { error } = await context.run(asNew(project(), CONTENT), { started, isRouted });
			expect(error?.message).toBe('The execution was cancelled');
			return error?.description;
		};

		test('removes the new flow when the workflow is cancelled', async () => {
			expect(await cancelled()).toBeFalsy();
			const latest = Date.now() + 5_000;
			while (count() > before && Date.now() < latest) await sleep(5);
			expect(count()).toBe(before);
		});

		test.each([false, true])(
			'says so when the workflow is cancelled and the new flow cannot be removed, in n8n’s router: %s',
			async (isRouted) => {
				context.fault({ method: 'DELETE', kind: { status: 403 } });
				expect(await cancelled(isRouted)).toBe(notRemoved());
			},
		);

		test('with Retry On Fail, imports no item again that was done', async () => {
			context.fault({ method: 'POST', after: 3, times: 1, kind: { status: 500 } });
			const { items, error } = await context.run(asNew(project(), '={{ $json }}'), {
				items: [1, 2, 3].map((n) => contentWith({ displayName: `Flow ${n}` })),
				settings,
			});
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.name)).toEqual(['Flow 1', 'Flow 2', 'Flow 3']);
			expect(count()).toBe(before + 3);
		});

		test('with Retry On Fail, makes no second flow when the answer to the first was lost', async () => {
			context.fault({ method: 'POST', times: 1, done: true, kind: { reset: 'beforeHeaders' } });
			const { error } = await context.run(asNew(project(), CONTENT), { settings });
			expect(error?.message).toBe(
				'Could not confirm whether the flow "Send invoices" was imported',
			);
			expect(count()).toBe(before + 1);
		});
	});

	describe('as the draft of a flow', () => {
		test('replaces it, and leaves the published version running', async () => {
			const flow = context.live.addFlow({ enabled: true, name: 'Before' });
			const { publishedVersionId } = flow;
			const [given] = await records(asDraft(flow.id, CONTENT));
			expect(given).toMatchObject({
				id: flow.id,
				name: 'Send invoices',
				status: 'ENABLED',
				published: true,
				unpublishedChanges: true,
				runsOldVersion: true,
			});
			expect(stored(flow.id)?.publishedVersionId).toBe(publishedVersionId);
			expect(changes()).toEqual([`POST /v1/flows/${flow.id}`]);
		});

		test('changes nothing, and begins no draft, when the flow is that of the file', async () => {
			const flow = context.live.addFlow({ enabled: true });
			const [item] = await records(exported(flow.id));
			const [given] = await records(asDraft(flow.id, '={{ $json }}'), [item]);
			expect(given).toMatchObject({ id: flow.id, unpublishedChanges: false });
			expect(changes()).toEqual([]);
		});

		test('keeps the password of a webhook when its own export is imported', async () => {
			const flow = context.live.addFlow();
			const trigger = webhookTrigger('basic', { username: 'ada', password: 'hush' });
			flow.version = { ...flow.version, trigger };
			const [item] = await records(exported(flow.id));
			await records(asDraft(flow.id, '={{ $json }}'), [item]);
			expect(JSON.stringify(stored(flow.id))).toContain('hush');
			// A value in the file is another one.
			const other = webhookTrigger('basic', { username: 'ada', password: 'another' });
			await records(asDraft(flow.id, '={{ $json }}'), [{ displayName: 'Other', trigger: other }]);
			expect(JSON.stringify(stored(flow.id))).toContain('another');
			// The file with the value that is there already starts no draft.
			const same = structuredClone(stored(flow.id)?.version) as unknown as IDataObject;
			context.clearRequests();
			await records(asDraft(flow.id, '={{ $json }}'), [same]);
			expect(changes()).toEqual([]);
		});

		test('refuses a file of a newer release, and changes nothing', async () => {
			const flow = context.live.addFlow();
			const content = JSON.stringify(contentWith({ schemaVersion: '99' }));
			const error = await failure(asDraft(flow.id, content));
			expect(error.message).toMatch(/was exported from a newer Activepieces release/);
			expect(error.description).toMatch(/Nothing was changed\.$/);
			expect(changes()).toEqual([]);
		});

		test('never deletes the flow, whatever becomes of the import', async () => {
			const flow = context.live.addFlow();
			context.fault({ method: 'POST', kind: { status: 500 } });
			await failure(asDraft(flow.id, CONTENT));
			expect(changes()).toEqual([`POST /v1/flows/${flow.id}`]);
			expect(stored(flow.id)).toBeDefined();
		});
	});
});

describe('Content', () => {
	const context = useService({ data: { projects: 2, flows: 6 } });
	const project = () => context.data.projects[0].id;
	const stored = (id: unknown) => context.data.flows.find((flow) => flow.id === id);

	test.each<[string, (flow: IDataObject) => unknown]>([
		['an item of Export', (flow) => file(flow)],
		['an item of Export as text', (flow) => JSON.stringify(file(flow))],
		['a file of n8n with one item', (flow) => JSON.stringify([file(flow)])],
		["what n8n's Extract From File gives", (flow) => ({ data: file(flow) })],
		['a template of 0.73', (flow) => ({ name: 'T', pieces: [], tags: [], template: flow })],
		[
			'a template of 0.79 and later',
			(flow) => ({ name: 'T', type: 'SHARED', metadata: {}, flows: [flow] }),
		],
		['a flow by itself', (flow) => flow],
		['one without notes', (flow) => ({ flow: { ...flow, notes: undefined } })],
		[
			'one whose name is beside the flow',
			(flow) => ({ name: 'Send invoices', flow: { ...flow, displayName: ' ' } }),
		],
		['one without schemaVersion', (flow) => ({ flow: { ...flow, schemaVersion: null } })],
	])('accepts %s', async (_name, contentOf) => {
		const [{ id, name }] = await context.records(asNew(project(), '={{ $json.content }}'), [
			{ content: contentOf(contentWith()) as IDataObject },
		]);
		expect(name).toBe('Send invoices');
		expect(stored(id)?.version).toMatchObject({
			schemaVersion: SCHEMA['0.86'],
			trigger: { nextAction: { name: 'step_1' } },
		});
	});

	test.each<[string, unknown, string]>([
		['nothing', '={{ $json.no }}', 'Content is empty'],
		['no JSON', 'Send invoices', 'Content must be an exported flow, not "Send invoices"'],
		['a number', '={{ 12 }}', 'Content must be an exported flow, not 12'],
		['another record', '{"id":"1"}', 'Content is not an exported flow: it has no trigger'],
		[
			'half a trigger',
			'{"displayName":"x","trigger":{}}',
			'The trigger of the flow in Content is not complete',
		],
		['an empty list', '[]', 'Content must be an exported flow, not an empty list'],
		['several flows', '[{},{}]', 'Content has 2 flows'],
		['a template of several flows', '{"flows":[{},{},{}]}', 'Content has 3 flows'],
		[
			'no name',
			JSON.stringify(contentWith({ displayName: '' })),
			'The flow in Content has no name',
		],
		[
			'another schemaVersion',
			JSON.stringify(contentWith({ schemaVersion: 'new' })),
			'The schemaVersion in Content must be a whole number, not "new"',
		],
	])('refuses %s, and sends nothing', async (_name, content, message) => {
		await context.refuses(asNew(project(), content), message, /Nothing was sent\.$/);
	});
});

/** The export of a flow without the data of its location. */
const withoutPlace = ({ name, flow }: IDataObject) => ({ name, flow });

/** Up to 0.79 an import turns the version of each piece into a range (recorded). */
const withoutRanges = (value: IDataObject[]) =>
	JSON.parse(JSON.stringify(value).replace(/"pieceVersion":"[~^]/g, '"pieceVersion":"')) as unknown;

/** Generated flows have few distinct contents: one for each kind of trigger. */
const FLOWS = 24;

describe.each(RELEASES)('a round trip on release %s', (release) => {
	const context = useService({ release, data: { projects: 2, flows: FLOWS, steps: 4 } });

	test('flows that are exported, imported into an empty project and exported again are equal', async () => {
		const [, target] = context.data.projects;
		for (const flow of context.data.flows) flow.projectId = context.data.projects[0].id;
		context.data.flows = [...context.data.flows];
		const run = async (parameters: INodeParameters, items: IDataObject[]) =>
			await context.records(parameters, items);
		const all = async (items: IDataObject[]) => await run(exported('={{ $json.id }}'), items);

		const before = await all(context.data.flows.map(({ id }) => ({ id })));
		const imported = await run(asNew(target.id, '={{ $json }}'), before);
		const after = await all(imported.map(({ id }) => ({ id })));
		expect(after).toHaveLength(FLOWS);
		expect(new Set(after.map(({ projectId }) => projectId))).toEqual(new Set([target.id]));
		expect(withoutRanges(after.map(withoutPlace))).toEqual(withoutRanges(before.map(withoutPlace)));
		// Also as text, as in a file; a second import changes nothing.
		const again = await run(asNew(target.id, '={{ $json }}'), after);
		const last = await all(again.map(({ id }) => ({ id })));
		const texts = after.map((each) => JSON.stringify(withoutPlace(each)));
		expect(last.filter((each, at) => JSON.stringify(withoutPlace(each)) !== texts[at])).toEqual([]);
	});
});

describe.each(FIRST_AND_LAST)('after signing in to Community %s', (release) => {
	const context = useService({ release, edition: 'community', data: 'recorded' });

	test('a flow is exported, and imported as another one', async () => {
		const [flow] = context.data.flows;
		const { records } = signedIn(context);
		const [item] = await records(exported(flow.id));
		const [copy] = await records(asNew(flow.projectId, '={{ $json }}'), [item]);
		expect(copy).toMatchObject({ name: flow.version.displayName, published: false });
		expect(copy.id).not.toBe(flow.id);
	});

	test('a new flow is deleted when the workflow is canceled', async () => {
		const [{ projectId }] = context.data.flows;
		const before = context.data.flows.length;
		context.fault({ method: 'POST', path: /^\/v1\/flows\/\w+$/, kind: { delay: 2_000 } });
		const started = cancelAt(context, 1, /^\/v1\/flows\/\w+$/);
		const { error } = await context.run(
			{ ...asNew(projectId, CONTENT), ...SIGN_IN },
			{ credential: signInCredential(context), started },
		);
		expect(error?.message).toBe('The execution was cancelled');
		const latest = Date.now() + 5_000;
		while (context.data.flows.length > before && Date.now() < latest) await sleep(5);
		expect(context.data.flows).toHaveLength(before);
	});
});
