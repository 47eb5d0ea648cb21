import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import { simplifyFlow } from '../../nodes/Activepieces/resources/flow/flow';
import { simplifyRun } from '../../nodes/Activepieces/resources/flowRun/flowRun';

const simplifyOf = new Map(
	resources.flatMap(({ value, operations }) =>
		operations.map(({ value: name, simplify }) => [`${value}.${name}`, simplify]),
	),
);

const piece = (pieceName: string, more = {}) => ({
	type: 'PIECE',
	settings: { pieceName },
	...more,
});

test('the pieces of a flow are collected through loops, routers and branches after a failure', () => {
	const continueOnFailureBranches = { onSuccess: piece('delay'), onFailure: piece('discord') };
	const branch = piece('gmail', { nextAction: { type: 'CODE', continueOnFailureBranches } });
	const router = { type: 'ROUTER', children: [branch, null, piece('telegram')] };
	const loop = { type: 'LOOP', firstLoopAction: piece('slack'), nextAction: router };
	const version = { displayName: 'Weekly', trigger: piece('schedule', { nextAction: loop }) };
	const pieces = ['delay', 'discord', 'gmail', 'schedule', 'slack', 'telegram'];
	expect(simplifyFlow({ version })).toMatchObject({ name: 'Weekly', pieces });
});

test.each([
	['never published, as releases up to 0.73 write it', '', 'v2', false, false],
	['never published', null, 'v2', false, false],
	['published as it is', 'v2', 'v2', true, false],
	['edited since it was published', 'v1', 'v2', true, true],
	['published, without its version', 'v1', undefined, true, null],
])('a flow that is %s', (_, publishedVersionId, id, published, unpublishedChanges) => {
	const flow = simplifyFlow({ publishedVersionId, version: { id } });
	expect(flow).toMatchObject({ published, unpublishedChanges });
});

test('a flow of ten thousand steps, each nested in the one before, is simplified', () => {
	let nextAction: IDataObject = piece('last');
	for (let step = 1; step < 10_000; step++) nextAction = { type: 'CODE', nextAction };
	const flow = { version: { trigger: { type: 'EMPTY', nextAction } } };
	expect(simplifyFlow(flow).pieces).toEqual(['last']);
});

test('templates of old and new releases have the same fields', () => {
	const simplifyTemplate = simplifyOf.get('flowTemplate.get')!;
	const old = simplifyTemplate({ id: 'a', name: 'A', tags: ['x', 'y'], template: { trigger: {} } });
	const tags = [{ title: 'x', color: '#fff' }, { title: 'y' }];
	const later = simplifyTemplate({ id: 'b', name: 'B', tags, flows: [{}, {}] });
	expect(Object.keys(old)).toEqual(Object.keys(later));
	expect(old).toMatchObject({ tags: ['x', 'y'], flowCount: 1 });
	expect(later).toMatchObject({ tags: ['x', 'y'], flowCount: 2 });
});

describe('a run', () => {
	const started = '2026-11-20T08:00:00.000Z';
	const finished = '2026-11-20T08:00:02.345Z';

	test.each(['QUEUED', 'RUNNING', 'PAUSED'])('that is %s again has not ended', (status) => {
		const run = { status, startTime: started, finishTime: finished };
		expect(simplifyRun(run)).toMatchObject({ finished: null });
	});

	test('has the message of its failed step, from the steps if the step itself has none', () => {
		const failedStep = { name: 'step_1', displayName: 'Send' };
		const steps = { step_1: { errorMessage: 'boom' } };
		const message = (run: IDataObject) =>
			(simplifyRun({ status: 'FAILED', ...run }).failedStep as IDataObject).message;
		expect(message({ failedStep })).toBeNull();
		expect(message({ failedStep, steps })).toBe('boom');
		const iterations = [{ step_1: {} }, { step_1: { errorMessage: 'in a loop' } }];
		const loop = { type: 'LOOP_ON_ITEMS', output: { iterations } };
		expect(message({ failedStep, steps: { loop } })).toBe('in a loop');
		expect(message({ failedStep: { ...failedStep, message: 'first' }, steps })).toBe('first');
		const long = { ...failedStep, message: 'x'.repeat(5000) };
		expect(message({ failedStep: long })).toBe(`${'x'.repeat(299)}…`);
	});
});

/** They return more than a record: what the import did, a step, the columns of a table. */
const NO_RECORD = /^(flow\.import|flowRun\.getSteps|tableRecord\.\w+)$/;
const ofRecords = [...simplifyOf].flatMap(([pair, simplify]) =>
	simplify === undefined || NO_RECORD.test(pair) ? [] : [[pair, simplify] as const],
);

describe.each(ofRecords)('a simplified record of %s', (_pair, simplify) => {
	const keys = Object.keys(simplify({}));

	test('has the same fields whatever the record contains', () => {
		fc.assert(
			fc.property(fc.object({ maxDepth: 4 }), (record) => {
				expect(Object.keys(simplify(record as IDataObject))).toEqual(keys);
			}),
		);
	});

	// n8n's guideline for the output of verified nodes.
	test('ends with its id, and has at most ten fields', () => {
		expect(keys.at(-1)).toBe('id');
		expect(keys.length).toBeLessThanOrEqual(10);
	});
});
