import { RECORDED_RELEASES } from '../service/index';
import { entriesOf, isObject, type Json } from './har';
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

const SAMPLES: Record<string, unknown> = { '…string': 'text', '…number': 1, '…boolean': true };

/** A recorded body with a value of each type in place of `…string` and so on. */
const sampleOf = (text: string): Json =>
	JSON.parse(text, (_, value: unknown) =>
		Array.isArray(value)
			? value.filter((each) => !String(each).startsWith('…'))
			: (SAMPLES[String(value)] ?? value),
	) as Json;

const entries = (['enterprise', 'community'] as const).flatMap((edition) =>
	RECORDED_RELEASES.flatMap((release) => entriesOf(edition, release)),
);

const recordedAt = (pattern: RegExp): Json[] =>
	entries.flatMap(({ pageref, request: { url }, response: { status, content } }) => {
		const path = url.replace(/^http:\/\/127\.0\.0\.1\/api|\/?(?:\?.*)?$/g, '');
		const { text = '' } = content;
		if (pageref !== 'f' || status !== 200 || !pattern.test(path) || !text.includes('…')) return [];
		const body = sampleOf(text);
		const records = isObject(body) && Array.isArray(body.data) ? body.data : [body];
		// Of some records only the name was kept.
		return records.filter((record) => isObject(record) && !('…' in record));
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
