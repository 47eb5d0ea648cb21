import type { FaultKind } from '../service';
import { CONNECTIONS, FOLDER, INVITATION, RENAME } from './harness/parameters';
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
		const { engine, credential, service } = context;
		for (const parameters of [FOLDER, RENAME, CONNECTIONS, INVITATION]) {
			for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
				service.clearFaults();
				const fault = kind();
				if (fault !== undefined) service.fault({ kind: fault });
				const result = await engine.run({
					credential,
					parameters: { ...parameters, requestOptions: { timeout: 100 } },
					onError,
				});
				const leaking = tracesOf(result).filter((text) => text.includes(credential.apiKey));
				expect(leaking).toEqual([]);
			}
		}
	});

	test('is in nothing that n8n logs meanwhile, down to debug', async () => {
		const { engine, credential, service } = context;
		const { apiKey } = credential;
		service.fault({ kind: echoed(500) });
		await engine.failure({ credential, parameters: CONNECTIONS });
		expect(log).not.toEqual([]);
		expect(textsOf(log).filter((text) => text.includes(apiKey))).toEqual([]);
	});

	test('is not shown when it was pasted where an ID belongs', async () => {
		const { engine, credential } = context;
		const error = await engine.failure({
			credential,
			parameters: { ...FOLDER, folderId: byId('={{ $json.id }}') },
			items: [{ id: credential.apiKey }],
		});
		expect(error.message).toBe('Folder "***" was not found');
	});

	test.each(['searchFolders', 'searchTemplates'])(
		'is in no message of a list: %s',
		async (method) => {
			const { engine, credential, service } = context;
			service.fault({ kind: echoed(500) });
			const error: unknown = await engine.search(method, { credential }).catch((caught) => caught);
			expect(error).toBeInstanceOf(Error);
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
		const { engine, credential, service } = context;
		await engine.records({ credential, parameters: CONNECTIONS });
		const [{ headers, url, body }] = service.requests;
		expect(headers.authorization).toBe(`Bearer ${credential.apiKey}`);
		const others = textsOf([{ ...headers, authorization: '' }, url, body]);
		expect(others.filter((text) => text.includes(credential.apiKey))).toEqual([]);
	});
});
