import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { ALL_FLOWS, CONNECTIONS, FOLDER, INVITATION, RENAME } from './harness/parameters';
import { byId, useService } from './harness/service';
import { captureLog, textsOf, tracesOf } from './harness/traces';

describe('the key', () => {
	const context = useService();
	let log: unknown[];
	beforeAll(() => {
		log = captureLog();
	});

	const echoed = (status: number): FaultKind => ({
		status,
		code: 'VALIDATION',
		message: `key ${context.service?.apiKey} is bad`,
	});
	const mishaps: Array<[string, () => FaultKind | undefined]> = [
		['a good answer', () => undefined],
		...[400, 401, 402, 403, 404, 409, 422, 429, 500, 503].map(
			(status): [string, () => FaultKind] => [
				`${status} that repeats the key`,
				() => echoed(status),
			],
		),
		['a web page', () => ({ html: true })],
		['truncated JSON', () => ({ truncated: true })],
		['a connection cut before the answer', () => ({ reset: 'beforeHeaders' })],
		['a connection cut in the answer', () => ({ reset: 'inBody' })],
		[
			'a redirect that repeats the key',
			() => ({ redirect: `https://other.example/${context.service.apiKey}` }),
		],
		['a time-out', () => ({ delay: 2000 })],
	];

	test.each(mishaps)('is in nothing that a run leaves behind after %s', async (_name, kind) => {
		const { credential, service } = context;
		for (const parameters of [FOLDER, RENAME, CONNECTIONS, INVITATION]) {
			for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
				service.clearFaults();
				const fault = kind();
				if (fault !== undefined) service.fault({ kind: fault });
				const result = await context.run(
					{ ...parameters, requestOptions: { timeout: 100 } },
					{ onError },
				);
				const leaking = tracesOf(result).filter((text) => text.includes(credential.apiKey));
				expect(leaking).toEqual([]);
			}
		}
	});

	test('is in nothing that n8n logs meanwhile, down to debug', async () => {
		const { credential, service } = context;
		const { apiKey } = credential;
		service.fault({ kind: echoed(500) });
		await context.failure(CONNECTIONS);
		expect(log).not.toEqual([]);
		expect(textsOf(log).filter((text) => text.includes(apiKey))).toEqual([]);
	});

	// The halves of the key in the item: only the expression puts it together.
	const halves = () => {
		const { apiKey } = context.credential;
		return [{ first: apiKey.slice(0, 20), second: apiKey.slice(20) }];
	};
	const KEY = '={{ $json.first + $json.second }}';

	test.each<[string, INodeParameters, asTool?: boolean]>([
		['an ID', { ...FOLDER, folderId: byId(KEY) }],
		['the ID of a delete', { ...INVITATION, invitationId: byId(KEY) }],
		['Project', { ...ALL_FLOWS, projectId: byId(KEY) }],
		['New Name', { ...RENAME, displayName: KEY }],
		['Return All', { ...CONNECTIONS, returnAll: KEY }],
		['Limit', { ...CONNECTIONS, limit: KEY }],
		['Page Size', { ...CONNECTIONS, options: { pageSize: KEY } }],
		['Simplify', { ...CONNECTIONS, simplify: KEY }],
		['Output', { ...CONNECTIONS, output: KEY }, true],
		['Fields', { ...CONNECTIONS, output: 'selectedFields', fields: KEY }, true],
		['a filter', { ...CONNECTIONS, filters: { scope: KEY } }],
		['Proxy', { ...CONNECTIONS, requestOptions: { proxy: KEY } }],
		[
			'an expression that throws it',
			{
				...FOLDER,
				folderId: byId('={{ ((key) => { throw new Error(key) })($json.first + $json.second) }}'),
			},
		],
	])('is not shown when it is the value of %s', async (_name, parameters, asTool = false) => {
		const { engine, credential } = context;
		const { apiKey } = credential;
		for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
			for (const isRouted of asTool ? [false] : [false, true]) {
				const run = { credential, parameters, items: halves(), asTool, isRouted, onError };
				const result = await engine.run(run);
				// Each of them fails, or this test would show nothing.
				const failed = [...result.items, ...result.errorItems].filter(
					({ json }) => 'error' in json,
				);
				expect(failed.length > 0 || result.error !== undefined).toBe(true);
				expect(tracesOf(result).filter((text) => text.includes(apiKey))).toEqual([]);
			}
		}
	});

	// An error that n8n makes, whose context repeats the value. Where n8n's router looks at a parameter first,
	// that error never reaches the node.
	test('is not shown when an expression takes it for the name of a node', async () => {
		const { engine, credential } = context;
		const folderId = byId('={{ $($json.first + $json.second).item.json.id }}');
		for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
			const run = { credential, parameters: { ...FOLDER, folderId }, items: halves(), onError };
			const result = await engine.run(run);
			const [failed] = [...result.items, ...result.errorItems];
			expect(result.error?.message ?? failed?.json.error).toBe("Referenced node doesn't exist");
			expect(tracesOf(result).filter((text) => text.includes(credential.apiKey))).toEqual([]);
		}
	});

	test('is taken out of records that repeat it', async () => {
		const { credential, service } = context;
		const { apiKey } = credential;
		const data = [
			{ id: apiKey, displayName: `of ${apiKey}`, [apiKey]: [{ [`x${apiKey}`]: apiKey }] },
		];
		service.fault({ kind: { body: { data, next: null } } });
		for (const simplify of [true, false]) {
			const result = await context.run({ ...CONNECTIONS, simplify });
			expect(result.items[0].json.id).toBe('***');
			expect(tracesOf(result).filter((text) => text.includes(apiKey))).toEqual([]);
		}
	});

	test('is not shown when it was pasted where an ID belongs', async () => {
		const { credential } = context;
		const error = await context.failure({ ...FOLDER, folderId: byId('={{ $json.id }}') }, [
			{ id: credential.apiKey },
		]);
		expect(error.message).toBe('Folder "***" was not found');
	});

	test.each(['searchFolders', 'searchTemplates'])(
		'is in no message of a list: %s',
		async (method) => {
			const { credential, service } = context;
			service.fault({ kind: echoed(500) });
			const error: unknown = await context.search(method).catch((caught) => caught);
			expect(error).toHaveProperty('name', 'NodeApiError');
			expect(textsOf(error).filter((text) => text.includes(credential.apiKey))).toEqual([]);
		},
	);

	test('is in no message of the credential test', async () => {
		const { engine, credential, service } = context;
		service.fault({ kind: echoed(500) });
		const { message } = await engine.testCredential(credential);
		expect(message).toContain('***');
		expect(message).not.toContain(credential.apiKey);
	});

	test('is sent to the service in the header and nowhere else', async () => {
		const { credential, service } = context;
		await context.records(CONNECTIONS);
		const [{ headers, url, body }] = service.requests;
		expect(headers.authorization).toBe(`Bearer ${credential.apiKey}`);
		const others = textsOf([{ ...headers, authorization: '' }, url, body]);
		expect(others.filter((text) => text.includes(credential.apiKey))).toEqual([]);
	});
});
