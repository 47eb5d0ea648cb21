import { casesFor } from '../operations';
import { FIRST_AND_LAST } from '../service';
import { byId } from './harness/byId';
import { ALL_FLOWS, CONNECTIONS, FOLDER, ofRecord, parametersOf } from './harness/parameters';
import { requestPaths, useService } from './harness/service';

const rename = (id: unknown, displayName: string) => ofRecord('folder.update', id, { displayName });

const UNKNOWN = 'A'.repeat(21);

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

	// These look for it in a list.
	const ofUsers = release === '0.73' ? ['user.get', 'user.update'] : [];
	const IN_LISTS = ['connection.delete', 'project.delete', ...ofUsers];
	const ofOneRecord = casesFor(release).filter(
		({ locator, pair, resource: { locators = [] } }) =>
			!IN_LISTS.includes(pair) && locators.some(({ name }) => name === locator),
	);
	test.each(ofOneRecord)('$title: a record that is not there, with its field', async (each) => {
		const { name, locators: [{ displayName }] = [] } = each.resource;
		const message = `${name[0]}${name.slice(1).toLowerCase()} "${UNKNOWN}" was not found`;
		const says = new RegExp(`^Check ${displayName}\\. The `);
		const parameters = each.parameters(context.data, UNKNOWN);
		expect((await context.failsWith(parameters, message, says)).httpCode).toBe('404');
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
	const context = useService();
	const sends = (path: string, body: object) => context.fault({ path, kind: { body } });
	const sendsList = (path: string, data: unknown[]) => sends(path, { data, next: null });
	const sendsIds = (path: string, ids: unknown[]) => {
		const records = ids.map((id) => ({ id }));
		sendsList(path, records);
	};

	test('a flow with any number of branches is simplified', async () => {
		const children = new Array(200_000).fill({ settings: { pieceName: 'a' } });
		sendsList('/v1/projects', [{ id: 'p' }]);
		sendsList('/v1/flows', [{ id: 'f', version: { trigger: { children } } }]);
		const flow = expect.objectContaining({ id: 'f', pieces: ['a'] });
		expect(await context.records(ALL_FLOWS)).toEqual([flow]);
	});

	test.each([null, '', '  ', {}, true, 1.5])('the ID %j is that of another record', async (id) => {
		sends('/v1/folders/abc', { id, displayName: 'x' });
		const message = 'The response for the folder does not have the expected format';
		await context.failsWith(FOLDER, message);
	});

	test('IDs that are whole numbers are accepted, of a record and of a project', async () => {
		sends('/v1/folders/7', { id: 7, displayName: 'x' });
		expect(await context.record({ ...FOLDER, folderId: byId('7') })).toMatchObject({ id: 7 });
		sendsIds('/v1/projects', [7, 1.5, null, '', ' ', {}]);
		sendsIds('/v1/flows', ['f']);
		expect(await context.records(ALL_FLOWS)).toMatchObject([{ id: 'f' }]);
		expect(requestPaths(context).filter((path) => path === 'GET /v1/flows')).toHaveLength(1);
	});

	test('records without an ID are returned', async () => {
		sendsIds('/v1/global-connections', ['', '', '', null, null, undefined, undefined, 'a', 'a', 0]);
		expect(await context.records({ ...CONNECTIONS, returnAll: true })).toHaveLength(9);
	});
});
