import type { INodeParameters } from 'n8n-workflow';

import { ROUTE_MISSING, type Fault } from '../service';
import { limits } from './harness/built';
import { byId, ids } from './harness/byId';
import { DELETE, FOLDER, METRICS, ofRecord, RENAME, strangers } from './harness/parameters';
import { useService } from './harness/service';

const context = useService();

test('the duration of the tries counts, not only the waits between them', async () => {
	limits.backoff = { firstMs: 0, factor: 1 };
	limits.execution = { maxAttempts: 5, maxElapsedMs: 500 };
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	context.fault({ kind: { before: () => void (now += 200), status: 503 } });
	// The third one ends after 600 ms.
	const message = 'Activepieces is unavailable (HTTP 503), after 3 tries in 1 second';
	await context.failsWith(FOLDER, message);
	jest.restoreAllMocks();
});

test.each<[string, Fault['kind']]>([
	['a server without the route', ROUTE_MISSING],
	['a web page', { status: 404, shape: 'html' }],
	['a string of a proxy', { status: 404, body: '404 page not found', contentType: 'text/plain' }],
	['a gateway in JSON', { status: 404, body: { statusCode: 404, message: 'No resource' } }],
	['Fastify', { status: 404, shape: 'framework', message: 'Route DELETE:/api/v1/x not found' }],
	['Express', { status: 404, shape: 'framework', message: 'Cannot DELETE /api/v1/x' }],
	['a gateway with a code', { status: 404, body: { code: 404, message: 'no healthy upstream' } }],
])('after a lost delete, %s does not mean that the record is missing', async (_name, kind) => {
	context.fault({ times: 1, kind: { status: 502 } });
	context.fault({ kind });
	const { id } = context.data.invitations.find(({ type }) => type === 'PLATFORM')!;
	await context.failure(ofRecord('userInvitation.delete', id));
	expect(ids(context.data.invitations)).toContain(id);
});

test('a list of a locator is tried at most twice', async () => {
	context.fault({ kind: { status: 502 } });
	const message = /is unavailable \(HTTP 502\), after 2 tries/;
	await expect(context.search('searchProjects')).rejects.toThrow(message);
	expect(context.requests).toHaveLength(2);
});

describe('an outage in a run over many items', () => {
	const other = useService();
	const run = async (parameters: INodeParameters, count: number) =>
		await context.run(parameters, { items: strangers(count), onError: 'continueRegularOutput' });
	const deleteAll = async (count: number) => await run(DELETE, count);

	test('is noticed after ten failed requests, and the others are tried once each', async () => {
		context.fault({ kind: { status: 503 } });
		const { items } = await run({ ...RENAME, folderId: byId(context.data.folders[0].id) }, 15);
		// Renames run one after the other: the first ten five times each.
		expect(context.requests).toHaveLength(10 * 5 + 5);
		const tries = items.map(({ json }) => /after 5 tries/.test(String(json.error)));
		expect(tries).toEqual(items.map((_, index) => index < 10));
	});

	test('ends with the first response, after which requests are repeated again', async () => {
		context.fault({ times: 80, kind: { status: 502 } });
		context.fault({ after: 110, times: 3, kind: { status: 502 } });
		const { items } = await deleteAll(120);
		const unanswered = items.map(({ json }) => String(json.error).includes('502'));
		const count = unanswered.filter(Boolean).length;
		expect(count).toBeGreaterThanOrEqual(10);
		expect(count).toBeLessThanOrEqual(80);
		expect(unanswered.lastIndexOf(true)).toBeLessThan(70);
	});

	test('of one server does not affect another one', async () => {
		context.fault({ kind: { status: 502 } });
		await other.engine.records({ credential: other.credential, parameters: METRICS });
		other.service.clearRequests();
		other.service.fault({ after: 1, times: 3, kind: { status: 502 } });
		const { items } = await context.run(METRICS, {
			credential: (item) => (item < 40 ? context.credential : other.credential),
			items: Array.from({ length: 42 }, () => ({})),
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => 'error' in json)).toEqual(items.map((_, item) => item < 40));
	});
});
