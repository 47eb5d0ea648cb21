import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { CONNECTIONS, FOLDER, RENAME, TEMPLATE, INVITATION } from './harness/parameters';
import { useService } from './harness/service';

const USELESS = "Cannot read properties of undefined (reading 'type')";

/** What a message ends in when the request was repeated. */
const TRIES = /, after 5 tries in (less than a second|\d+ seconds?)$/;

interface Case {
	name: string;
	kind: FaultKind;
	parameters?: INodeParameters;
	message: RegExp | string;
	description?: RegExp;
	/** The request is repeated, and the message says so; default false */
	repeated?: boolean;
}

describe('what the service may answer', () => {
	const context = useService();

	const cases: Case[] = [
		{
			name: 'a useless text with 401',
			kind: { status: 401, shape: 'framework', message: USELESS },
			message: 'Activepieces did not accept the API key',
		},
		{
			name: 'a useless text with 403',
			kind: { status: 403, shape: 'framework', message: USELESS },
			message: 'The API key is not allowed to access the folder "abc"',
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
			message: 'The user of the API key is not allowed to do this with the folder',
			description:
				/READ_FLOW. Give the user a role that includes it, or use the key of another user\.$/,
		},
		{
			name: 'a 404 of a proxy',
			kind: { status: 404, body: '404 page not found', contentType: 'text/plain' },
			message: 'Something in front of Activepieces responded that nothing was found (HTTP 404)',
			description: /^A proxy may be unable to reach the server.* Try again.*Base URL/,
		},
		{
			name: 'a 404 of a gateway in JSON',
			kind: { status: 404, body: { message: 'no Route matched with those values' } },
			message: 'Something in front of Activepieces responded that nothing was found (HTTP 404)',
		},
		{
			name: 'an ended session',
			kind: { status: 403, code: 'SESSION_EXPIRED' },
			message: 'The session or user of the API key is no longer active',
			description: /API Key/,
		},
		{
			name: 'a refused template with empty params',
			kind: { status: 403, code: 'AUTHORIZATION', params: {} },
			parameters: TEMPLATE,
			message: 'The API key is not allowed to delete the flow template "abc"',
			description: /only custom templates/,
		},
		{
			name: 'a refused template with a reason',
			kind: {
				status: 403,
				code: 'AUTHORIZATION',
				message: 'Cannot delete official or shared templates',
			},
			parameters: TEMPLATE,
			message: 'The API key is not allowed to delete the flow template "abc"',
			description: /Activepieces says: Cannot delete official/,
		},
		{
			name: 'quota exceeded',
			kind: { status: 402, code: 'QUOTA_EXCEEDED' },
			message: 'You have reached a limit of the Activepieces plan',
		},
		{
			name: 'a web page that only its content type gives away',
			kind: { body: 'Welcome', contentType: 'text/html' },
			parameters: INVITATION,
			message: 'Base URL leads to a web page, not to the Activepieces API',
		},
		{
			name: 'a web page that only its content type gives away, and that would be a record',
			kind: { body: '{"id":"abc"}', contentType: 'text/html' },
			message: 'Base URL leads to a web page, not to the Activepieces API',
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
			message: 'The API key is not allowed to access the global connections',
			description: /Activepieces says: User is not an admin/,
		},
		{
			name: 'a list that is not known',
			kind: { status: 404, code: 'ENTITY_NOT_FOUND' },
			parameters: CONNECTIONS,
			message: 'The server has no global connections endpoint for this request (HTTP 404)',
		},
		{
			name: 'another conflict',
			kind: { status: 409, code: 'CONFLICT', message: 'busy' },
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
			kind: { status: 429, shape: 'framework', headers: { 'retry-after': '61' } },
			message: 'Activepieces is receiving too many requests',
			description: /wait 61 seconds/,
		},
		{
			name: 'a proxy without its server',
			kind: { status: 502, shape: 'html' },
			repeated: true,
			message: 'Activepieces is not available behind its proxy (HTTP 502)',
		},
		{
			name: 'a server that starts',
			kind: { status: 503, shape: 'html' },
			repeated: true,
			message: 'Activepieces is not available behind its proxy (HTTP 503)',
		},
		{
			name: 'a proxy that gave up',
			kind: { status: 504, shape: 'html' },
			repeated: true,
			message: 'Activepieces is not available behind its proxy (HTTP 504)',
		},
		{
			name: 'a web page with 200',
			kind: { html: true },
			message: 'Base URL leads to a web page, not to the Activepieces API',
		},
		{
			name: 'a web page with 200 for a delete',
			kind: { html: true },
			parameters: INVITATION,
			message: 'Base URL leads to a web page, not to the Activepieces API',
		},
		{
			name: 'a web page with 404',
			kind: { status: 404, shape: 'html' },
			message: 'Base URL leads to a web page, not to the Activepieces API',
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
			message: 'The response for the global connections is incomplete or is not JSON',
		},
		{
			name: 'an empty body',
			kind: { empty: true },
			message: 'The response for the folder does not have the expected format',
		},
		{
			name: '204 where a record is due',
			kind: { noContent: true },
			message: 'The response for the folder does not have the expected format',
		},
		{
			name: 'a list where a record is due',
			kind: { body: [] },
			message: 'The response for the folder does not have the expected format',
		},
		{
			name: 'a connection cut before the answer',
			kind: { reset: 'beforeHeaders' },
			repeated: true,
			message: /^127\.0\.0\.1:\d+ closed the connection before the response was complete$/,
		},
		{
			name: 'a connection cut in the answer',
			kind: { reset: 'inBody' },
			parameters: CONNECTIONS,
			repeated: true,
			message: /^127\.0\.0\.1:\d+ closed the connection before the response was complete$/,
		},
		{
			name: 'a slow answer',
			kind: { delay: 5000 },
			parameters: { ...FOLDER, requestOptions: { timeout: 150 } },
			repeated: true,
			message: /^127\.0\.0\.1:\d+ did not respond in time$/,
			description: /raise Timeout/,
		},
		{
			name: 'a slow body',
			kind: { slowBody: 5000 },
			parameters: { ...CONNECTIONS, requestOptions: { timeout: 150 } },
			repeated: true,
			message: /^127\.0\.0\.1:\d+ did not respond in time$/,
		},
	];

	test.each(cases)('$name', async (each) => {
		const { kind, parameters = FOLDER, message, description, repeated = false } = each;
		const { service } = context;
		service.fault({ kind });
		const error = await context.failure(parameters);
		expect(TRIES.test(error.message)).toBe(repeated);
		expect(error.message.replace(TRIES, '')).toEqual(
			typeof message === 'string' ? message : expect.stringMatching(message),
		);
		if (description !== undefined) expect(error.description).toMatch(description);
		expect(error.description).toBeTruthy();
		expect(`${error.message} ${error.description}`).not.toContain('Cannot read propert');
		expect(error.context.itemIndex).toBe(0);
	});

	test('a redirect is not followed, and the key reaches no other server', async () => {
		const { service } = context;
		service.fault({ path: /folders/, kind: { redirect: `${service.origin}/elsewhere` } });
		await context.failure(FOLDER);
		expect(service.requests).toHaveLength(1);
	});

	test('a wrong key is sent once, not twice as by n8n’s own retry', async () => {
		const { credential, service } = context;
		await context.failure(CONNECTIONS, { credential: { ...credential, apiKey: 'sk-wrong' } });
		// Without the key, the server is asked whether its edition has keys.
		const withKey = service.requests.filter(({ headers }) => headers.authorization !== undefined);
		expect(withKey).toHaveLength(1);
	});
});
