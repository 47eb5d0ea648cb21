import type { IDataObject } from 'n8n-workflow';

import { stepsOf } from '../../nodes/Activepieces/resources/flow/flow';
import { FIRST_AND_LAST } from '../service';
import { ofRecord, parametersOf } from './harness/parameters';
import { requestPaths, useService } from './harness/service';

const step = (type: string, more = {}) => {
	return { type, status: 'SUCCEEDED', input: {}, output: null, duration: 1.5, ...more };
};
const failed = (errorMessage?: string) => {
	return { type: 'CODE', status: 'FAILED', input: { order: 7 }, duration: 10.3, errorMessage };
};
const loop = (...iterations: object[]) =>
	step('LOOP_ON_ITEMS', { output: { item: 'last', index: iterations.length, iterations } });
const RAISED = { message: 'Error: no customer', raw: 'Error' };
const WRAPPED = JSON.stringify({ __apErrorVersion: 1, ...RAISED });

/** Logs as recorded: the order of the keys is that in which the steps ran. */
const LOG = {
	trigger: { type: 'PIECE_TRIGGER', status: 'SUCCEEDED', input: {}, output: { body: { n: 1 } } },
	step_2: step('ROUTER', { output: { branches: [{ branchName: 'Kind B', branchIndex: 1 }] } }),
	step_1: loop({ step_3: step('CODE', { output: 0 }) }, { step_3: failed(WRAPPED) }),
};
const NESTED = {
	step_1: loop(
		{ step_2: loop({ step_3: step('CODE') }, { step_3: step('CODE') }) },
		{ step_2: loop({ step_3: step('CODE') }) },
	),
};

describe.each(FIRST_AND_LAST)('the steps of a run on release %s', (release) => {
	const context = useService({ release, data: { flows: 6 } });

	const runWith = (steps: Record<string, unknown>) => {
		const run = context.live.addFlowRun({ status: 'FAILED', log: true });
		run.steps = steps;
		return run;
	};
	const get = async (steps: Record<string, unknown>, more = {}) =>
		await context.records(ofRecord('flowRun.getSteps', runWith(steps).id, more));

	test('come in the order in which they ran, those of a loop after it with their iteration', async () => {
		const steps = await get(LOG);
		expect(steps.map(({ name, iteration, status }) => [name, iteration, status])).toEqual([
			['trigger', null, 'SUCCEEDED'],
			['step_2', null, 'SUCCEEDED'],
			['step_1', null, 'SUCCEEDED'],
			['step_3', 1, 'SUCCEEDED'],
			['step_3', 2, 'FAILED'],
		]);
		const nested = await get(NESTED);
		const places = nested.map(({ name, iteration }) => `${String(name)} ${String(iteration)}`);
		const inFirst = ['step_1 null', 'step_2 1', 'step_3 1.1', 'step_3 1.2'];
		expect(places).toEqual([...inFirst, 'step_2 2', 'step_3 2.1']);
		// The steps of a loop are items of their own.
		expect(nested[0].output).toEqual({ item: 'last', index: 2 });
	});

	test('Status Failed returns what broke, with its error and input', async () => {
		const [broken, ...others] = await get(LOG, { filters: { stepStatus: ['FAILED'] } });
		expect(others).toEqual([]);
		expect(broken).toMatchObject({
			...{ name: 'step_3', status: 'FAILED', error: 'Error: no customer', input: { order: 7 } },
			...{ output: null, type: 'CODE', durationMs: 10, incomplete: null },
		});
	});

	const STACK = '\n    at Object.m (/app:1:612)\n    at async executeAction (/app:39:72)';
	const inLines = (value: unknown) => JSON.stringify(value, null, 2);
	const since085 = (message: string) =>
		JSON.stringify({ __apErrorVersion: 1, message, raw: `Error: ${message}${STACK}` });
	// Recorded. Other texts are in test/unit/texts.
	test.each([
		['Error: no customer', `Error: no customer${STACK}`],
		['Error: no customer', since085('Error: no customer')],
		['Subflow execution failed', since085(inLines({ message: 'Subflow execution failed' }))],
		[null, ''],
		[null, undefined],
	])('the error %j reads the same in Get, Get Many and Get Steps: %j', async (error, message) => {
		const steps = { step_1: failed(message) };
		const failedStep = { name: 'step_1', displayName: 'Call', message };
		const run = context.live.addFlowRun({ status: 'FAILED', log: true, failedStep });
		run.steps = steps;
		const [got] = await context.records(ofRecord('flowRun.get', run.id));
		const all = await context.records({ ...parametersOf('flowRun.getAll'), returnAll: true });
		const listed = all.find(({ id }) => id === run.id);
		const [{ error: logged }] = await context.records(ofRecord('flowRun.getSteps', run.id));
		const messages = [got, listed!].map((each) => (each.failedStep as IDataObject).message);
		expect([logged, ...messages]).toEqual([error, error, error]);
		const [raw] = await context.records(ofRecord('flowRun.get', run.id, { simplify: false }));
		expect(raw.steps).toEqual(steps);
	});

	test('have the names of the version that ran', async () => {
		// The draft has other names.
		const flow = context.data.flows.find(({ publishedVersionId }) => publishedVersionId !== null)!;
		const { version } = context.live.editFlow(flow.id, 'Edited');
		version.trigger = { ...version.trigger, nextAction: undefined };
		const names = await get({ trigger: LOG.trigger, step_1: step('PIECE'), step_9: step('CODE') });
		const shown = names.map(({ displayName }) => displayName);
		expect(shown).toEqual(['Cron Expression', 'Send HTTP request', null]);
		const asked = requestPaths(context).filter((path) => path.startsWith('GET /v1/flows/'));
		expect(asked).toEqual([]);
		const fields = { output: 'selectedFields', fields: 'displayName' };
		const { id } = runWith({ step_1: step('PIECE') });
		const selected = await context.records(ofRecord('flowRun.getSteps', id, fields), {
			asTool: true,
		});
		expect(selected).toEqual([{ displayName: 'Send HTTP request' }]);
	});

	test('what Activepieces did not return is said, and never returned as the value', async () => {
		const file = { fileId: 'f', url: 'https://example.test/file?token=secret' };
		const cut = {
			text: '(truncated, original size 39 KB)',
			big: '(truncated, original size 3.4 MB)',
			small: 'short',
			old: '(truncated)',
		};
		const inFile = (size: number, more = {}) =>
			step('CODE', { output: { ...file, size }, outputType: 'slice', ...more });
		const large = { step_1: inFile(40_027, { input: cut }) };
		const larger = 'Activepieces did not return all: output is too large (5.1 MB)';
		const incomplete =
			'Activepieces did not return all: input.text is too large (39 kB), input.big is too large (3.4 MB), input.old is too large, output is too large (39 kB)';
		const input = { text: null, big: null, small: 'short', old: null };
		expect(await get({ ...large, step_2: inFile(5_300_000) })).toMatchObject([
			{ input, output: null, incomplete },
			{ output: null, incomplete: larger },
		]);
		// An output of that form is the flow's own.
		const own = { fileId: 'f', size: 1, url: 'https://example.test/file' };
		expect(await get({ step_1: step('CODE', { output: own }) })).toMatchObject([
			{ output: own, incomplete: null },
		]);
		const [raw] = await get(large, { simplify: false });
		expect(raw).toMatchObject({ output: { fileId: 'f', size: 40_027 }, outputType: 'slice' });
		// The URL opens the file without a key.
		expect(JSON.stringify(raw)).not.toContain('token');
		const { id } = runWith({ ...large, step_2: loop({ step_3: large.step_1 }) });
		const run = await context.records(ofRecord('flowRun.get', id, { simplify: false }));
		expect(run).toMatchObject([{ steps: { step_1: { output: { fileId: 'f', size: 40_027 } } } }]);
		expect(JSON.stringify(run)).not.toContain('token');
	});

	test('values are returned as they are: null, 0, empty text, lists', async () => {
		const outputs = [null, 0, '', false, [1, [2]], { a: null }, { iterations: [1] }];
		const steps = outputs.map((output) => step('CODE', { output }));
		const none = { output: { iterations: null }, duration: 0 };
		const given = await get({ ...steps, none: step('LOOP_ON_ITEMS', none) });
		expect(given.map(({ output }) => output)).toEqual([...outputs, none.output]);
		expect(given.at(-1)?.durationMs).toBe(0);
	});

	test('name their flow, also raw', async () => {
		const run = runWith(LOG);
		const flowName = run.version.displayName;
		for (const more of [{}, { simplify: false }]) {
			const steps = await context.records(ofRecord('flowRun.getSteps', run.id, more));
			expect(steps.map((each) => [each.flowName, each.runId])).toEqual(
				steps.map(() => [flowName, run.id]),
			);
			expect(steps).toHaveLength(5);
		}
	});

	test('a run without steps returns none, and a hint says why', async () => {
		const { items, hints } = await context.run(ofRecord('flowRun.getSteps', runWith({}).id));
		expect(items).toEqual([]);
		expect(hints).toEqual([expect.stringContaining('has no steps of this run')]);
		const paused = { filters: { stepStatus: ['PAUSED'] } };
		const others = await context.run(ofRecord('flowRun.getSteps', runWith(LOG).id, paused));
		expect([others.items, others.hints]).toEqual([[], []]);
		expect(requestPaths(context)).toHaveLength(2);
	});
});

describe('the steps of a run on release 0.92', () => {
	const context = useService({ release: '0.92', data: { flows: 8 } });

	test('are those of the branch that an AI router took, and an output says what was redacted', async () => {
		const isRouted = ({ type }: { type?: unknown }) => type === 'AI_ROUTER';
		const { id: flowId } = context.data.flows.find(
			({ publishedVersionId, version }) =>
				publishedVersionId !== null && stepsOf(version.trigger).some(isRouted),
		)!;
		const run = context.live.addFlowRun({ flowId, log: true });
		const given = await context.records(ofRecord('flowRun.getSteps', run.id));
		expect(given.map(({ displayName }) => displayName)).toEqual([
			...['New Email', 'AI Router', 'Ask ChatGPT', 'Send Message To A Channel'],
		]);
		const [, router, marked] = given;
		expect(router).toMatchObject({ type: 'AI_ROUTER', output: { choice: 'Billing' } });
		expect(marked).toMatchObject({
			output: { ok: true, token: '**REDACTED**' },
			incomplete: null,
		});
	});
});
