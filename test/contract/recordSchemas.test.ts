import { type Form, readTable } from './table';
import { differencesFrom } from './recordSchemas';

/** The schemas for the responses of a path. */
const SCHEMAS: Array<[RegExp, string]> = [
	[/^\/v1\/flows$/, 'Flow'],
	[/^\/v1\/(?:flow-)?templates/, 'FlowTemplate'],
	[/^\/v1\/folders/, 'Folder'],
	[/^\/v1\/global-connections$/, 'GlobalConnection'],
	[/^\/v1\/(?:users\/projects|projects(?:\/[^/]+)?)$/, 'Project'],
	[/^\/v1\/queue-metrics/, 'QueueMetrics'],
	[/^\/v1\/user-invitations$/, 'UserInvitation'],
];

const SAMPLES: Record<string, unknown> = { string: 'text', number: 1, boolean: true, null: null };

/** A value with a form: what was recorded, without people's texts. */
function sampleOf(form: Form): unknown {
	if (typeof form === 'string') return SAMPLES[form];
	if (Array.isArray(form)) return form.map(sampleOf);
	return Object.fromEntries(Object.entries(form).map(([field, each]) => [field, sampleOf(each)]));
}

const rows = ['enterprise', 'community'].flatMap((table) => readTable(table));

const recordedAt = (pattern: RegExp): unknown[] =>
	rows.flatMap(({ path, status, item, fields, partial }) => {
		const form = item ?? fields;
		if (status !== 200 || typeof path !== 'string' || form === undefined || partial) return [];
		return pattern.test(path.replace(/^\/api|\/?(?:\?.*)?$/g, '')) ? [sampleOf(form)] : [];
	});

test.each(SCHEMAS)('every record that was recorded of %s fits the schema %s', (pattern, schema) => {
	const records = recordedAt(pattern);
	expect(records.length).toBeGreaterThan(0);
	expect(differencesFrom(schema, records)).toEqual({ wrong: [], unknown: [] });
});

const folder = { created: '', updated: '', displayName: '', projectId: '', numberOfFlows: 1 };
test.each([
	['Folder', [{ ...folder, id: 'a' }, folder, { ...folder, updated: 1 }], 'id is missing (2 of 3)'],
	['Folder', [{ ...folder, id: 'a', updated: 1 }, folder], 'updated must be string (1 of 2)'],
	['Folder', ['text'], 'the record must be object (1 of 1)'],
	['Flow', [{ version: { agentIds: ['a', 1] } }], 'version.agentIds[] must be string (1 of 1)'],
	['Flow', [{ version: { trigger: {} } }], 'version.trigger.name is missing (1 of 1)'],
])('a difference from %s in %j is reported once, by its path', (schema, records, told) => {
	expect(differencesFrom(schema, records).wrong).toContain(told);
});

test('fields that the contract does not have are reported by path, except in free-form objects', () => {
	const [flow] = recordedAt(SCHEMAS[0][0]) as Array<{ version: { trigger: object } }>;
	Object.assign(flow.version.trigger, { shade: 1, settings: { free: 1 } });
	expect(differencesFrom('Flow', [flow]).unknown).toEqual(['version.trigger.shade']);
});
