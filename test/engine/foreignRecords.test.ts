import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useHostileServers } from './harness/hostile';
import { ALL_FLOWS, CONNECTIONS, FOLDER, METRICS, parametersOf } from './harness/parameters';
import { byId } from './harness/byId';

const hostile = useHostileServers();
/** The server's responses, by path */
let answers: Record<string, unknown>;
let headers: Record<string, string>;

beforeEach(async () => {
	answers = {};
	headers = {};
	await hostile.start((response, { url = '' }) => {
		const path = url.replace(/^\/api/, '').replace(/\?.*/, '');
		const answer = answers[path] ?? { data: [], next: null };
		response
			.writeHead(answer === 404 ? 404 : 200, { 'content-type': 'application/json', ...headers })
			.end(JSON.stringify(typeof answer === 'function' ? (answer as () => unknown)() : answer));
	});
});

const records = async (parameters: INodeParameters) =>
	(await hostile.run(parameters)).items.map(({ json }) => json);
const failure = async (parameters: INodeParameters, asTool = false) =>
	(await hostile.run(parameters, { asTool })).error!;
const list = (data: unknown[], next: unknown = null) => ({ data, next });

test('counters of queues that are not numbers are ignored', async () => {
	answers['/v1/worker-machines/queue-metrics/prometheus'] = 404;
	answers['/v1/queue-metrics'] = {
		queues: [
			{ waiting: { toString: 1, valueOf: 1 }, active: '3' },
			{ waiting: 2, active: [] },
		],
	};
	const [{ stats }] = await records(METRICS);
	expect(stats).toEqual({ waiting: 2, active: 3 });
});

test('a flow with any number of branches is simplified', async () => {
	const children = new Array(200_000).fill({ settings: { pieceName: 'a' } });
	const flow = { id: 'f', version: { trigger: { children } } };
	answers['/v1/projects'] = list([{ id: 'p' }]);
	answers['/v1/flows'] = list([flow]);
	expect(await records(ALL_FLOWS)).toEqual([expect.objectContaining({ id: 'f', pieces: ['a'] })]);
});

test.each([null, '', '  ', {}, true, 1.5])(
	'a record with the ID %j is refused as another record',
	async (id) => {
		answers['/v1/folders/abc'] = { id, displayName: 'x' };
		expect((await failure(FOLDER)).message).toBe(
			'The response for the folder does not have the expected format',
		);
	},
);

test('a record whose ID is a whole number is accepted', async () => {
	answers['/v1/folders/7'] = { id: 7, displayName: 'x' };
	expect(await records({ ...FOLDER, folderId: byId('7') })).toEqual([
		expect.objectContaining({ id: 7 }),
	]);
});

test('the records of a project whose ID is a whole number are listed', async () => {
	answers['/v1/projects'] = list([7, 1.5, null, '', ' ', {}].map((id) => ({ id })));
	answers['/v1/flows'] = list([{ id: 'f' }]);
	expect(await records(ALL_FLOWS)).toEqual([expect.objectContaining({ id: 'f' })]);
	expect(hostile.server.requests.filter(({ path }) => path === 'GET /v1/flows')).toHaveLength(1);
});

test('records without an ID are returned', async () => {
	const ids = ['', '', '', null, null, undefined, undefined, 'a', 'a', 0];
	answers['/v1/global-connections'] = list(ids.map((id) => ({ id })));
	expect(await records({ ...CONNECTIONS, returnAll: true })).toHaveLength(9);
});

test('a list whose cursors have megabytes cannot be read', async () => {
	let page = 0;
	answers['/v1/global-connections'] = () => list([{ id: `${page}` }], `${page++}`.repeat(20_000));
	expect((await failure({ ...CONNECTIONS, returnAll: true })).message).toBe(
		'The response for the global connections does not have the expected format',
	);
	expect(page).toBe(1);
});

describe('Older Than', () => {
	const OLD = parametersOf('userInvitation.getAll', {
		type: 'PLATFORM',
		returnAll: true,
		filters: { olderThanDays: 14 },
	});
	const DAY = 86_400_000;
	const made = (daysAgo: number): IDataObject => ({
		id: String(daysAgo),
		created: new Date(Date.now() - daysAgo * DAY).toISOString(),
	});
	const idsAt = async (serverTime: number) => {
		headers = { date: new Date(serverTime).toUTCString() };
		answers['/v1/user-invitations'] = list([made(20), made(13.9), made(1)]);
		return (await records(OLD)).map(({ id }) => id);
	};

	test('uses the clock of the server when both differ by hours', async () => {
		expect(await idsAt(Date.now() + DAY / 2)).toEqual(['20', '13.9']);
	});

	test('returns fewer invitations, not more, when the server is far behind', async () => {
		expect(await idsAt(Date.now() - 10 * DAY)).toEqual([]);
	});
});

describe('what is refused before anything is sent', () => {
	afterEach(() => expect(hostile.server.requests).toEqual([]));

	test('a Name of a project that is too long', async () => {
		const filters = { displayName: '%a'.repeat(101) };
		const error = await failure({ resource: 'project', operation: 'getAll', filters });
		expect(error.message).toBe('Name has 202 characters, but the maximum is 200');
		expect(error.description).toBe('Shorten Name. Nothing was sent.');
	});

	test('more Fields than a record has', async () => {
		const fields = Array.from({ length: 101 }, (_, index) => `f${index}`).join();
		const error = await failure({ ...CONNECTIONS, output: 'selectedFields', fields }, true);
		expect(error.message).toBe('Fields contains 101 names, but the maximum is 100');
		expect(error.description).toBe('Enter fewer fields, or set Output to Raw. Nothing was sent.');
	});
});
