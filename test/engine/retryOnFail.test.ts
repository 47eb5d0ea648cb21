import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST, type FaultKind } from '../service';
import { wholeRun } from '../service/flowRunAnswers';
import type { FlowRunRecord } from '../service/flowRunRecords';
import { TRAITS } from '../service/releases';
import { agentTool } from './harness/agentTool';
import { skipWaits, waitReally } from './harness/built';
import { byId } from './harness/byId';
import { flowFile } from './harness/flowFile';
import { ID, ofRecord, parametersOf, RETRY_ON_FAIL as settings } from './harness/parameters';
import { runFlow } from './harness/runFlow';
import { useService } from './harness/service';

/** How often a delete is sent in one try of the node. */
const ATTEMPTS = 5;
const REFUSED: FaultKind = { status: 422, message: 'no' };

const RUN = runFlow('={{ $json.id }}');
const retry = (id: string) => ofRecord('flowRun.retry', id, { strategy: 'ON_LATEST_VERSION' });
const RETRY = parametersOf('flowRun.retry', { flowRunId: ID });
const LATEST = retry('={{ $json.id }}');
const deletes = (resource: string) => ofRecord(`${resource}.delete`, '={{ $json.id }}');
const PROJECT = byId('={{ $json.projectId }}');
const NEW_FOLDER = parametersOf('folder.create', {
	projectId: PROJECT,
	displayName: '={{ $json.name }}',
});
const IMPORT = parametersOf('flow.import', {
	mode: 'create',
	projectId: PROJECT,
	content: '={{ { ...$json.file, displayName: $json.name } }}',
});
const FILE = flowFile('Orders', { type: 'CODE', settings: { input: {} } });

describe('Retry On Fail does not repeat an action', () => {
	const context = useService({ data: { projects: 1, flows: 2 } });

	const live = () => context.live;
	const addFlow = (steps?: Record<string, unknown>) =>
		live().addFlow({ name: 'Orders', enabled: true, steps });
	const addRun = () => live().addFlowRun({ status: 'FAILED' });
	const three = (add: () => { id: string }) => Array.from({ length: 3 }, () => ({ id: add().id }));
	let round = 0;
	beforeEach(() => void round++);
	const names = () => ['First', 'Second', 'Third'].map((name) => ({ name: `${name} ${round}` }));

	const each = (...items: IDataObject[]) => {
		const [{ id: projectId }] = context.data.projects;
		return { items: items.map((item) => ({ projectId, ...item })), settings };
	};

	test.each<[string, INodeParameters, (() => { id: string }) | undefined, FaultKind]>([
		['Flow > Run', RUN, addFlow, REFUSED],
		['Folder > Create', NEW_FOLDER, undefined, { status: 500 }],
		['Flow Run > Retry on the latest version', LATEST, addRun, REFUSED],
		['Connection > Delete', deletes('connection'), () => live().addConnection(), { status: 500 }],
	])('%s: only the item that failed is sent again', async (_name, parameters, add, kind) => {
		const items = add === undefined ? names() : three(add);
		const method = parameters.operation === 'delete' ? 'DELETE' : 'POST';
		context.fault({ method, after: 1, times: 1, kind });
		const records = await context.records(parameters, each(...items));
		const given = records.map((record) => record.retriedRunId ?? record.flowId ?? record.name);
		const wanted = items.map((item: IDataObject) => item.name ?? item.id);
		expect(given).toEqual(method === 'DELETE' ? [undefined, undefined, undefined] : wanted);
		const sent = context.requests.filter((request) => request.method === method);
		expect(sent).toHaveLength(4);
		expect(sent.filter(({ status }) => status < 300)).toHaveLength(3);
	});

	test.each([
		['that only a later try names', '=unknown-{{ Date.now() }}', 502],
		['that was never there', 'nobody', 429],
	])('a record %s is not reported as deleted', async (_what, id, status) => {
		context.fault({ method: 'DELETE', times: ATTEMPTS, kind: { status } });
		const message = /^Folder "(unknown-\d+|nobody)" was not found$/;
		await context.failsWith(ofRecord('folder.delete', id), message, [], each({}));
	});

	test('a call that was waiting when another item failed is made in the next try', async () => {
		waitReally();
		const [later, refused] = three(addFlow);
		const headers = { 'retry-after': '0.5' };
		const path = ({ id }: { id: string }) => `/v1/webhooks/${id}`;
		context.fault({ path: path(later), times: 1, kind: { status: 429, headers } });
		context.fault({ path: path(refused), times: 1, kind: REFUSED });
		const records = await context.records(RUN, each(later, refused));
		expect(records).toMatchObject([{ flowId: later.id }, { flowId: refused.id }]);
	});

	test('an item that appears twice in the input is processed twice', async () => {
		const item = { id: addFlow().id };
		await context.records(RUN, each(item, item));
		expect(context.posts()).toHaveLength(2);
	});

	test('an import that was refused leaves one flow for each item', async () => {
		const before = context.data.flows.length;
		context.fault({ method: 'POST', after: 3, times: 1, kind: { status: 500 } });
		const items = names().map((item) => ({ ...item, file: FILE }));
		const records = await context.records(IMPORT, each(...items));
		expect(records.map(({ name }) => name)).toEqual(items.map(({ name }) => name));
		expect(context.data.flows).toHaveLength(before + 3);
	});

	test('an import is not sent again when the flow that it left could not be removed', async () => {
		const before = context.data.flows.length;
		context.fault({ method: 'POST', after: 1, times: 1, kind: { status: 500 } });
		context.fault({ method: 'DELETE', kind: { status: 403 } });
		const [{ name }] = names();
		const doubt = `Could not confirm whether the flow "${name}" was imported`;
		const given = each({ name, file: FILE });
		await context.failsWith(IMPORT, doubt, 'Check the flows of the project', given);
		expect(context.data.flows).toHaveLength(before + 1);
	});

	describe('by an agent of n8n 1', () => {
		const runTool = (id: string) => {
			const parameters = { ...runFlow(id), input: "={{ $fromAI('input', '', 'json') }}" };
			return agentTool(context.engine, context.credential, parameters, settings);
		};
		beforeEach(skipWaits);

		test('each call of the tool is one call of the flow, even with the same input', async () => {
			const { id } = addFlow();
			const call = runTool(id);
			for (let count = 0; count < 2; count++) {
				const answer = JSON.parse(await call({ input: { order: 1 } })) as unknown;
				expect(answer).toEqual([{ accepted: true, flowId: id, requestId: expect.any(String) }]);
			}
			expect(context.posts()).toHaveLength(2);
		});
	});
});

describe.each(FIRST_AND_LAST)('Retry On Fail and Flow Run > Retry on release %s', (release) => {
	const context = useService({ release });

	const each = (...runs: FlowRunRecord[]) => ({ items: runs.map(({ id }) => ({ id })), settings });
	const addRun = (status: FlowRunRecord['status'] = 'FAILED') =>
		context.live.addFlowRun({ status });
	const lose = (after = 0, done = true) =>
		context.fault({ method: 'POST', after, times: 1, done, kind: { reset: 'beforeHeaders' } });
	const ANY_STATUS = { ...RETRY, options: { anyStatus: true } };

	test.each(['QUEUED', 'FAILED', 'SUCCEEDED'] as const)(
		'a lost retry is recognized by a run that is %s',
		async (status) => {
			const failed = addRun();
			lose();
			const answers = () =>
				wholeRun(context.live.finishFlowRun(failed.id, status), TRAITS[release]);
			const path = `/v1/flow-runs/${failed.id}`;
			if (status !== 'QUEUED')
				context.fault({ path, after: 1, times: 1, method: 'GET', kind: { answers } });
			const records = await context.records(RETRY, each(failed));
			expect(records).toMatchObject([{ id: failed.id, status }]);
			expect(context.posts()).toHaveLength(1);
		},
	);

	test('a retry that did not arrive is not taken for done by what the run was before a refused try', async () => {
		const failed = addRun();
		const body = { ...wholeRun(failed, TRAITS[release]), finishTime: failed.created };
		context.fault({ path: `/v1/flow-runs/${failed.id}`, times: 1, method: 'GET', kind: { body } });
		context.fault({ method: 'POST', times: 1, kind: REFUSED });
		lose(1, false);
		const doubt = `Could not confirm whether flow run "${failed.id}" was retried`;
		await context.failsWith(RETRY, doubt, [], each(failed));
		expect(context.posts().map(({ status }) => status)).toEqual([422, 0]);
	});

	test('with Retry Even If Not Failed, a run in progress is uncertain, one that had succeeded is not', async () => {
		const running = addRun('RUNNING');
		lose();
		const doubt = `Could not confirm whether flow run "${running.id}" was retried`;
		await context.failsWith(ANY_STATUS, doubt, [], each(running));
		expect(context.posts()).toHaveLength(1);
		lose();
		const records = await context.records(ANY_STATUS, each(addRun('SUCCEEDED')));
		expect(records).toMatchObject([{ status: 'QUEUED' }]);
		expect(context.posts()).toHaveLength(2);
	});

	test('does not apply to another run of the node: a run that failed again is retried again', async () => {
		const failed = addRun();
		await context.records(RETRY, each(failed));
		context.live.finishFlowRun(failed.id, 'FAILED');
		await context.records(RETRY, each(failed));
		expect(context.posts().map(({ status }) => status)).toEqual([200, 200]);
	});
});
