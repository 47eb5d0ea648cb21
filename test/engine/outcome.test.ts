import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { flowFile } from './harness/flowFile';
import { DELETE, ID, parametersOf, RETRY_ON_FAIL } from './harness/parameters';
import { runFlow } from './harness/runFlow';
import { byId, useService } from './harness/service';

const CHECK = 'Check in Activepieces before you run the node again.';
const MAYBE_DONE = `Activepieces may have applied the change. ${CHECK}`;
const MAYBE_COUNTED = `0 of 2 items were completed; 1 may have been. ${CHECK}`;
const NONE = / 0 of 2 items were completed\.$/;

const CONTENT = JSON.stringify(
	flowFile('Send invoices', {
		type: 'PIECE',
		settings: {
			pieceName: '@activepieces/piece-slack',
			pieceVersion: '0.12.1',
			actionName: 'send_channel_message',
			input: { text: 'hi' },
			propertySettings: {},
		},
	}),
);

/** A response of a proxy that has lost its server. */
const LOST = { status: 502, shape: 'html' } as const;
/** One request of the flow by its ID, not of the list. */
const ONE_FLOW = /^\/v1\/flows\/\w+$/;

describe('the outcome of an item is what its own requests did', () => {
	const context = useService({ data: { projects: 2, foldersPerProject: 2, flows: 12 } });

	const { failure } = context;
	const asNew = () =>
		parametersOf('flow.import', {
			mode: 'create',
			projectId: byId(context.data.projects[0].id),
			content: CONTENT,
		});
	const asDraft = (id: unknown) =>
		parametersOf('flow.import', { mode: 'replace', flowId: byId(id), content: CONTENT });
	const addFlow = () => context.live.addFlow({ enabled: true, trigger: 'webhook' });

	describe('reads change nothing, whatever becomes of them', () => {
		test.each<[string, () => INodeParameters]>([
			['Flow > Publish', () => parametersOf('flow.publish', { flowId: ID })],
			['Flow > Enable or Disable', () => parametersOf('flow.setStatus', { flowId: ID })],
			['Flow Run > Cancel', () => parametersOf('flowRun.cancel', { flowRunId: ID })],
			['Flow Run > Retry', () => parametersOf('flowRun.retry', { flowRunId: ID })],
		])('%s of two items, the first of which cannot be read', async (_name, parametersFor) => {
			const { flows } = context.data;
			context.fault({ method: 'GET', kind: LOST });
			const items = flows.slice(0, 2).map(({ id }) => ({ id }));
			const error = await failure(parametersFor(), items);
			expect(error.description).toMatch(NONE);
			expect(error.description).not.toContain('may have');
		});
	});

	test('a delete of another item whose response was lost is counted, although this item could not be read', async () => {
		const [first, second] = ['To keep', 'To go'].map((name) => context.live.addProject(name));
		// The first item fails while the second one is being deleted.
		context.fault({ method: 'GET', path: new RegExp(first.id), kind: LOST });
		for (const kind of [{ delay: 400 }, LOST]) {
			context.fault({ method: 'DELETE', path: new RegExp(second.id), done: true, kind });
		}
		const items = [first, second].map(({ id }) => ({ id }));
		const error = await failure(parametersOf('project.delete', { projectId: ID }), items);
		expect(error.context.itemIndex).toBe(0);
		expect(error.description).not.toContain(MAYBE_DONE);
		expect(error.description).toMatch(new RegExp(` ${MAYBE_COUNTED}$`));
		expect(context.data.projects.map(({ id }) => id)).not.toContain(second.id);
	});

	test('the same for two deletes in doubt: each is told once', async () => {
		const items = context.data.invitations.slice(0, 2).map(({ id }) => ({ id }));
		context.fault({ method: 'DELETE', kind: { delay: 30 } });
		context.fault({ method: 'DELETE', done: true, kind: LOST });
		const error = await failure(DELETE, items);
		expect(error.description).toContain(MAYBE_DONE);
		expect(error.description).toMatch(new RegExp(` ${MAYBE_COUNTED}$`));
	});

	describe('Flow > Import as a new flow', () => {
		test('says that an empty flow may be there when the response to its creation was lost, and counts nothing else', async () => {
			context.fault({ method: 'POST', times: 1, done: true, kind: LOST });
			const error = await failure(asNew(), [{}, {}]);
			expect(error.description).toContain('An empty flow "Send invoices" may be in the project.');
			expect(error.description).toMatch(NONE);
		});

		test('names the flow that could not be removed, and counts nothing else', async () => {
			context.fault({ method: 'POST', path: ONE_FLOW, kind: { status: 500 } });
			context.fault({ method: 'DELETE', kind: { status: 403 } });
			const error = await failure(asNew(), [{}, {}]);
			expect(error.description).toMatch(/The new flow ".+" \(\w+\) could not be removed\./);
			expect(error.description).toMatch(NONE);
		});

		test('says nothing of a change when the new flow was removed again', async () => {
			context.fault({ method: 'POST', path: ONE_FLOW, kind: { status: 500 } });
			const error = await failure(asNew(), [{}, {}]);
			expect(error.description).toMatch(
				/The new flow was removed\. 0 of 2 items were completed\.$/,
			);
			expect(error.description).not.toContain('may have');
		});
	});

	describe('Flow > Import over a flow', () => {
		const REPLACED = new RegExp(
			`(The draft was replaced|Activepieces has applied a part of the change)\\..*${CHECK}`,
		);

		test.each<[string, IDataObject & { status: number }]>([
			['answered with 500', { status: 500 }],
			['refused', { status: 403 }],
		])('says that the draft was replaced when reading it back is %s', async (_name, kind) => {
			const { id } = addFlow();
			context.fault({ method: 'GET', path: ONE_FLOW, after: 1, kind });
			const error = await failure(asDraft(id));
			expect(error.description).toMatch(REPLACED);
			expect(error.description).not.toMatch(/may have applied|Nothing was changed/);
		});

		test('says so with two items, and counts nothing else', async () => {
			const { id } = addFlow();
			context.fault({ method: 'GET', path: ONE_FLOW, after: 1, kind: { status: 500 } });
			const error = await failure(asDraft(id), [{}, {}]);
			expect(error.description).toMatch(REPLACED);
			expect(error.description).toMatch(NONE);
		});
	});

	test('calls that a proxy answers with 500 may have run the flow: each is told once', async () => {
		const { id } = addFlow();
		context.fault({ method: 'POST', kind: { delay: 50 } });
		context.fault({ method: 'POST', kind: { status: 500, shape: 'html' } });
		const error = await failure(runFlow(id), [{}, {}]);
		expect(error.description).toContain(MAYBE_DONE);
		expect(error.description).toMatch(new RegExp(` ${MAYBE_COUNTED}$`));
	});

	describe('Flow > Update of the folder and the name', () => {
		const update = () => {
			const flow = context.live.addFlow({ trigger: 'webhook' });
			const folder = context.data.folders.find(({ projectId }) => projectId === flow.projectId);
			const updateFields = { folderId: byId(folder?.id), displayName: 'New name' };
			return parametersOf('flow.update', { flowId: byId(flow.id), updateFields });
		};
		const nameAnswers = (kind: { status: number; code?: string }) =>
			context.fault({ method: 'POST', after: 1, kind });

		test.each([
			['409', { status: 409, code: 'FLOW_IN_USE' }],
			['403', { status: 403 }],
		])('a refusal of the name (%s) leaves no doubt about the name', async (_name, kind) => {
			nameAnswers(kind);
			const { description } = await failure(update());
			expect(description).toContain('The flow was moved to the folder.');
			expect(description).not.toMatch(/Could not confirm|may have applied|Nothing was changed/);
		});

		test('a lost response leaves the name in doubt', async () => {
			nameAnswers(LOST);
			const { description } = await failure(update());
			expect(description).toContain('The flow was moved to the folder.');
			expect(description).toMatch(
				/Could not confirm whether its name was changed|may have applied/,
			);
		});
	});

	describe.each([false, true])(
		'a create that the service answers with 500, by n8n’s router: %s',
		(isRouted) => {
			const parametersFor = (resource: string) => ({
				...parametersOf(`${resource}.create`, { displayName: 'New one' }),
				...(resource === 'project' ? {} : { projectId: byId(context.data.projects[0].id) }),
			});

			test.each(['flow', 'folder', 'project'])(
				'may have been carried out: %s',
				async (resource) => {
					context.fault({ method: 'POST', kind: { status: 500 } });
					const { error } = await context.run(parametersFor(resource), { isRouted });
					expect(error?.description).toContain(MAYBE_DONE);
				},
			);

			test.each(['flow', 'project'])('is in doubt for Retry On Fail, too: %s', async (resource) => {
				context.fault({ method: 'POST', kind: { status: 500 } });
				const settings = RETRY_ON_FAIL;
				const { error } = await context.run(parametersFor(resource), { settings, isRouted });
				expect(error?.message).toMatch(/^Could not confirm whether .* was created$/);
				expect(context.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
			});
		},
	);

	test('a refused change leaves no doubt', async () => {
		const { id } = context.data.folders[0];
		context.fault({ method: 'POST', kind: { status: 409 } });
		const rename = parametersOf('folder.update', { folderId: byId(id), displayName: 'New one' });
		const { description } = await failure(rename, [{}, {}]);
		expect(description).toMatch(NONE);
		expect(description).not.toContain('may have');
	});
});
