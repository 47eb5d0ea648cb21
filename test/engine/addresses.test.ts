import type { INodeParameters } from 'n8n-workflow';

import { FLOWS, CONNECTIONS, FOLDER, RENAME, TEMPLATE, INVITATION } from './harness/parameters';
import { byId, RELEASES, useService } from './harness/service';

const EVERY: INodeParameters[] = [
	FOLDER,
	RENAME,
	TEMPLATE,
	INVITATION,
	FLOWS,
	{ resource: 'flow', operation: 'getAll' },
	CONNECTIONS,
	{ resource: 'flowTemplate', operation: 'getAll' },
	{ resource: 'queue', operation: 'getMetrics' },
];

describe.each(RELEASES)('keys and addresses on release %s', (release) => {
	const context = useService({ release });

	test.each(['sk-wrong', 'not-a-key'])(
		'the key %s is named as what to change, whichever operation',
		async (apiKey) => {
			const { credential } = context;
			for (const parameters of EVERY) {
				// 0.73 looks the folder's project up first, so it has to exist for the key to be looked at.
				const folderId = byId(context.service.data.folders[0].id);
				const error = await context.failure(
					'folderId' in parameters ? { ...parameters, folderId } : parameters,
					{ credential: { ...credential, apiKey } },
				);
				expect(error.message).toBe('Activepieces did not accept the API key');
				expect(error.description).toContain('Check API Key in the credential');
				// What begins as keys do is one: nothing is said of what people without keys have.
				expect(/Community|Sign-In/.test(error.description ?? '')).toBe(apiKey === 'not-a-key');
				expect(error.httpCode).toBe('401');
			}
		},
	);

	test('an empty key is named, too', async () => {
		const { credential } = context;
		const error = await context.failure(CONNECTIONS, { credential: { ...credential, apiKey: '' } });
		expect(error.message).toBe('API Key is empty');
		expect(error.description).toContain('Open the credential');
	});

	test.each([
		['space around it', (key: string) => `  ${key}\n`],
		['quotes around it', (key: string) => `"${key}"`],
		['"Bearer" before it', (key: string) => `Bearer ${key}`],
		['its whole header before it', (key: string) => `Authorization: Bearer ${key}`],
		['"Bearer" before its quotes', (key: string) => `Bearer '${key}'`],
		['a zero-width character in it', (key: string) => `\u200b${key}`],
	])('a key with %s works, as people paste it', async (_how, paste) => {
		const { engine, credential } = context;
		const pasted = { ...credential, apiKey: paste(credential.apiKey) };
		const records = await context.records(CONNECTIONS, { credential: pasted });
		expect(records.length).toBeGreaterThan(0);
		expect(await engine.testCredential(pasted)).toMatchObject({ status: 'OK' });
	});

	test.each([
		{ allowedHttpRequestDomains: 'none', allowedDomains: '' },
		{ allowedHttpRequestDomains: 'domains', allowedDomains: '' },
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'elsewhere.example' },
	])('%j is for HTTP Request nodes: this one works all the same', async (allowed) => {
		const { credential } = context;
		for (const parameters of [CONNECTIONS, { resource: 'queue', operation: 'getMetrics' }]) {
			const records = await context.records(parameters, {
				credential: { ...credential, ...allowed },
			});
			expect(records.length).toBeGreaterThan(0);
		}
	});

	test('a key of another platform may not access the folder', async () => {
		const { credential, service } = context;
		const error = await context.failure(
			{ ...FOLDER, folderId: byId(service.data.folders[0].id) },
			{ credential: { ...credential, apiKey: service.otherPlatformKey } },
		);
		expect(error.message).toBe(
			`The API key is not allowed to access the folder "${service.data.folders[0].id}"`,
		);
		expect(error.httpCode).toBe('403');
	});

	test('a Base URL without /api says so, whichever operation', async () => {
		const { credential, service } = context;
		for (const parameters of EVERY) {
			const error = await context.failure(parameters, {
				credential: { ...credential, baseUrl: service.origin },
			});
			expect(error.message).toBe('Base URL leads to a web page, not to the Activepieces API');
			expect(error.description).toBe(
				`The Base URL in the credential should probably end in /api. Try ${service.origin}/api`,
			);
		}
	});

	test.each([
		[
			'/projects/abc/flows',
			'/api, or ',
			'/projects/abc/flows/api if Activepieces is served under that path',
		],
		['/apis', '/api, or ', '/apis/api if Activepieces is served under that path'],
		['/api/v1/flows', '/api', undefined],
		['/api/docs', '/api', undefined],
	])('a Base URL of %s is led to the API, whichever operation', async (path, first, second) => {
		const { engine, credential, service } = context;
		const wrong = { ...credential, baseUrl: service.origin + path };
		const advice = `The Base URL in the credential should probably end in /api. Try ${service.origin}${first}${second === undefined ? '' : service.origin + second}`;
		for (const parameters of EVERY) {
			const error = await context.failure(parameters, { credential: wrong });
			expect(error.description).toBe(advice);
		}
		expect((await engine.testCredential(wrong)).message).toContain(advice);
	});

	test('a Base URL of a page with /api after it is led to the API', async () => {
		const { credential, service } = context;
		const baseUrl = `${service.origin}/projects/abc/api`;
		const error = await context.failure(CONNECTIONS, { credential: { ...credential, baseUrl } });
		expect(error.description).toBe(
			`Check that ${baseUrl}, the Base URL in the credential, is the address of the API. If it includes the path of a page, try ${service.origin}/api`,
		);
	});

	test.each(['/', '//', '/v1', '/v1/', '/v1//'])(
		'a Base URL with %s at its end works',
		async (end) => {
			const { credential } = context;
			const records = await context.records(CONNECTIONS, {
				credential: { ...credential, baseUrl: ` ${credential.baseUrl}${end} ` },
			});
			expect(records.length).toBeGreaterThan(0);
		},
	);

	test('an unknown project is named with its field', async () => {
		const error = await context.failure(FLOWS);
		expect(error.message).toMatch(
			/^(Project "proj" was not found|The API key is not allowed to access the project "proj")$/,
		);
		expect(error.description).toContain('Project');
	});

	test('a folder name that is in use is named with the field to change', async () => {
		const { service } = context;
		const [folder, other] = service.data.folders.filter(
			({ projectId }) => projectId === service.data.folders[0].projectId,
		);
		const error = await context.failure({
			...RENAME,
			folderId: byId(folder.id),
			displayName: other.displayName.toUpperCase(),
		});
		expect(error.message).toBe(
			`Another folder in the project already has the name "${other.displayName.toUpperCase()}"`,
		);
		expect(error.description).toContain('Change New Name');
		expect(error.httpCode).toBe('409');
	});

	test('a character the service cannot store is named', async () => {
		const { service } = context;
		const error = await context.failure({
			...RENAME,
			folderId: byId(service.data.folders[0].id),
			displayName: 'a\u0000b',
		});
		expect(error.message).toBe('A value contains a character that Activepieces cannot store');
	});

	test('an unusable filter value is named by its field', async () => {
		const error = await context.failure({ ...CONNECTIONS, filters: { scope: '={{ "BOGUS" }}' } });
		expect(error.message).toBe('Activepieces did not accept the value of Scope');
		expect(error.httpCode).toBe('400');
	});
});

describe('addresses that lead nowhere', () => {
	const context = useService();

	test.each([
		['', 'Base URL is empty'],
		['cloud.activepieces.com/api', 'Base URL must start with https:// or http://'],
		['ftp://example.com/api', 'Base URL must start with https:// or http://'],
		['https://', 'Base URL is not a valid web address'],
		['https://user:secret@example.com/api', 'Base URL must not contain a username or password'],
		['https://:secret@example.com/api', 'Base URL must not contain a username or password'],
		['https://example.com/api?x=1', 'Base URL must end before any "?" or "#"'],
		['https://example.com/#/platform', 'Base URL must end before any "?" or "#"'],
		['http://127.0.0.1:1/api', 'No server responds at 127.0.0.1:1'],
		['http://no-such-host.invalid/api', 'The host no-such-host.invalid was not found'],
	])('%j: %s, in the node as in the credential test', async (baseUrl, message) => {
		const { engine, credential } = context;
		const wrong = { ...credential, baseUrl };
		const error = await context.failure(FOLDER, { credential: wrong });
		expect(error.message).toContain(message);
		const result = await engine.testCredential(wrong);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
	});
});
