import { type Form, readTable } from '../contract/table';
import { compareWithContract } from './contract';

/** Which schema the answers of a path have to fit. */
const SCHEMAS: Array<[RegExp, string]> = [
	[/^\/v1\/(?:flow-)?templates/, 'FlowTemplate'],
	[/^\/v1\/flows$/, 'Flow'],
	[/^\/v1\/folders/, 'Folder'],
	[/^\/v1\/global-connections$/, 'GlobalConnection'],
	[/^\/v1\/(?:users\/projects|projects(?:\/[^/]+)?)$/, 'Project'],
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

/** The recorded records, with the schema of each. */
const records = ['enterprise', 'community'].flatMap((table) =>
	readTable(table).flatMap(({ n, path, status, item, fields, partial }) => {
		const form = item ?? fields;
		if (status !== 200 || typeof path !== 'string' || form === undefined || partial) return [];
		const bare = path.replace(/^\/api|\/?(?:\?.*)?$/g, '');
		const schema = SCHEMAS.find(([pattern]) => pattern.test(bare))?.[1];
		return schema === undefined ? [] : [{ table, n, schema, record: sampleOf(form) }];
	}),
);

test.each(SCHEMAS)('every record that was recorded of %s fits the schema %s', (_path, schema) => {
	const ofSchema = records.filter((each) => each.schema === schema);
	expect(ofSchema.length).toBeGreaterThan(0);
	const differing = ofSchema
		.map(({ record, ...row }) => ({ ...row, ...compareWithContract(schema, [record]) }))
		.filter(({ wrong, unknown }) => wrong.length + unknown.length > 0);
	expect(differing).toEqual([]);
});

describe('differences', () => {
	const texts = { created: '', updated: '', displayName: '', projectId: '' };
	const nameless = { ...texts, numberOfFlows: 1 };

	test('are told once with how many records have them', () => {
		const folders = [{ ...nameless, id: 'a' }, nameless, { ...nameless, updated: 1 }];
		expect(compareWithContract('Folder', folders)).toEqual({
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
		const { wrong } = compareWithContract('Folder', ['text']);
		expect(wrong).toEqual(['the record must be object (1 of 1)']);
	});
});
