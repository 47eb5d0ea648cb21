import { type Form, readTable } from '../contract/table';
import { compareWithContract } from './contract';

const TABLES = ['enterprise', 'community'];

/** Which schema the answers of a path have to fit. */
const SCHEMAS: Array<[RegExp, string]> = [
	[/^\/v1\/flow-templates/, 'FlowTemplate'],
	[/^\/v1\/templates/, 'FlowTemplate'],
	[/^\/v1\/flows$/, 'Flow'],
	[/^\/v1\/folders/, 'Folder'],
	[/^\/v1\/global-connections$/, 'GlobalConnection'],
	[/^\/v1\/projects(?:\/[^/]+)?$/, 'Project'],
	[/^\/v1\/users\/projects$/, 'Project'],
	[/^\/v1\/queue-metrics/, 'QueueMetrics'],
	[/^\/v1\/user-invitations$/, 'UserInvitation'],
];

const SAMPLES: Record<string, unknown> = { string: 'text', number: 1, boolean: true, null: null };

/** A value of a form: what was recorded, without what people wrote in it. */
function sampleOf(form: Form): unknown {
	if (typeof form === 'string') return SAMPLES[form];
	if (Array.isArray(form)) return form.map(sampleOf);
	return Object.fromEntries(Object.entries(form).map(([field, each]) => [field, sampleOf(each)]));
}

/** The recorded records of a table, with the schema of each. */
function recordsOf(table: string) {
	return readTable(table).flatMap(({ n, path, status, item, fields, partial }) => {
		const form = item ?? fields;
		if (status !== 200 || typeof path !== 'string' || form === undefined || partial) return [];
		const bare = path
			.replace(/^\/api/, '')
			.split('?')[0]
			.replace(/\/$/, '');
		const schema = SCHEMAS.find(([pattern]) => pattern.test(bare))?.[1];
		return schema === undefined ? [] : [{ n, schema, record: sampleOf(form) }];
	});
}

test.each(TABLES)('every record that was recorded fits the contract: %s', (table) => {
	const records = recordsOf(table);
	expect(records.length).toBeGreaterThan(5);
	const differing = records
		.map(({ n, schema, record }) => ({ n, schema, ...compareWithContract(schema, [record]) }))
		.filter(({ wrong, unknown }) => wrong.length + unknown.length > 0);
	expect(differing).toEqual([]);
});

test('each schema is held against a recorded record', () => {
	const seen = new Set(TABLES.flatMap(recordsOf).map(({ schema }) => schema));
	expect([...seen].sort()).toEqual([...new Set(SCHEMAS.map(([, schema]) => schema))].sort());
});

describe('differences', () => {
	const folder = {
		id: 'a',
		created: '',
		updated: '',
		displayName: '',
		projectId: '',
		numberOfFlows: 1,
	};

	test('are told once with how many records have them', () => {
		const nameless = { ...folder, id: undefined };
		expect(compareWithContract('Folder', [folder, nameless, { ...nameless, updated: 1 }])).toEqual({
			wrong: ['id is missing (2 of 3)', 'updated must be string (1 of 3)'],
			unknown: [],
		});
	});

	test('of lists and nested records are told by their path', () => {
		const version = { id: 'v', agentIds: ['a', 1], trigger: { shade: 1, settings: { free: 1 } } };
		const { wrong, unknown } = compareWithContract('Flow', [{ id: 'a', version }]);
		expect(wrong).toContain('version.agentIds[] must be string (1 of 1)');
		expect(wrong).toContain('version.trigger.name is missing (1 of 1)');
		expect(unknown).toEqual(['version.trigger.shade']);
	});

	test('are not looked for in what is no record', () => {
		expect(compareWithContract('Folder', ['text']).wrong).toEqual([
			'the record must be object (1 of 1)',
		]);
	});
});
