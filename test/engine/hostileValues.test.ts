import type { INodeParameters } from 'n8n-workflow';

import { ALL_FLOWS, CONNECTIONS, FOLDER, INVITATION, RENAME, TEMPLATE } from './harness/parameters';
import { byId, useService } from './harness/service';
import { TriggerRun } from './harness/trigger';

/** Values that cannot be converted to text, or whose text nobody wants to read. */
const HOSTILE: Array<[string, string]> = [
	['{"toString": 1}', '={{ ({ toString: 1 }) }}'],
	['{"toString": null}', '={{ ({ toString: null }) }}'],
	['an object without prototype', '={{ Object.create(null) }}'],
	['a list of them', '={{ [{ toString: 1 }] }}'],
	['a symbol', '={{ Symbol("x") }}'],
	['a nested item', '={{ $input.item }}'],
	['200 kB of text', '={{ "x".repeat(200_000) }}'],
	['200 kB of text in a list', '={{ ["y", { a: "x".repeat(200_000) }] }}'],
];

const CREATE = { resource: 'folder', operation: 'create', displayName: 'x' };
const flow = (operation: string, id = 'abc') => ({ resource: 'flow', operation, flowId: byId(id) });
const INVITATIONS = { resource: 'userInvitation', operation: 'getAll' };
const RUNS = { resource: 'flowRun', operation: 'getAll' };

const OF_FIELDS: Array<[string, (value: string) => INodeParameters]> = [
	['Project', (value) => ({ ...ALL_FLOWS, projectId: byId(value) })],
	['Folder', (value) => ({ ...FOLDER, folderId: byId(value) })],
	['Return All', (value) => ({ ...CONNECTIONS, returnAll: value })],
	['Simplify', (value) => ({ ...CONNECTIONS, simplify: value })],
	['Limit', (value) => ({ ...CONNECTIONS, limit: value })],
	['Page Size', (value) => ({ ...CONNECTIONS, options: { pageSize: value } })],
	['Folder', (value) => ({ ...ALL_FLOWS, filters: { folderId: byId(value) } })],
	['Folder', (value) => ({ ...ALL_FLOWS, filters: { folderId: value } })],
	['Created After', (value) => ({ ...RUNS, filters: { createdAfter: value } })],
	['Flow Names or IDs', (value) => ({ ...RUNS, filters: { flowIds: value } })],
	['Older Than', (value) => ({ ...INVITATIONS, filters: { olderThanDays: value } })],
	['Type', (value) => ({ ...INVITATIONS, type: value })],
	['Status', (value) => ({ ...flow('setStatus'), status: value })],
	['If Folder Exists', (value) => ({ ...CREATE, projectId: byId('abc'), ifExists: value })],
];

const OF_TEXT_FIELDS: typeof OF_FIELDS = [
	['New Name', (value) => ({ ...RENAME, displayName: value })],
	['Name', (value) => ({ ...ALL_FLOWS, filters: { name: value } })],
	['Status', (value) => ({ ...ALL_FLOWS, filters: { status: value } })],
	['Flow Names or IDs', (value) => ({ ...ALL_FLOWS, filters: { externalIds: value } })],
];

describe('an invalid value', () => {
	const context = useService();
	const { failure } = context;

	const casesOf = (fields: typeof OF_FIELDS, values = HOSTILE) =>
		fields.flatMap(([label, parameters]) =>
			values.map(([what, value]) => [label, what, parameters(value)] as const),
		);

	test.each([
		...casesOf(OF_FIELDS),
		// Any text is valid for these.
		...casesOf(
			OF_TEXT_FIELDS,
			HOSTILE.filter(([what]) => what !== '200 kB of text'),
		),
	])('%s, %s: the message is ours, short, and names the field', async (l, _w, p) => {
		const error = await failure(p);
		expect(error.message).toContain(l);
		expect(error.message.length).toBeLessThan(250);
		expect(`${error.message} ${error.description}`).not.toMatch(
			/primitive value|Symbol|\[object|convert|is not a function/,
		);
		expect(error.description).toContain('Nothing was sent');
		expect(context.requests).toEqual([]);
	});

	test.each([
		...HOSTILE.filter(([what]) => !what.startsWith('200 kB')),
		['true', '={{ true }}'],
		['a list', '={{ ["abc"] }}'],
		['an empty list', '={{ [] }}'],
		['an object', '={{ ({ id: "abc" }) }}'],
		['NaN', '={{ NaN }}'],
		['Infinity', '={{ Infinity }}'],
		['a fraction', '={{ 1.5 }}'],
		['a number that is not exact', '={{ 1e21 }}'],
		['the text undefined', '={{ `${$json.missing}` }}'],
		['the text null', '={{ String(null) }}'],
		['the text of an object', '={{ String({}) }}'],
	])('%s must be an ID', async (what, value) => {
		for (const [label, parameters] of [
			['Folder', { ...FOLDER, folderId: byId(value) }],
			['Folder', { ...RENAME, folderId: byId(value) }],
			['Template', { ...TEMPLATE, templateId: byId(value) }],
			['Invitation', { ...INVITATION, invitationId: byId(value) }],
			['Flow', flow('publish', value)],
			['Project', { ...CREATE, projectId: byId(value) }],
			['Project', { ...ALL_FLOWS, projectId: byId(value) }],
			['Project', { ...INVITATIONS, type: 'PROJECT', projectId: byId(value) }],
			['Project', { resource: 'folder', operation: 'getAll', projectId: byId(value) }],
		] as Array<[string, INodeParameters]>) {
			// Project may be empty, so the message says what an expression gives for it.
			const isNothing = label === 'Project' && what === 'an empty list';
			expect((await failure(parameters)).message).toBe(
				isNothing ? 'The expression in Project returns no value' : `${label} must be an ID`,
			);
		}
		expect(context.requests).toEqual([]);
	});

	test.each(['={{ $json.missing }}', '={{ null }}'])('%s is refused as an ID', async (value) => {
		expect((await failure({ ...FOLDER, folderId: byId(value) })).message).toBe('Folder is empty');
		expect((await failure({ ...CREATE, projectId: byId(value) })).message).toBe(
			'The expression in Project returns no value',
		);
		expect(context.requests).toEqual([]);
	});

	// Those of other IDs are in unit/pathSegment.test.ts.
	test('invisible characters are removed from the values of a list', async () => {
		const [{ id }] = context.data.projects;
		const filters = { folderId: 'NU\u00adLL', externalIds: 'a\u200bb, c\u2060' };
		await context.records({ ...ALL_FLOWS, projectId: byId(`\u2060${id}`), filters });
		const query = { projectId: id, folderId: 'NULL', externalIds: ['ab', 'c'] };
		expect(context.requests.at(-1)?.query).toMatchObject(query);
	});

	test('a name keeps characters that join others', async () => {
		const family = '\u{1F468}\u200d\u{1F469}';
		await context.records({ ...ALL_FLOWS, filters: { name: family } });
		expect(context.requests.at(-1)?.query.name).toBe(family);
	});

	test('Limit at the maximum is accepted', async () => {
		const parameters = { ...CONNECTIONS, limit: 100_000, options: { pageSize: 100_000 } };
		expect(await context.records(parameters)).toHaveLength(context.data.connections.length);
	});

	const ofTrigger = HOSTILE.filter(([what]) => what !== 'a nested item');
	test.each(ofTrigger)('%s is refused by the trigger too', async (what, value) => {
		for (const [label, parameters] of [
			['Project', { event: 'flowCreated', projectId: byId(value) }],
			['Statuses', { event: 'flowRunFailed', statuses: value }],
			['Threshold', { event: 'queueBacklog', threshold: value }],
			['Clear At', { event: 'queueBacklog', options: { clearAt: value } }],
			['Metric', { event: 'queueBacklog', metric: value }],
			['Lookback', { event: 'flowRunFailed', options: { lookbackHours: value } }],
			['Lookback', { event: 'flowRunSucceeded', options: { lookbackHours: value } }],
			['Max Items', { event: 'flowCreated', options: { maxItems: value } }],
		] as Array<[string, INodeParameters]>) {
			if (label === 'Statuses' && what === '200 kB of text') continue;
			const activated = new TriggerRun(context, parameters).activate();
			const message = await activated.catch(({ message }: Error) => message);
			expect(message).toContain(label);
			expect(message).not.toMatch(/primitive value|Symbol|convert/);
			expect(message?.length).toBeLessThan(250);
		}
	});
});
