import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { cases } from '../operations';
import { byId } from './harness/byId';
import { ALL_FLOWS, CONNECTIONS, ofRecord, parametersOf, put, RENAME } from './harness/parameters';
import { requestPaths, requestUrls, useService } from './harness/service';
import { TriggerRun } from './harness/trigger';

const ALL_CONNECTIONS: INodeParameters = { ...CONNECTIONS, returnAll: true };
const RUNS = parametersOf('flowRun.getAll', { returnAll: true });
const INVITATIONS = parametersOf('userInvitation.getAll', { returnAll: true });
const CREATE = parametersOf('folder.create', { displayName: 'x' });

describe('filters', () => {
	const context = useService({ data: { projects: 1, flows: 60, connections: 60, templates: 12 } });

	test('every filter of flows is sent under its name, lists as repeated keys, on every page', async () => {
		const texts = { agentExternalIds: 'agent-1', name: 'flow & co', versionState: 'DRAFT' };
		const lists = { connectionExternalIds: 'conn-1, conn-2', externalIds: 'ext-1, ext-2 ,, ext-3' };
		const status = ['ENABLED', 'DISABLED'];
		// Left over from another resource.
		const others = { runStatus: ['FAILED'] };
		const filters = { ...texts, ...lists, status, folderId: ' NULL ', ...others };
		const [{ id }] = context.data.projects;
		const options = { pageSize: 1 };
		await context.records({ ...ALL_FLOWS, projectId: byId(` ${id}\n`), options, filters });
		// Others are for the lists in which names are looked for.
		const request = context.requests.find(({ query }) => query.name !== undefined)!;
		expect(request.url).toContain('externalIds=ext-1&externalIds=ext-2');
		expect(request.query).toEqual({
			...{ ...texts, status, folderId: 'NULL', projectId: id, limit: '1' },
			connectionExternalIds: ['conn-1', 'conn-2'],
			externalIds: ['ext-1', 'ext-2', 'ext-3'],
		});
	});

	test('a list from an expression is not split, so that values may contain commas, and its empty entries are left out', async () => {
		const filters = { tags: '={{ $json.tags }}', search: 'x', pieces: ' , ' };
		const tags = ['sales, EU', undefined, null, ' weekly '] as never;
		await context.records(parametersOf('flowTemplate.getAll', { filters }), [{ tags }]);
		const { query } = context.requests.at(-1)!;
		expect(query).toMatchObject({ tags: ['sales, EU', 'weekly'], search: 'x' });
		expect(query).not.toHaveProperty('pieces');
	});

	test('invisible characters are removed from lists, but not from a name that needs them', async () => {
		const [{ id }] = context.data.projects;
		const projectId = byId('={{ "\u2060" + $json.id }}');
		const name = '\u{1F468}\u200d\u{1F469}';
		const filters = { folderId: 'NU\u00adLL', externalIds: 'a\u200bb, c\u2060', name };
		await context.records({ ...ALL_FLOWS, projectId, filters }, [{ id }]);
		const query = { projectId: id, folderId: 'NULL', externalIds: ['ab', 'c'], name };
		expect(context.requests.at(-1)?.query).toMatchObject(query);
	});
});

/** Expressions without a result. */
const NOTHINGS = ['{{ undefined }}', '{{ null }}', '{{ [] }}', '{{ [undefined, null, ""] }}'];

/** Every field that filters a list when it has a value: the list, the label, and parameters with a value. */
const NARROWING = cases
	.filter(({ isList, pair }) => isList && !/^table|Versions$/.test(pair))
	.flatMap(({ pair, operation: { properties } }) => {
		// Project invitations have all filters of invitations.
		const ofProjects = pair.startsWith('userInvitation') ? { type: 'PROJECT' } : {};
		const list = parametersOf(pair, { returnAll: true, ...ofProjects });
		const filters = properties.find(({ name }) => name === 'filters')?.options ?? [];
		const fields = [
			...properties.filter(({ name }) => name === 'projectId'),
			...(filters as INodeProperties[]),
		];
		return fields.map((field) => ({
			pair,
			displayName: field.displayName,
			type: field.type,
			list,
			withValue(value: string): INodeParameters {
				const given = { [field.name]: field.type === 'resourceLocator' ? byId(value) : value };
				return { ...list, ...(properties.includes(field) ? given : { filters: given }) };
			},
		}));
	});

describe('a field that narrows a list', () => {
	const context = useService({
		data: { projects: 2, flows: 6, flowRuns: 4, connections: 4, invitations: 6, templates: 3 },
	});

	const { refuses } = context;

	// An expression without a result is refused, and an empty field filters nothing.
	test.each(NARROWING)('$pair: $displayName', async ({ displayName, list, withValue }) => {
		const message = `The expression in ${displayName} returns no value`;
		await refuses(withValue('={{ $json.missing }}'), message, 'Nothing was sent');
		const wanted = await context.records(list);
		expect(wanted).not.toEqual([]);
		const urls = requestUrls(context).sort();
		context.clearRequests();
		expect(await context.records(withValue(''))).toEqual(wanted);
		// The path of a list in a release is looked up once and then known.
		const sent = requestUrls(context);
		expect(sent).not.toEqual([]);
		expect(sent.filter((url) => !urls.includes(url))).toEqual([]);
	});

	const OF_EACH_TYPE = NARROWING.filter(
		({ type }, at, all) => at === all.findIndex((other) => other.type === type),
	);
	test.each(OF_EACH_TYPE)('of the type $type, written in any way', async (field) => {
		const { displayName, list, withValue } = field;
		const message = `The expression in ${displayName} returns no value`;
		for (const nothing of [...NOTHINGS, ' {{ $json.missing }}']) {
			await refuses(withValue(`=${nothing}`), message, 'Nothing was sent');
		}
		// n8n's router evaluates it in another way.
		const missing = withValue('={{ $json.missing }}');
		await refuses(missing, message, 'Nothing was sent', { isRouted: true });
		const wanted = await context.records(list);
		for (const empty of ['  ', '={{ "" }}']) {
			expect(await context.records(withValue(empty))).toEqual(wanted);
		}
	});

	test.each([
		[ALL_FLOWS, 'status'],
		[ALL_FLOWS, 'externalIds'],
		[RUNS, 'runStatus'],
		[RUNS, 'flowIds'],
		[ALL_CONNECTIONS, 'connectionStatus'],
	])('%j: a multiple choice without a choice filters nothing', async (parameters, name) => {
		const wanted = await context.records(parameters);
		const added = { ...parameters, filters: { [name]: [] } };
		expect(await context.records(added)).toEqual(wanted);
		expect(await context.records(added, { isRouted: true })).toEqual(wanted);
	});

	test('an empty list in a text field was written by a program or an expression: it is refused', async () => {
		for (const tags of [[], '={{ " , " }}']) {
			await refuses({ ...RUNS, filters: { tags } }, 'The expression in Tags returns no value');
		}
	});

	test('an expression for all of Project, also without the mode, is refused as well', async () => {
		for (const projectId of ['={{ $json.missing }}', '={{ null }}', '={{ [] }}']) {
			const message = 'The expression in Project returns no value';
			await refuses({ ...ALL_FLOWS, projectId }, message);
			await refuses({ ...CREATE, projectId: byId(projectId) }, message);
		}
		await refuses(ofRecord('folder.get', '={{ null }}'), 'Folder is empty');
		const parent = ofRecord('flowRun.get', '..');
		await refuses(parent, 'Flow Run is "..", which is not an ID', 'Choose the flow run');
	});
});

/** The collections of an operation, with the path of each: those within another one as well. */
function collectionsIn(fields: INodeProperties[], path: string[] = []): string[][] {
	return fields.flatMap(({ name, type, options = [] }) => {
		const own = [...path, name];
		if (type === 'fixedCollection') return [own];
		return type === 'collection' ? [own, ...collectionsIn(options as INodeProperties[], own)] : [];
	});
}

/** Every collection, except those that must have an entry, and of an operation that finds nothing when it runs again */
const COLLECTIONS = cases
	.filter(({ title }) => !title.endsWith('Delete by Condition'))
	.flatMap((each) =>
		collectionsIn(each.operation.properties)
			.filter(([name]) => name !== 'updateFields' && name !== 'conditions')
			.map((path) => ({
				each,
				path,
				name: path.at(-1),
				title: `${each.title}: ${path.join(' > ')}`,
			})),
	);

// n8n's newer editor saves {} or [] for a collection that was added and left empty.
describe('a collection without entries is as if it was not there', () => {
	const context = useService({ data: { flowRuns: 40 } });
	const { run } = context;

	test.each(COLLECTIONS)('$title', async ({ each, path, name }) => {
		const parameters = () => each.parameters(context.data);
		const { items: wanted } = await run(parameters());
		for (const empty of [{}, [], ...(name === 'conditions' ? [{ condition: [] }] : [])]) {
			const isRouted = Array.isArray(empty);
			const { items, error } = await run(put(parameters(), path, empty), { isRouted });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(wanted.length);
		}
	});
});

describe('Limit, Page Size and switches', () => {
	const context = useService();

	test.each([
		['Limit', { returnAll: false, limit: 0 }, 'a whole number of 1 or more'],
		['Limit', { returnAll: false, limit: 2.5 }, 'a whole number of 1 or more'],
		['Limit', { returnAll: false, limit: '={{ "many" }}' }, 'a whole number of 1 or more'],
		['Limit', { returnAll: false, limit: 100_001 }, 'a whole number of 100000 or less, not'],
		['Page Size', { options: { pageSize: 0 } }, 'a whole number of 1 or more'],
		['Page Size', { options: { pageSize: 100_001 } }, 'a whole number of 100000 or less, not'],
	])('%s %j is refused before anything is sent', async (label, parameters, words) => {
		const given = { ...ALL_FLOWS, ...parameters } as INodeParameters;
		await context.refuses(given, new RegExp(`${label} must be ${words}`), 'Nothing was sent');
	});

	test('may be text, and the maximum is accepted', async () => {
		const all = { returnAll: '={{ "true" }}', simplify: '={{ "false" }}' };
		const records = await context.records({ ...CONNECTIONS, ...all });
		expect(records).toHaveLength(context.data.connections.length);
		expect(records[0]).toHaveProperty('displayName');
		expect(await context.records({ ...CONNECTIONS, limit: '={{ "3" }}' })).toHaveLength(3);
		const most = { returnAll: false, limit: 100_000, options: { pageSize: 100_000 } };
		const flows = await context.records({ ...ALL_FLOWS, ...most });
		expect(flows).toHaveLength(context.data.flows.length);
	});
});

/** Values that cannot be converted to text, or whose text nobody wants to read. */
const HOSTILE: Array<[string, string]> = [
	['{"toString": null}', '={{ ({ toString: null }) }}'],
	['an object without prototype', '={{ Object.create(null) }}'],
	['a list of them', '={{ [{ toString: 1 }] }}'],
	['a symbol', '={{ Symbol("x") }}'],
	['a nested item', '={{ $input.item }}'],
	['200 kB of text', '={{ "x".repeat(200_000) }}'],
	['200 kB of text in a list', '={{ ["y", { a: "x".repeat(200_000) }] }}'],
];
/** Any text is valid for some fields. */
const NO_TEXT = HOSTILE.filter(([what]) => what !== '200 kB of text');

type Field = [label: string, (value: string) => INodeParameters, values?: typeof HOSTILE];

const FIELDS: Field[] = [
	['Project', (value) => ({ ...ALL_FLOWS, projectId: byId(value) })],
	['Folder', (value) => ofRecord('folder.get', value)],
	['Limit', (value) => ({ ...CONNECTIONS, limit: value })],
	['Folder', (value) => ({ ...ALL_FLOWS, filters: { folderId: value } })],
	['Created After', (value) => ({ ...RUNS, filters: { createdAfter: value } })],
	['Flow Names or IDs', (value) => ({ ...RUNS, filters: { flowIds: value } })],
	['Older Than', (value) => ({ ...INVITATIONS, filters: { olderThanDays: value } })],
	['Status', (status) => ofRecord('flow.setStatus', 'abc', { status })],
	['New Name', (value) => ({ ...RENAME, displayName: value }), NO_TEXT],
	['Name', (value) => ({ ...ALL_FLOWS, filters: { name: value } }), NO_TEXT],
	['Status', (value) => ({ ...ALL_FLOWS, filters: { status: value } }), NO_TEXT],
	['Flow Names or IDs', (value) => ({ ...ALL_FLOWS, filters: { externalIds: value } }), NO_TEXT],
];

/** Ends of messages that JavaScript makes. */
const NOT_OURS = /primitive value|Symbol|\[object|convert|is not a function/;

describe('an invalid value', () => {
	const context = useService();
	const { failure, failsWith } = context;

	test.each(FIELDS)('of %s: the message is ours, short, and names it', async (label, ...field) => {
		const [parameters, values = HOSTILE] = field;
		for (const [, value] of values) {
			const error = await failure(parameters(value));
			expect(error.message).toContain(label);
			expect(error.message.length).toBeLessThan(250);
			expect(`${error.message} ${error.description}`).not.toMatch(NOT_OURS);
			expect(error.description).toContain('Nothing was sent');
		}
		expect(context.requests).toEqual([]);
	});

	const IDS: Array<[string, (id: string) => INodeParameters]> = [
		['Folder', (id) => ofRecord('folder.get', id)],
		['Flow', (id) => ofRecord('flow.publish', id)],
		['Project', (id) => ({ ...CREATE, projectId: byId(id) })],
		['Project', (id) => ({ ...ALL_FLOWS, projectId: byId(id) })],
	];

	test.each([
		...HOSTILE.filter(([what]) => !what.startsWith('200 kB')),
		['true', '={{ true }}'],
		['a list', '={{ ["abc"] }}'],
		['an empty list', '={{ [] }}'],
		['an object', '={{ ({ id: "abc" }) }}'],
		['NaN', '={{ NaN }}'],
		['a fraction', '={{ 1.5 }}'],
		['a number that is not exact', '={{ 1e21 }}'],
		['the text undefined', '={{ `${$json.missing}` }}'],
		['the text null', '={{ String(null) }}'],
		['the text of an object', '={{ String({}) }}'],
	])('%s must be an ID', async (what, value) => {
		for (const [label, parameters] of IDS) {
			// Project may be empty, so the message says what an expression gives for it.
			const isNothing = label === 'Project' && what === 'an empty list';
			const nothing = 'The expression in Project returns no value';
			const says = label === 'Project' ? 'leave' : /enter its ID\. Nothing was sent\.$/;
			await failsWith(parameters(value), isNothing ? nothing : `${label} must be an ID`, says);
		}
		expect(context.requests).toEqual([]);
	});
});

describe('the trigger', () => {
	const context = useService({ data: { projects: 2, flows: 4, flowRuns: 4 } });

	const activate = async (parameters: INodeParameters) =>
		await new TriggerRun(context, parameters).activate();
	const backlog = (more: INodeParameters) => ({ event: 'queueBacklog', ...more });
	const failed = (more: INodeParameters) => ({ event: 'flowRunFailed', ...more });

	test.each([
		['Project', 'projectId'],
		['Flow', 'flowId'],
	])('%s: nothing is refused, and an empty field means all', async (label, name) => {
		const message = `The expression in ${label} returns no value`;
		for (const nothing of [...NOTHINGS, ' {{ undefined }}']) {
			await expect(activate(failed({ [name]: byId(`=${nothing}`) }))).rejects.toThrow(message);
		}
		expect(context.requests).toEqual([]);
		await activate(failed({ [name]: byId('') }));
		expect(requestPaths(context)).toContain('GET /v1/projects');
	});

	const NO_THRESHOLD = ['', '={{ "" }}', '={{ null }}', '  ', '={{ [] }}', '={{ false }}'];
	const NO_NUMBER = 'Threshold must be a whole number of 0 or more';
	const EMPTY: Record<string, INodeParameters[]> = {
		'No status is chosen': NOTHINGS.map((nothing) => failed({ statuses: `=${nothing}` })),
		'The expression in Clear At returns no value': NOTHINGS.map((nothing) =>
			backlog({ threshold: 5, options: { clearAt: `=${nothing}` } }),
		),
		[NO_NUMBER]: NO_THRESHOLD.map((threshold) => backlog({ threshold })),
	};
	test.each(Object.entries(EMPTY))('%s: nothing is sent', async (message, given) => {
		for (const parameters of given) await expect(activate(parameters)).rejects.toThrow(message);
		expect(requestPaths(context)).toEqual([]);
	});

	test.each([0, '0', '={{ "0" }}', 7])('Threshold %j is accepted', async (threshold) => {
		await activate(backlog({ threshold }));
		expect(requestPaths(context)).not.toEqual([]);
	});

	test.each([{}, []])('Options %j is as if it was not there', async (empty) => {
		for (const event of ['queueBacklog', 'flowRunFailed', 'flowCreated', 'platformEvent']) {
			await activate({ event, options: empty as INodeParameters });
		}
		expect(requestPaths(context)).not.toEqual([]);
	});
});
