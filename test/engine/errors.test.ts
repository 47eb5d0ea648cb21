import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { CONNECTIONS, FOLDER, TEMPLATE } from './harness/parameters';
import { useService } from './harness/service';

const USELESS = "Cannot read properties of undefined (reading 'type')";
const useless = (status: number): FaultKind => ({ status, shape: 'framework', message: USELESS });
const forbidden = (message?: string): FaultKind => ({
	status: 403,
	code: 'AUTHORIZATION',
	message,
});
const page = (status: number): FaultKind => ({ status, shape: 'html' });

const IN_FRONT = 'Something in front of Activepieces';
const WEB_PAGE = 'Base URL leads to a web page, not to the Activepieces API';
const NO_TEMPLATE = 'The API key is not allowed to delete the flow template "abc"';
const TOO_LARGE = 'The request is larger than the server accepts';
const NO_FORM = 'The response for the folder does not have the expected format';

/** What a message ends in when the request was repeated. */
const TRIES = /, after 5 tries in (less than a second|\d+ seconds?)$/;

interface More {
	parameters?: INodeParameters;
	description?: RegExp;
	/** The request is repeated, and the message says so; default false */
	repeated?: boolean;
}

// Other answers that come to the same message are in faults/.
const CASES: Array<[name: string, kind: FaultKind, message: RegExp | string, more?: More]> = [
	['a useless text with 401', useless(401), 'Activepieces did not accept the API key'],
	[
		'a useless text with 403',
		useless(403),
		'The API key is not allowed to access the folder "abc"',
	],
	[
		'a useless text with 404',
		useless(404),
		'Folder "abc" was not found',
		{ description: /^Check Folder/ },
	],
	[
		'a useless text with 500',
		useless(500),
		'Activepieces could not process the request (HTTP 500)',
		{ description: /^The cause is on the server/ },
	],
	[
		'a missing permission',
		{ status: 403, code: 'PERMISSION_DENIED', params: { permission: 'READ_FLOW' } },
		'The user of the API key is not allowed to do this with the folder',
		{
			description:
				/READ_FLOW. Give the user a role that includes it, or use the key of another user\.$/,
		},
	],
	[
		'a 404 of a proxy',
		{ status: 404, body: '404 page not found', contentType: 'text/plain' },
		`${IN_FRONT} responded that nothing was found (HTTP 404)`,
		{ description: /^A proxy may be unable to reach the server.* Try again.*Base URL/ },
	],
	[
		'a 404 of a gateway in JSON',
		{ status: 404, body: { message: 'no Route matched with those values' } },
		`${IN_FRONT} responded that nothing was found (HTTP 404)`,
	],
	[
		'an ended session',
		{ status: 403, code: 'SESSION_EXPIRED' },
		'The session or user of the API key is no longer active',
		{ description: /API Key/ },
	],
	[
		'a refused template with empty params',
		forbidden(),
		NO_TEMPLATE,
		{ parameters: TEMPLATE, description: /only custom templates/ },
	],
	[
		'a refused template with a reason',
		forbidden('Cannot delete official or shared templates'),
		NO_TEMPLATE,
		{ parameters: TEMPLATE, description: /Activepieces says: Cannot delete official/ },
	],
	[
		'quota exceeded',
		{ status: 402, code: 'QUOTA_EXCEEDED' },
		'You have reached a limit of the Activepieces plan',
	],
	[
		'a web page that only its content type gives away, and that would be a record',
		{ body: '{"id":"abc"}', contentType: 'text/html' },
		WEB_PAGE,
	],
	[
		'a firewall that refuses',
		page(403),
		`${IN_FRONT} refused the request (HTTP 403)`,
		{ description: /proxy or firewall/ },
	],
	['a proxy that wants a password', page(401), `${IN_FRONT} refused the request (HTTP 401)`],
	[
		'a user who is no admin',
		forbidden('User is not an admin/owner of the platform.'),
		'The API key is not allowed to access the global connections',
		{ parameters: CONNECTIONS, description: /Activepieces says: User is not an admin/ },
	],
	[
		'a list that is not known',
		{ status: 404, code: 'ENTITY_NOT_FOUND' },
		'The server has no global connections endpoint for this request (HTTP 404)',
		{ parameters: CONNECTIONS },
	],
	[
		'another conflict',
		{ status: 409, code: 'CONFLICT', message: 'busy' },
		'Activepieces refused the request (HTTP 409)',
		{ description: /Activepieces says: busy/ },
	],
	[
		'a business rule',
		{ status: 422, message: 'not now' },
		'Activepieces refused the request (HTTP 422)',
		{ description: /not now/ },
	],
	[
		'a rate limit',
		{ status: 429, shape: 'framework', headers: { 'retry-after': '61' } },
		'Activepieces is receiving too many requests',
		{ description: /wait 61 seconds/ },
	],
	[
		'a proxy without its server',
		page(502),
		'Activepieces is not available behind its proxy (HTTP 502)',
		{ repeated: true },
	],
	['a web page with 200', { html: true }, WEB_PAGE],
	['a web page with 404', page(404), WEB_PAGE],
	['a request that is too long', page(414), TOO_LARGE],
	['headers that are too long', { status: 431, shape: 'framework' }, TOO_LARGE],
	[
		'a control character refused by a proxy',
		page(400),
		'The server in front of Activepieces refused the request for folder "abc"',
	],
	[
		'a redirect',
		{ redirect: 'https://other.example/api/v1/folders/abc' },
		'The server redirects to https://other.example/api/v1/folders/abc',
		{ description: /set Base URL/ },
	],
	[
		'truncated JSON',
		{ truncated: true },
		'The response for the global connections is incomplete or is not JSON',
		{ parameters: CONNECTIONS },
	],
	['204 where a record is due', { noContent: true }, NO_FORM],
	['a list where a record is due', { body: [] }, NO_FORM],
	[
		'a connection cut in the answer',
		{ reset: 'inBody' },
		/^127\.0\.0\.1:\d+ closed the connection before the response was complete$/,
		{ parameters: CONNECTIONS, repeated: true },
	],
	[
		'a slow body',
		{ slowBody: 5000 },
		/^127\.0\.0\.1:\d+ did not respond in time$/,
		{
			parameters: { ...CONNECTIONS, requestOptions: { timeout: 60 } },
			description: /raise Timeout/,
			repeated: true,
		},
	],
];

describe('what the service may answer', () => {
	const context = useService();

	test.each(CASES)('%s', async (_name, kind, message, more = {}) => {
		const { parameters = FOLDER, description = /\w/, repeated = false } = more;
		context.fault({ kind });
		const error = await context.failure(parameters);
		expect(TRIES.test(error.message)).toBe(repeated);
		expect(error.message.replace(TRIES, '')).toEqual(
			typeof message === 'string' ? message : expect.stringMatching(message),
		);
		expect(error.description).toMatch(description);
		expect(`${error.message} ${error.description}`).not.toContain('Cannot read propert');
		expect(error.context.itemIndex).toBe(0);
	});

	test('a redirect is not followed, and the key reaches no other server', async () => {
		context.fault({ path: /folders/, kind: { redirect: `${context.origin}/elsewhere` } });
		await context.failure(FOLDER);
		expect(context.requests).toHaveLength(1);
	});

	test('a wrong key is sent once, not twice as by n8n’s own retry', async () => {
		const credential = { ...context.credential, apiKey: 'sk-wrong' };
		await context.failure(CONNECTIONS, { credential });
		// Without the key, the server is asked whether its edition has keys.
		const { requests } = context.service;
		expect(requests.filter(({ headers }) => headers.authorization !== undefined)).toHaveLength(1);
	});
});
