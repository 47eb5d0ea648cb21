import { type IDataObject, sleep } from 'n8n-workflow';

import type { Fault } from '../service';
import { restoreLimits } from '../restoreLimits';
import { limits, waitReally } from './harness/built';
import { CONNECTIONS, FOLDER, INVITATION, METRICS, RENAME } from './harness/parameters';
import { ROUTE_MISSING } from './harness/routeMissing';
import { byId, useService } from './harness/service';

restoreLimits(limits);

describe('a service that is down for a moment', () => {
	const context = useService();
	const folder = () => context.service.data.folders[0];
	const get = () => ({ ...FOLDER, folderId: byId(folder().id) });
	const rename = (displayName: string) => ({ ...RENAME, folderId: byId(folder().id), displayName });

	test('is asked again, four times if need be', async () => {
		const { service } = context;
		service.fault({ times: 4, kind: { status: 502, shape: 'html' } });
		const [record] = await context.records(get());
		expect(record.id).toBe(folder().id);
		expect(service.requests).toHaveLength(5);
	});

	test('a fifth time would be one too many, and the message counts', async () => {
		const { service } = context;
		service.fault({ kind: { status: 503 } });
		const error = await context.failure(get());
		expect(error.message).toMatch(/^Activepieces is not available .*, after 5 tries in \d+ sec/);
		expect(service.requests).toHaveLength(5);
	});

	test('the time that the tries themselves take counts, not only the waits between them', async () => {
		const { service } = context;
		limits.backoff = { firstMs: 0, factor: 1, maxMs: 0 };
		limits.execution = { maxAttempts: 5, maxElapsedMs: 500 };
		service.fault({ kind: { delay: 200 } });
		service.fault({ kind: { status: 503 } });
		const error = await context.failure(get());
		// The third one ends after 600 ms.
		expect(service.requests.length).toBeLessThanOrEqual(3);
		expect(error.message).toContain(`, after ${service.requests.length} tries`);
	});

	test('a time-out holds for each try', async () => {
		const { service } = context;
		service.fault({ times: 2, kind: { delay: 60_000 } });
		const parameters = { ...get(), requestOptions: { timeout: 150 } };
		expect(await context.records(parameters)).toHaveLength(1);
		expect(service.requests).toHaveLength(3);
	});

	test('a page in the middle of a list is asked for again, and the list is whole', async () => {
		const { service } = context;
		service.fault({ path: '/v1/global-connections', after: 2, times: 3, kind: { status: 502 } });
		const parameters = { ...CONNECTIONS, returnAll: true, options: { pageSize: 5 } };
		const records = await context.records(parameters);
		expect(records.map(({ id }) => id)).toEqual(service.data.connections.map(({ id }) => id));
		expect(new Set(service.requests.map(({ url }) => url)).size).toBe(5);
		expect(service.requests).toHaveLength(8);
	});

	test.each<[string, Fault['kind']]>([
		['502', { status: 502 }],
		['a cut connection', { reset: 'beforeHeaders' }],
		['a time-out', { delay: 60_000 }],
	])(
		'a rename is not sent again after %s, and the message says it is in doubt',
		async (_n, kind) => {
			const { service } = context;
			service.fault({ times: 1, done: true, kind });
			const parameters = { ...rename(`Before ${_n}`), requestOptions: { timeout: 300 } };
			const error = await context.failure(parameters);
			expect(error.message).not.toContain('tries');
			expect(error.description).toContain('may have applied the change');
			expect(service.requests).toHaveLength(1);
			expect(folder().displayName).toBe(`Before ${_n}`);
		},
	);

	test('an unknown host and a closed port are tried again, an untrusted address is not', async () => {
		const { credential } = context;
		const failed = async (baseUrl: string) =>
			(await context.failure(get(), { credential: { ...credential, baseUrl } })).message;
		expect(await failed('http://127.0.0.1:1/api')).toMatch(
			/^No server responds at .*, after 5 tries/,
		);
		expect(await failed('http://no-such-host.invalid/api')).toMatch(/not found, after 5 tries/);
		expect(await failed(credential.baseUrl.replace('http:', 'https:'))).not.toContain('tries');
	});
});

describe('a delete whose answer is lost', () => {
	const context = useService();
	const take = () => {
		const invitation = context.service.data.invitations.find(({ type }) => type === 'PLATFORM');
		return {
			id: invitation?.id,
			parameters: { ...INVITATION, invitationId: byId(invitation?.id) },
		};
	};

	test.each<[string, Fault['kind']]>([
		['502', { status: 502 }],
		['503', { status: 503 }],
		['a cut connection', { reset: 'beforeHeaders' }],
		['a time-out', { delay: 60_000 }],
	])('has succeeded when the record is gone after %s', async (_name, kind) => {
		const { service } = context;
		const { id, parameters } = take();
		service.fault({ times: 1, done: true, kind });
		const records = await context.records({ ...parameters, requestOptions: { timeout: 300 } });
		expect(records).toEqual([{ deleted: true }]);
		expect(service.data.invitations.map((row) => row.id)).not.toContain(id);
		expect(service.requests.map(({ status }) => status).at(-1)).toBe(404);
	});

	test('an unknown record stays unknown after 429, which is no delete', async () => {
		const { service } = context;
		service.fault({ times: 1, kind: { status: 429 } });
		const error = await context.failure(INVITATION);
		expect(error.message).toMatch(/^User invitation "abc" was not found, after 2 tries/);
	});

	test.each<[string, Fault['kind']]>([
		['a server without the route', ROUTE_MISSING],
		['a web page', { status: 404, shape: 'html' }],
		[
			'a line of text of a proxy',
			{ status: 404, body: '404 page not found', contentType: 'text/plain' },
		],
	])('%s is no sign that the record is gone', async (_name, kind) => {
		const { service } = context;
		const { id, parameters } = take();
		service.fault({ times: 1, kind: { status: 502 } });
		service.fault({ kind });
		await context.failure(parameters);
		expect(service.data.invitations.map((row) => row.id)).toContain(id);
	});
});

describe('a service that asks to wait', () => {
	const context = useService();

	test.each([
		['a time', () => '300'],
		['a date', () => new Date(Date.now() + 300_000).toUTCString()],
	])(
		'longer than a minute, as %s, is not asked again, and the message says how long',
		async (_n, retryAfter) => {
			const { service } = context;
			service.fault({ kind: { status: 503, headers: { 'retry-after': retryAfter() } } });
			const error = await context.failure(FOLDER);
			expect(error.description).toMatch(/^It asks you to wait (300|299|298) seconds\./);
			expect(service.requests).toHaveLength(1);
		},
	);

	test('is understood by its own clock, however wrong that is', async () => {
		const { service } = context;
		const date = new Date(Date.now() - 24 * 3_600_000);
		const headers = {
			date: date.toUTCString(),
			'retry-after': new Date(date.getTime() + 300_000).toUTCString(),
		};
		service.fault({ kind: { status: 503, headers } });
		const error = await context.failure(FOLDER);
		expect(error.description).toMatch(/^It asks you to wait 300 seconds\./);
		expect(service.requests).toHaveLength(1);
	});

	test('is not asked earlier', async () => {
		const { service } = context;
		waitReally();
		service.fault({ times: 1, kind: { status: 429, headers: { 'retry-after': '1' } } });
		const start = Date.now();
		await context.records(METRICS);
		expect(Date.now() - start).toBeGreaterThanOrEqual(995);
	});

	test('a minute twice is longer than a request may take', async () => {
		const { service } = context;
		service.fault({ kind: { status: 429, headers: { 'retry-after': '60' } } });
		const error = await context.failure(FOLDER);
		expect(error.message).toMatch(/, after 2 tries in 6\d seconds$/);
		expect(service.requests).toHaveLength(2);
	});

	test('a cancelled workflow waits no longer', async () => {
		const { service } = context;
		waitReally();
		service.fault({ kind: { status: 503, headers: { 'retry-after': '60' } } });
		const start = Date.now();
		await context.run(FOLDER, {
			items: Array.from({ length: 30 }, () => ({})),
			onError: 'continueRegularOutput',
			started: (cancel) => {
				const watch = async () => {
					while (service.requests.length < 10) await sleep(1);
					await sleep(50);
					cancel();
				};
				void watch();
			},
		});
		expect(Date.now() - start).toBeLessThan(30_000);
		expect(service.requests).toHaveLength(10);
	});

	test('items that wait keep their place, so that the others do not ask meanwhile', async () => {
		const { service } = context;
		waitReally();
		service.fault({ kind: { status: 503, headers: { 'retry-after': '60' } } });
		let sent: number | undefined;
		await context.run(METRICS, {
			items: Array.from({ length: 40 }, () => ({})),
			onError: 'continueRegularOutput',
			started: (cancel) => {
				const watch = async () => {
					while (service.requests.length < 10) await sleep(1);
					await sleep(300);
					sent = service.requests.length;
					cancel();
				};
				void watch();
			},
		});
		expect(sent).toBe(10);
	});
});

describe('lists of locators and the credential test', () => {
	const context = useService();

	test('a locator asks twice, so that nobody stares at an empty list', async () => {
		const { service } = context;
		service.fault({ times: 1, kind: { status: 502 } });
		const { results } = await context.search('searchProjects');
		expect(results).not.toEqual([]);
		expect(service.requests).toHaveLength(2);
	});

	test('and no more than twice', async () => {
		const { service } = context;
		service.fault({ kind: { status: 502 } });
		await expect(context.search('searchProjects')).rejects.toThrow(
			/not available behind its proxy \(HTTP 502\), after 2 tries/,
		);
		expect(service.requests).toHaveLength(2);
	});

	test('the credential test asks once: what it says is how things are', async () => {
		const { engine, credential, service } = context;
		service.fault({ times: 1, kind: { status: 503 } });
		expect(await engine.testCredential(credential)).toMatchObject({ status: 'Error' });
		expect(service.requests).toHaveLength(1);
	});
});

describe('an outage in a run over many items', () => {
	const context = useService();
	const other = useService();
	const run = async (count: number) =>
		await context.run(
			{ ...INVITATION, invitationId: byId('={{ $json.id }}') },
			{
				items: Array.from({ length: count }, (_, index): IDataObject => ({
					id: `nobody-${index}`,
				})),
				onError: 'continueRegularOutput',
			},
		);

	test('is found out after ten requests given up, and the others are tried once each', async () => {
		const { service } = context;
		service.fault({ kind: { status: 503 } });
		const renames = { ...RENAME, folderId: byId(service.data.folders[0].id) };
		const { items } = await context.run(renames, {
			items: Array.from({ length: 15 }, () => ({})),
			onError: 'continueRegularOutput',
		});
		// Renames come one after the other: the first ten five times each.
		expect(service.requests).toHaveLength(10 * 5 + 5);
		const tries = items.map(({ json }) => /after 5 tries/.test(String(json.error)));
		expect(tries).toEqual(items.map((_, index) => index < 10));
	});

	test('is found out side by side as well: what others had begun is given up with the next try', async () => {
		context.service.fault({ kind: { status: 502 } });
		const { items } = await run(100);
		expect(items).toHaveLength(100);
		expect(context.service.requests.length).toBeGreaterThanOrEqual(100 + 10 * 4);
		expect(context.service.requests.length).toBeLessThanOrEqual(100 + 20 * 4);
	});

	test('is over with the first answer, and then requests are repeated again', async () => {
		const { service } = context;
		service.fault({ times: 80, kind: { status: 502 } });
		service.fault({ after: 110, times: 3, kind: { status: 502 } });
		const { items } = await run(120);
		const unanswered = items.map(({ json }) => String(json.error).includes('502'));
		expect(unanswered.filter(Boolean).length).toBeGreaterThanOrEqual(10);
		expect(unanswered.filter(Boolean).length).toBeLessThanOrEqual(80);
		expect(unanswered.lastIndexOf(true)).toBeLessThan(70);
	});

	test('of one server is not held against another one', async () => {
		const { credential, service } = context;
		service.fault({ kind: { status: 502 } });
		await other.engine.records({ credential: other.credential, parameters: METRICS });
		other.service.clearRequests();
		other.service.fault({ after: 1, times: 3, kind: { status: 502 } });
		const { items } = await context.run(METRICS, {
			credential: (item) => (item < 60 ? credential : other.credential),
			items: Array.from({ length: 62 }, () => ({})),
			onError: 'continueRegularOutput',
		});
		expect(items.slice(0, 60).every(({ json }) => 'error' in json)).toBe(true);
		expect(items.slice(60).every(({ json }) => 'stats' in json)).toBe(true);
	});

	test('of one run is not held against the next one', async () => {
		const { service } = context;
		service.fault({ times: 100, kind: { status: 502 } });
		await run(60);
		service.clearFaults();
		service.clearRequests();
		service.fault({ times: 4, kind: { status: 502 } });
		await context.records(METRICS);
		expect(service.requests.length).toBeGreaterThanOrEqual(5);
	});
});
