import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { byId, RELEASES, useService } from './harness/service';

const FOLDER: INodeParameters = { resource: 'folder', operation: 'get', folderId: byId('abc') };
const RENAME: INodeParameters = {
	resource: 'folder',
	operation: 'update',
	folderId: byId('abc'),
	displayName: 'Sales',
};
const TEMPLATE: INodeParameters = {
	resource: 'flowTemplate',
	operation: 'delete',
	templateId: byId('abc'),
};
const INVITATION: INodeParameters = {
	resource: 'userInvitation',
	operation: 'delete',
	invitationId: byId('abc'),
};
const FLOWS: INodeParameters = { resource: 'flow', operation: 'getAll', projectId: byId('proj') };
const CONNECTIONS: INodeParameters = { resource: 'globalConnection', operation: 'getAll' };

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

const USELESS = "Cannot read properties of undefined (reading 'type')";

describe.each(RELEASES)('keys and addresses on release %s', (release) => {
	const bench = useService({ release });

	test.each(['sk-wrong', 'not-a-key'])(
		'the key %s is named as what to change, whichever operation',
		async (apiKey) => {
			const { engine, credential } = bench;
			for (const parameters of EVERY) {
				// 0.73 looks the folder's project up first, so it has to exist for the key to be looked at.
				const folderId = byId(bench.service.data.folders[0].id);
				const error = await engine.failure({
					credential: { ...credential, apiKey },
					parameters: 'folderId' in parameters ? { ...parameters, folderId } : parameters,
				});
				expect(error.message).toBe('Activepieces does not accept the API key');
				expect(error.description).toContain('Check API Key in the credential');
				expect(error.httpCode).toBe('401');
			}
		},
	);

	test('an empty key is named, too', async () => {
		const { engine, credential } = bench;
		const error = await engine.failure({
			credential: { ...credential, apiKey: '' },
			parameters: CONNECTIONS,
		});
		expect(error.message).toBe('No API key that Activepieces accepts came with the request');
		expect(error.description).toContain('API Key');
	});

	test('a key with space around it works, as people paste it', async () => {
		const { engine, credential } = bench;
		const records = await engine.records({
			credential: { ...credential, apiKey: `  ${credential.apiKey}\n` },
			parameters: CONNECTIONS,
		});
		expect(records.length).toBeGreaterThan(0);
	});

	test('a key of another platform may not access the folder', async () => {
		const { engine, credential, service } = bench;
		const error = await engine.failure({
			credential: { ...credential, apiKey: service.otherPlatformKey },
			parameters: { ...FOLDER, folderId: byId(service.data.folders[0].id) },
		});
		expect(error.message).toBe(
			`The API key may not access the folder "${service.data.folders[0].id}"`,
		);
		expect(error.httpCode).toBe('403');
	});

	test('a Base URL without /api says so, whichever operation', async () => {
		const { engine, credential, service } = bench;
		for (const parameters of EVERY) {
			const error = await engine.failure({
				credential: { ...credential, baseUrl: service.origin },
				parameters,
			});
			expect(error.message).toBe('Base URL leads to a web page, not to the API of Activepieces');
			expect(error.description).toBe(
				`Base URL in the credential should probably end in /api: try ${service.origin}/api`,
			);
		}
	});

	test.each(['/', '//', '/v1', '/v1/', '/v1//'])(
		'a Base URL with %s at its end works',
		async (end) => {
			const { engine, credential } = bench;
			const records = await engine.records({
				credential: { ...credential, baseUrl: ` ${credential.baseUrl}${end} ` },
				parameters: CONNECTIONS,
			});
			expect(records.length).toBeGreaterThan(0);
		},
	);

	test('an unknown project is named with its field', async () => {
		const { engine, credential } = bench;
		const error = await engine.failure({ credential, parameters: FLOWS });
		expect(error.message).toMatch(
			/^(Project "proj" was not found|The API key may not access the project "proj")$/,
		);
		expect(error.description).toContain('Project');
	});

	test('a folder name that is in use is named with the field to change', async () => {
		const { engine, credential, service } = bench;
		const [folder, other] = service.data.folders.filter(
			({ projectId }) => projectId === service.data.folders[0].projectId,
		);
		const error = await engine.failure({
			credential,
			parameters: {
				...RENAME,
				folderId: byId(folder.id),
				displayName: other.displayName.toUpperCase(),
			},
		});
		expect(error.message).toBe(
			`Another folder of the project already has the name "${other.displayName.toUpperCase()}"`,
		);
		expect(error.description).toContain('Change Name');
		expect(error.httpCode).toBe('409');
	});

	test('a character the service cannot store is named', async () => {
		const { engine, credential, service } = bench;
		const error = await engine.failure({
			credential,
			parameters: {
				...RENAME,
				folderId: byId(service.data.folders[0].id),
				displayName: 'a\u0000b',
			},
		});
		expect(error.message).toBe('A value has a character that Activepieces cannot store');
	});

	test('an unusable filter value is named with its parameter', async () => {
		const { engine, credential } = bench;
		const error = await engine.failure({
			credential,
			parameters: { ...CONNECTIONS, filters: { scope: '={{ "BOGUS" }}' } },
		});
		expect(error.message).toBe('Activepieces did not accept the value of "scope"');
		expect(error.httpCode).toBe('400');
	});
});

describe('limits of a release or plan', () => {
	const withoutFeature = useService({ plan: { globalConnections: false } });
	const community = useService({ edition: 'community' });
	const old = useService({ release: '0.73' });

	test('a plan without global connections names the feature', async () => {
		const { engine, credential } = withoutFeature;
		const error = await engine.failure({ credential, parameters: CONNECTIONS });
		expect(error.message).toBe('The Activepieces plan does not include global connections');
		expect(error.httpCode).toBe('402');
	});

	test('the Community edition names the missing endpoint', async () => {
		const { engine, service } = community;
		const credential = { baseUrl: service.baseUrl, apiKey: service.userToken };
		const error = await engine.failure({ credential, parameters: CONNECTIONS });
		expect(error.message).toBe(
			'This Activepieces server has no endpoint GET /v1/global-connections',
		);
		expect(error.description).toContain('Community edition');
	});

	test('0.73 lets no key delete a project invitation, and the message says from when on it works', async () => {
		const { engine, credential, service } = old;
		const invitation = service.data.invitations.find(({ type }) => type === 'PROJECT');
		const error = await engine.failure({
			credential,
			parameters: { ...INVITATION, invitationId: byId(invitation?.id) },
		});
		expect(error.message).toBe(
			`This release of Activepieces lets no API key delete user invitation "${invitation?.id}"`,
		);
		expect(error.description).toContain('0.79');
	});

	test('0.73 cannot list published versions beside flows never published, and the message says what helps', async () => {
		const { engine, credential } = old;
		const parameters: INodeParameters = {
			resource: 'flow',
			operation: 'getAll',
			returnAll: true,
			filters: { versionState: 'LOCKED' },
		};
		const error = await engine.failure({ credential, parameters });
		expect(error.description).toContain('Set the filter Status to Enabled');
		const records = await engine.records({
			credential,
			parameters: { ...parameters, filters: { versionState: 'LOCKED', status: ['ENABLED'] } },
		});
		expect(records.length).toBeGreaterThan(0);
	});
});

interface Case {
	name: string;
	kind: FaultKind;
	parameters?: INodeParameters;
	message: RegExp | string;
	description?: RegExp;
}

describe('what the service may answer', () => {
	const bench = useService();

	const cases: Case[] = [
		{
			name: 'a useless text with 401',
			kind: { status: 401, shape: 'framework', message: USELESS },
			message: 'Activepieces does not accept the API key',
		},
		{
			name: 'a useless text with 403',
			kind: { status: 403, shape: 'framework', message: USELESS },
			message: 'The API key may not access the folder "abc"',
		},
		{
			name: 'a useless text with 404',
			kind: { status: 404, shape: 'framework', message: USELESS },
			message: 'Folder "abc" was not found',
			description: /^Check Folder/,
		},
		{
			name: 'a useless text with 500',
			kind: { status: 500, shape: 'framework', message: USELESS },
			message: 'Activepieces could not process the request (HTTP 500)',
			description: /^The cause is on the server/,
		},
		{
			name: 'a missing permission',
			kind: { status: 403, code: 'PERMISSION_DENIED', params: { permission: 'READ_FLOW' } },
			message: 'The user behind the API key may not do this with the folder',
			description: /READ_FLOW/,
		},
		{
			name: 'an ended session',
			kind: { status: 403, code: 'SESSION_EXPIRED' },
			message: 'The session or user behind the API key is no longer active',
			description: /API Key/,
		},
		{
			name: 'a refused template with empty params',
			kind: { status: 403, code: 'AUTHORIZATION', params: {} },
			parameters: TEMPLATE,
			message: 'The API key may not delete the flow template "abc"',
			description: /Only custom templates/,
		},
		{
			name: 'a refused template with a reason',
			kind: {
				status: 403,
				code: 'AUTHORIZATION',
				message: 'Cannot delete official or shared templates',
			},
			parameters: TEMPLATE,
			message: 'The API key may not delete the flow template "abc"',
			description: /Activepieces says: Cannot delete official/,
		},
		{
			name: 'quota exceeded',
			kind: { status: 402, code: 'QUOTA_EXCEEDED' },
			message: 'A limit of the Activepieces plan is reached',
		},
		{
			name: 'a web page that only its content type gives away',
			kind: { body: 'Welcome', contentType: 'text/html' },
			parameters: INVITATION,
			message: 'Base URL leads to a web page, not to the API of Activepieces',
		},
		{
			name: 'a firewall that refuses',
			kind: { status: 403, shape: 'html' },
			message: 'Something in front of Activepieces refused the request (HTTP 403)',
			description: /proxy or firewall/,
		},
		{
			name: 'a proxy that wants a password',
			kind: { status: 401, shape: 'html' },
			message: 'Something in front of Activepieces refused the request (HTTP 401)',
		},
		{
			name: 'a user who is no admin',
			kind: {
				status: 403,
				code: 'AUTHORIZATION',
				message: 'User is not an admin/owner of the platform.',
			},
			parameters: CONNECTIONS,
			message: 'The API key may not access the global connections',
			description: /Activepieces says: User is not an admin/,
		},
		{
			name: 'a list that is not known',
			kind: { status: 404, code: 'ENTITY_NOT_FOUND' },
			parameters: CONNECTIONS,
			message: 'The server does not know the global connections',
		},
		{
			name: 'another conflict',
			kind: { status: 409, code: 'FLOW_OPERATION_IN_PROGRESS', message: 'busy' },
			message: 'Activepieces refused the request (HTTP 409)',
			description: /Activepieces says: busy/,
		},
		{
			name: 'a business rule',
			kind: { status: 422, message: 'not now' },
			message: 'Activepieces refused the request (HTTP 422)',
			description: /not now/,
		},
		{
			name: 'a rate limit',
			kind: { status: 429, shape: 'framework', headers: { 'retry-after': '60' } },
			message: 'Activepieces is receiving too many requests',
			description: /wait 60 seconds/,
		},
		{
			name: 'a proxy without its server',
			kind: { status: 502, shape: 'html' },
			message: 'Activepieces is not available behind its proxy (HTTP 502)',
		},
		{
			name: 'a server that starts',
			kind: { status: 503, shape: 'html' },
			message: 'Activepieces is not available behind its proxy (HTTP 503)',
		},
		{
			name: 'a proxy that gave up',
			kind: { status: 504, shape: 'html' },
			message: 'Activepieces is not available behind its proxy (HTTP 504)',
		},
		{
			name: 'a web page with 200',
			kind: { html: true },
			message: 'Base URL leads to a web page, not to the API of Activepieces',
		},
		{
			name: 'a web page with 200 for a delete',
			kind: { html: true },
			parameters: INVITATION,
			message: 'Base URL leads to a web page, not to the API of Activepieces',
		},
		{
			name: 'a web page with 404',
			kind: { status: 404, shape: 'html' },
			message: 'Base URL leads to a web page, not to the API of Activepieces',
		},
		{
			name: 'a request that is too long',
			kind: { status: 414, shape: 'html' },
			message: 'The request is larger than the server accepts',
		},
		{
			name: 'headers that are too long',
			kind: { status: 431, shape: 'framework' },
			message: 'The request is larger than the server accepts',
		},
		{
			name: 'a control character refused by a proxy',
			kind: { status: 400, shape: 'html' },
			message: 'The server in front of Activepieces refused the request for folder "abc"',
		},
		{
			name: 'a redirect',
			kind: { redirect: 'https://other.example/api/v1/folders/abc' },
			message: 'The server redirects to https://other.example/api/v1/folders/abc',
			description: /set Base URL/,
		},
		{
			name: 'a permanent redirect of a rename',
			kind: { redirect: 'https://other.example/', status: 308 },
			parameters: RENAME,
			message: 'The server redirects to https://other.example/',
		},
		{
			name: 'truncated JSON',
			kind: { truncated: true },
			parameters: { resource: 'globalConnection', operation: 'getAll' },
			message: 'The answer for the global connections is incomplete or not JSON',
		},
		{
			name: 'an empty body',
			kind: { empty: true },
			message: 'The answer for the folder does not have the expected form',
		},
		{
			name: '204 where a record is due',
			kind: { noContent: true },
			message: 'The answer for the folder does not have the expected form',
		},
		{
			name: 'a list where a record is due',
			kind: { body: [] },
			message: 'The answer for the folder does not have the expected form',
		},
		{
			name: 'a connection cut before the answer',
			kind: { reset: 'beforeHeaders' },
			message: /^127\.0\.0\.1:\d+ closed the connection before the answer was complete$/,
		},
		{
			name: 'a connection cut in the answer',
			kind: { reset: 'inBody' },
			parameters: CONNECTIONS,
			message: /^127\.0\.0\.1:\d+ closed the connection before the answer was complete$/,
		},
		{
			name: 'a slow answer',
			kind: { delay: 5000 },
			parameters: { ...FOLDER, requestOptions: { timeout: 150 } },
			message: /^127\.0\.0\.1:\d+ did not answer in time$/,
			description: /raise Timeout/,
		},
		{
			name: 'a slow body',
			kind: { slowBody: 5000 },
			parameters: { ...CONNECTIONS, requestOptions: { timeout: 150 } },
			message: /^127\.0\.0\.1:\d+ did not answer in time$/,
		},
	];

	test.each(cases)('$name', async ({ kind, parameters = FOLDER, message, description }) => {
		const { engine, credential, service } = bench;
		service.fault({ kind });
		const error = await engine.failure({ credential, parameters });
		expect(error.message).toEqual(
			typeof message === 'string' ? message : expect.stringMatching(message),
		);
		if (description !== undefined) expect(error.description).toMatch(description);
		expect(error.description).toBeTruthy();
		expect(`${error.message} ${error.description}`).not.toContain('Cannot read propert');
		expect(error.context.itemIndex).toBe(0);
	});

	test('a redirect is not followed, and the key reaches no other server', async () => {
		const { engine, credential, service } = bench;
		service.fault({ path: /folders/, kind: { redirect: `${service.origin}/elsewhere` } });
		await engine.failure({ credential, parameters: FOLDER });
		expect(service.requests).toHaveLength(1);
	});

	test('a wrong key is sent once, not twice as by n8n’s own retry', async () => {
		const { engine, credential, service } = bench;
		await engine.failure({
			credential: { ...credential, apiKey: 'sk-wrong' },
			parameters: CONNECTIONS,
		});
		expect(service.requests).toHaveLength(1);
	});
});

describe('addresses that lead nowhere', () => {
	const bench = useService();

	test.each([
		['', 'Base URL is empty'],
		['cloud.activepieces.com/api', 'Base URL must begin with https:// or http://'],
		['ftp://example.com/api', 'Base URL must begin with https:// or http://'],
		['https://', 'Base URL is not a valid web address'],
		['https://user:secret@example.com/api', 'Base URL must not hold a user name or password'],
		['https://example.com/api?x=1', 'Base URL must end before any "?" or "#"'],
		['https://example.com/#/platform', 'Base URL must end before any "?" or "#"'],
		['http://127.0.0.1:1/api', 'Nothing answers at 127.0.0.1:1'],
		['http://no-such-host.invalid/api', 'The host no-such-host.invalid was not found'],
	])('%j: %s, in the node as in the credential test', async (baseUrl, message) => {
		const { engine, credential } = bench;
		const wrong = { ...credential, baseUrl };
		const error = await engine.failure({ credential: wrong, parameters: FOLDER });
		expect(error.message).toContain(message);
		const result = await engine.testCredential(wrong);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
	});
});
