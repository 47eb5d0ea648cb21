import type { INodeParameters } from 'n8n-workflow';

import { flowFile } from './harness/flowFile';
import { useHostileServers } from './harness/hostile';
import { ALL_FLOWS, CONNECTIONS, FOLDER, ofRecord, parametersOf } from './harness/parameters';
import { FIRST_AND_LAST, byId, changesSent, useService } from './harness/service';

const rename = (id: unknown, displayName: string) => ofRecord('folder.update', id, { displayName });

const UNKNOWN = 'A'.repeat(21);
const NEW_NAME = { updateFields: { displayName: 'x' } };
const CONTENT = JSON.stringify(flowFile('x', { type: 'CODE', settings: {} }));

describe.each(FIRST_AND_LAST)('single records on release %s', (release) => {
	const context = useService({ release });

	test('Folder → Update sends nothing but the name, without the space around it, as JSON', async () => {
		const [, folder] = context.data.folders;
		const displayName = 'Ünï 🚀 <b>';
		const given = await context.record(rename(folder.id, ` ${displayName}\n`));
		expect(given).toMatchObject({ id: folder.id, name: displayName });
		await context.run(ofRecord('userInvitation.delete', 'nobody'));
		const [change, ...others] = context.requests;
		expect([change.method, change.body]).toEqual(['POST', { displayName }]);
		expect(change.headers['content-type']).toMatch(/^application\/json/);
		// GET and DELETE have neither a type nor a body.
		expect(new Set(others.map(({ method }) => method))).toEqual(new Set(['GET', 'DELETE']));
		for (const { headers, body } of others) {
			expect(headers).not.toHaveProperty('content-type');
			expect(body ?? undefined).toBeUndefined();
		}
	});

	test.each<[label: string, pair: string, more?: INodeParameters, field?: string]>([
		['Folder', 'folder.get'],
		['Folder', 'folder.update', { displayName: 'x' }],
		['Folder', 'folder.delete'],
		['Flow template', 'flowTemplate.delete', {}, 'Template'],
		['User invitation', 'userInvitation.delete', {}, 'Invitation'],
		['Flow', 'flow.get'],
		['Flow', 'flow.delete'],
		['Flow', 'flow.publish'],
		['Flow', 'flow.setStatus', { status: 'ENABLED' }],
		['Flow', 'flow.update', NEW_NAME],
		['Flow', 'flow.import', { mode: 'replace', content: CONTENT }],
		['Flow run', 'flowRun.get', {}, 'Flow Run'],
		['Flow run', 'flowRun.retry', {}, 'Flow Run'],
		['Flow run', 'flowRun.cancel', {}, 'Flow Run'],
		['Project', 'project.update', NEW_NAME],
	])('%s that does not exist is named with its field: %s', async (...row) => {
		const [label, pair, more, field] = row;
		const message = `${label} "${UNKNOWN}" was not found`;
		const says = new RegExp(`^Check ${field ?? label}\\. The `);
		const error = await context.failsWith(ofRecord(pair, UNKNOWN, more), message, says);
		expect(error.httpCode).toBe('404');
	});

	test.each([
		['Flow', 'flow.publish'],
		['Flow Run', 'flowRun.get'],
	])('%s "abc" is refused as an ID', async (label, pair) => {
		const message = `${label} must be an Activepieces ID, not "abc"`;
		await context.failsWith(ofRecord(pair, 'abc'), message);
		expect(changesSent(context)).toEqual([]);
	});
});

describe('IDs and names', () => {
	const context = useService();

	test.each([
		['Name', 'folder.create'],
		['New Name', 'folder.update'],
		['Name', 'flow.create'],
		['Name', 'project.create'],
	])('%s of %s is refused when all its characters are invisible', async (label, pair) => {
		const place = pair === 'folder.update' ? { folderId: byId('abc') } : { projectId: byId('abc') };
		const parameters = parametersOf(pair, { ...place, displayName: '={{ $json.name }}' });
		const invisible = ['', '   ', '\n', '\u200b', '\u2060\u200b', ' \u200b ', '\u200d'];
		for (const name of [...invisible, undefined]) {
			await context.refuses(parameters, `${label} is empty`, [], [{ name }]);
		}
	});

	test('a name from an expression may be a number, not true', async () => {
		const parameters = rename(context.data.folders[0].id, '={{ $json.name }}');
		await context.refuses(parameters, 'New Name must be text, not true', [], [{ name: true }]);
		await context.records(parameters, [{ name: 2026 }]);
		expect(context.requests[0].body).toEqual({ displayName: '2026' });
	});
});

describe('records that the service never sends', () => {
	const hostile = useHostileServers();
	/** The server's responses, by path */
	let answers: Record<string, unknown>;

	beforeEach(async () => {
		answers = {};
		await hostile.start((response, { url = '' }) => {
			const path = url.replace(/^\/api/, '').replace(/\?.*/, '');
			const answer = answers[path] ?? { data: [], next: null };
			const body = typeof answer === 'function' ? (answer as () => unknown)() : answer;
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		});
	});

	const records = async (parameters: INodeParameters) =>
		(await hostile.run(parameters)).items.map(({ json }) => json);
	const failure = async (parameters: INodeParameters, asTool = false) =>
		(await hostile.run(parameters, { asTool })).error!;
	const list = (data: unknown[], next: unknown = null) => ({ data, next });

	test('a flow with any number of branches is simplified', async () => {
		const children = new Array(200_000).fill({ settings: { pieceName: 'a' } });
		answers['/v1/projects'] = list([{ id: 'p' }]);
		answers['/v1/flows'] = list([{ id: 'f', version: { trigger: { children } } }]);
		expect(await records(ALL_FLOWS)).toEqual([expect.objectContaining({ id: 'f', pieces: ['a'] })]);
	});

	test.each([null, '', '  ', {}, true, 1.5])('the ID %j is that of another record', async (id) => {
		answers['/v1/folders/abc'] = { id, displayName: 'x' };
		const message = 'The response for the folder does not have the expected format';
		expect((await failure(FOLDER)).message).toBe(message);
	});

	test('IDs that are whole numbers are accepted, of a record and of a project', async () => {
		answers['/v1/folders/7'] = { id: 7, displayName: 'x' };
		expect(await records({ ...FOLDER, folderId: byId('7') })).toMatchObject([{ id: 7 }]);
		answers['/v1/projects'] = list([7, 1.5, null, '', ' ', {}].map((id) => ({ id })));
		answers['/v1/flows'] = list([{ id: 'f' }]);
		expect(await records(ALL_FLOWS)).toMatchObject([{ id: 'f' }]);
		const lists = hostile.server.requests.filter(({ path }) => path === 'GET /v1/flows');
		expect(lists).toHaveLength(1);
	});

	test('records without an ID are returned', async () => {
		const ids = ['', '', '', null, null, undefined, undefined, 'a', 'a', 0];
		answers['/v1/global-connections'] = list(ids.map((id) => ({ id })));
		expect(await records({ ...CONNECTIONS, returnAll: true })).toHaveLength(9);
	});
});
