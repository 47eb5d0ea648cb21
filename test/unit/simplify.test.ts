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

test('a flow’s steps are counted through loops and routers, and its pieces are collected', () => {
	const flow = {
		id: 'f',
		status: 'ENABLED',
		publishedVersionId: 'v',
		triggerSource: {
			schedule: { type: 'CRON_EXPRESSION', cronExpression: '0 8 * * 1', timezone: 'Europe/Berlin' },
		},
		version: {
			displayName: 'Weekly',
			state: 'LOCKED',
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
		published: true,
		triggerPiece: 'schedule',
		triggerName: 'every_week',
		schedule: '0 8 * * 1',
		timezone: 'Europe/Berlin',
		stepCount: 6,
		pieces: ['gmail', 'schedule', 'slack'],
		connections: ['c1'],
	});
});

test('a flow of ten thousand steps, each nested in the one before, is no matter', () => {
	let nextAction: IDataObject = piece('last');
	for (let step = 1; step < 10_000; step++) nextAction = { type: 'CODE', nextAction };
	expect(simplifyFlow({ version: { trigger: { type: 'EMPTY', nextAction } } }).stepCount).toBe(
		10_000,
	);
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

test.each([
	['flow', simplifyFlow],
	['template', simplifyTemplate],
	['connection', simplifyConnection],
])('any record at all simplifies to the same keys: %s', (_name, simplify) => {
	const keys = Object.keys(simplify({}));
	fc.assert(
		fc.property(fc.object({ maxDepth: 4 }), (record) => {
			expect(Object.keys(simplify(record as IDataObject))).toEqual(keys);
		}),
	);
});
