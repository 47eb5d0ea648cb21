import type { INodeParameters } from 'n8n-workflow';

import {
	ALL_FLOWS,
	CONNECTIONS,
	FLOWS,
	FOLDER,
	INVITATION,
	METRICS,
	RENAME,
	TEMPLATE,
	TEMPLATES,
} from './harness/parameters';
import { byId, FIRST_AND_LAST, useService } from './harness/service';

const LISTS = [FLOWS, ALL_FLOWS, CONNECTIONS, TEMPLATES];
const EVERY = [FOLDER, RENAME, TEMPLATE, INVITATION, METRICS, ...LISTS];

describe.each(FIRST_AND_LAST)('keys and addresses on release %s', (release) => {
	const context = useService({ release });

	/** The error for a credential with other values. */
	const failure = async (parameters: INodeParameters, changes: object) =>
		await context.failure(parameters, { credential: { ...context.credential, ...changes } });

	test.each(['sk-wrong', 'not-a-key'])('every message names the key %s', async (apiKey) => {
		// In 0.73 the folder's project has to exist for the key to be checked.
		const folderId = byId(context.data.folders[0].id);
		for (const parameters of EVERY) {
			const known = 'folderId' in parameters ? { folderId } : {};
			const error = await failure({ ...parameters, ...known }, { apiKey });
			expect(error.message).toBe('Activepieces did not accept the API key');
			expect(error.description).toContain('API Key in the credential');
			// A value that begins like a key is treated as one: the message has no advice for people without keys.
			expect(/Community|Sign-In/.test(error.description ?? '')).toBe(apiKey === 'not-a-key');
			expect(error.httpCode).toBe('401');
		}
	});

	test.each([
		{ allowedHttpRequestDomains: 'none', allowedDomains: '' },
		{ allowedHttpRequestDomains: 'domains', allowedDomains: '' },
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'elsewhere.example' },
	])('%j is meant for HTTP Request nodes, and works anyway', async (allowed) => {
		const credential = { ...context.credential, ...allowed };
		expect(await context.records(METRICS, { credential })).toHaveLength(1);
	});

	test('a key of another platform has no access to the folder', async () => {
		const [{ id }] = context.data.folders;
		const apiKey = context.service.otherPlatformKey;
		const error = await failure({ ...FOLDER, folderId: byId(id) }, { apiKey });
		expect(error.message).toBe(`The API key is not allowed to access the folder "${id}"`);
		expect(error.httpCode).toBe('403');
	});

	test.each([
		['', '/api', undefined],
		['/projects/abc/flows', '/api', '/projects/abc/flows/api'],
		['/apis', '/api', '/apis/api'],
		['/api/v1/flows', '/api', undefined],
		['/api/docs', '/api', undefined],
	])(
		'a Base URL of "%s" is corrected in the message, for every operation',
		async (path, first, second) => {
			const advice = `The Base URL in the credential should probably end in /api. Try ${context.origin}${first}${(second && `, or ${context.origin}${second} if Activepieces is served under that path`) ?? ''}`;
			for (const parameters of EVERY) {
				const error = await failure(parameters, { baseUrl: context.origin + path });
				expect(error.description).toBe(advice);
				if (path === '') {
					expect(error.message).toBe('Base URL points to a web page, not to the Activepieces API');
				}
			}
			const wrong = { ...context.credential, baseUrl: context.origin + path };
			expect((await context.engine.testCredential(wrong)).message).toContain(advice);
		},
	);

	test('a Base URL of a page with /api after it is corrected in the message', async () => {
		const baseUrl = `${context.origin}/projects/abc/api`;
		expect((await failure(CONNECTIONS, { baseUrl })).description).toBe(
			`Check that ${baseUrl}, the Base URL in the credential, is the URL of the API. If it includes the path of a page, try ${context.origin}/api`,
		);
	});

	// Other endings are in unit/parseBaseUrl.test.ts.
	test.each(['/', '/v1//'])('a Base URL with %s at its end works', async (end) => {
		const credential = { ...context.credential, baseUrl: ` ${context.baseUrl}${end} ` };
		expect((await context.records(CONNECTIONS, { credential })).length).toBeGreaterThan(0);
		expect(await context.engine.testCredential(credential)).toMatchObject({ status: 'OK' });
	});

	test('an unknown project is named with its field', async () => {
		const error = await context.failure(FLOWS);
		expect(error.message).toMatch(
			/^(Project "proj" was not found|The API key is not allowed to access the project "proj")$/,
		);
		expect(error.description).toContain('Project');
	});

	test('a folder name in use is named with the field to change', async () => {
		const { folders } = context.data;
		const [folder, other] = folders.filter(({ projectId }) => projectId === folders[0].projectId);
		const displayName = other.displayName.toUpperCase();
		const error = await context.failure({ ...RENAME, folderId: byId(folder.id), displayName });
		expect(error.message).toBe(
			`Another folder in the project already has the name "${displayName}"`,
		);
		expect(error.description).toContain('Change New Name');
		expect(error.httpCode).toBe('409');
	});

	test('a character that the service cannot store is named', async () => {
		const folderId = byId(context.data.folders[0].id);
		const error = await context.failure({ ...RENAME, folderId, displayName: 'a\u0000b' });
		expect(error.message).toBe('A value contains a character that Activepieces cannot store');
	});

	test('an invalid filter value is named by its field', async () => {
		const error = await context.failure({ ...CONNECTIONS, filters: { scope: '={{ "BOGUS" }}' } });
		expect(error.message).toBe('Activepieces did not accept the value of Scope');
		expect(error.httpCode).toBe('400');
	});
});

describe('unusable Base URLs', () => {
	const context = useService();

	test.each([
		['', 'Base URL is empty'],
		['cloud.activepieces.com/api', 'Base URL must start with https:// or http://'],
		['ftp://example.com/api', 'Base URL must start with https:// or http://'],
		['https://', 'Base URL is not a valid URL'],
		['https://user:secret@example.com/api', 'Base URL must not contain a username or password'],
		['https://:secret@example.com/api', 'Base URL must not contain a username or password'],
		['https://example.com/api?x=1', 'Base URL must not contain "?" or "#"'],
		['https://example.com/#/platform', 'Base URL must not contain "?" or "#"'],
		['http://127.0.0.1:1/api', 'No server responds at 127.0.0.1:1'],
		['http://no-such-host.invalid/api', 'The host no-such-host.invalid was not found'],
	])('%j: %s, in the node and in the credential test', async (baseUrl, message) => {
		const wrong = { ...context.credential, baseUrl };
		expect((await context.failure(FOLDER, { credential: wrong })).message).toContain(message);
		const result = await context.engine.testCredential(wrong);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
	});
});
