import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { simplifyFlow } from '../../nodes/Activepieces/resources/flow/simplify';
import { simplifyTemplate } from '../../nodes/Activepieces/resources/flowTemplate/simplify';
import { simplifyConnection } from '../../nodes/Activepieces/resources/globalConnection/simplify';

const piece = (pieceName: string, more: IDataObject = {}): IDataObject => ({
	type: 'PIECE',
	settings: { pieceName },
	...more,
});

test('the pieces of a flow are collected through loops and routers', () => {
	const flow = {
		id: 'f',
		status: 'ENABLED',
		version: {
			displayName: 'Weekly',
			valid: true,
			connectionIds: ['c1'],
			trigger: {
				type: 'PIECE_TRIGGER',
				settings: { pieceName: 'schedule', triggerName: 'every_week' },
				nextAction: {
					type: 'LOOP_ON_ITEMS',
					settings: {},
					firstLoopAction: piece('slack'),
					nextAction: {
						type: 'ROUTER',
						children: [piece('gmail', { nextAction: { type: 'CODE' } }), null, piece('slack')],
					},
				},
			},
		},
	};
	expect(simplifyFlow(flow)).toMatchObject({
		name: 'Weekly',
		trigger: 'every_week',
		pieces: ['gmail', 'schedule', 'slack'],
		connections: ['c1'],
	});
});

test('a flow of ten thousand steps, each nested in the one before, is no matter', () => {
	let nextAction: IDataObject = piece('last');
	for (let step = 1; step < 10_000; step++) nextAction = { type: 'CODE', nextAction };
	const flow = { version: { trigger: { type: 'EMPTY', nextAction } } };
	expect(simplifyFlow(flow).pieces).toEqual(['last']);
});

test('templates of old and new releases have the same fields', () => {
	const old = simplifyTemplate({ id: 'a', name: 'A', tags: ['x', 'y'], template: { trigger: {} } });
	const later = simplifyTemplate({
		id: 'b',
		name: 'B',
		tags: [{ title: 'x', color: '#fff' }, { title: 'y' }],
		flows: [{}, {}],
	});
	expect(Object.keys(old)).toEqual(Object.keys(later));
	expect([old.tags, later.tags]).toEqual([
		['x', 'y'],
		['x', 'y'],
	]);
	expect([old.flowCount, later.flowCount]).toEqual([1, 2]);
});

test('a connection’s owner and flows are shortened to what a person looks at', () => {
	expect(
		simplifyConnection({
			id: 'c',
			displayName: 'Slack',
			owner: { email: 'a@b.test' },
			flowIds: ['1', '2'],
		}),
	).toMatchObject({ name: 'Slack', ownerEmail: 'a@b.test', flowCount: 2 });
});

describe.each([
	['flow', simplifyFlow],
	['template', simplifyTemplate],
	['connection', simplifyConnection],
])('a simplified %s', (_name, simplify) => {
	const keys = Object.keys(simplify({}));

	test('has the same fields whatever the record is like', () => {
		fc.assert(
			fc.property(fc.object({ maxDepth: 4 }), (record) => {
				expect(Object.keys(simplify(record as IDataObject))).toEqual(keys);
			}),
		);
	});

	// n8n's guideline for the output of verified nodes.
	test('begins with the id and has at most ten fields', () => {
		expect(keys[0]).toBe('id');
		expect(keys.length).toBeLessThanOrEqual(10);
	});
});
