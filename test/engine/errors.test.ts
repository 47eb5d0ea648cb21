import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { CONNECTIONS, FOLDER, RENAME, TEMPLATE } from './harness/parameters';
import { useService } from './harness/service';

const USELESS = "Cannot read properties of undefined (reading 'type')";
const useless = (status: number): FaultKind => ({ status, shape: 'framework', message: USELESS });
const forbidden = (message?: string): FaultKind => {
	return { status: 403, code: 'AUTHORIZATION', message };
};
const page = (status: number): FaultKind => ({ status, shape: 'html' });

const refusedByProxy = (status: number) =>
	`A proxy or firewall in front of Activepieces refused the request (HTTP ${status})`;
const NOTHING_THERE =
	'A proxy in front of Activepieces responded that nothing was found (HTTP 404)';
const WEB_PAGE = 'Base URL points to a web page, not to the Activepieces API';
const NO_TEMPLATE = 'The API key is not allowed to delete the flow template "abc"';
const NO_FOLDER = 'The API key is not allowed to access the folder "abc"';
const NO_LIST = 'The server has no global connections endpoint for this request (HTTP 404)';
const NO_CONNECTIONS = 'The API key is not allowed to access the global connections';
const NO_PERMISSION = 'The user of the API key is not allowed to do this with the folder';
const TOO_LARGE = 'The request is larger than the server accepts';
const NO_FORM = 'The response for the folder does not have the expected format';
const COULD_NOT = 'Activepieces could not process the request (HTTP 500)';
const CUT = /^127\.0\.0\.1:\d+ closed the connection before the response was complete$/;

/** The end of a message whose request was repeated. */
const TRIES = /, after 5 tries in (less than a second|\d+ seconds?)$/;

interface More {
	parameters?: INodeParameters;
	/** Whether the request is repeated, and the message says so; default false */
	repeated?: boolean;
}

const ANY = /\w/;
const OF_CONNECTIONS = { parameters: CONNECTIONS };
const OF_TEMPLATE = { parameters: TEMPLATE };
const EXPIRED: FaultKind = { status: 403, code: 'SESSION_EXPIRED' };
const UNKNOWN: FaultKind = { status: 404, code: 'ENTITY_NOT_FOUND' };
const BUSY: FaultKind = { status: 409, code: 'CONFLICT', message: 'busy' };
const NO_ROUTE: FaultKind = {
	status: 404,
	body: { message: 'no Route matched with those values' },
};
const NO_ADMIN = forbidden('User is not an admin/owner of the platform.');
const ENDED = 'The API key or its user is no longer active';
const QUOTA = 'You have reached a limit of the Activepieces plan';
const REFUSED_IN_FRONT = 'A proxy in front of Activepieces refused the request for folder "abc"';
const ELSEWHERE = 'https://other.example/api/v1/folders/abc';
const plain = (body: string): FaultKind => ({ status: 404, body, contentType: 'text/plain' });
const lacking = (permission: string): FaultKind => {
	return { status: 403, code: 'PERMISSION_DENIED', params: { permission } };
};
const A_ROLE =
	/READ_FLOW. Give the user a role that includes it, or use the key of another user\.$/;

// Other responses with the same messages are in faults/.
const CASES: Array<[string, FaultKind, message: RegExp | string, description?: RegExp, More?]> = [
	['a useless text with 401', useless(401), 'Activepieces did not accept the API key'],
	['a useless text with 403', useless(403), NO_FOLDER],
	['a useless text with 404', useless(404), 'Folder "abc" was not found', /^Check Folder/],
	['a useless text with 500', useless(500), COULD_NOT, /^The cause is on the server/],
	['a missing permission', lacking('READ_FLOW'), NO_PERMISSION, A_ROLE],
	[
		'a 404 of a proxy',
		plain('404 page not found'),
		NOTHING_THERE,
		/^The proxy .*Try again.*Base URL/,
	],
	['a 404 of a gateway in JSON', NO_ROUTE, NOTHING_THERE],
	['an ended session', EXPIRED, ENDED, /API Key/],
	['a refused template', forbidden(), NO_TEMPLATE, /only custom templates/, OF_TEMPLATE],
	['and the reason', forbidden('Cannot delete'), NO_TEMPLATE, /says: Cannot delete/, OF_TEMPLATE],
	['quota exceeded', { status: 402, code: 'QUOTA_EXCEEDED' }, QUOTA],
	['a web page by its type alone', { body: '{"id":"abc"}', contentType: 'text/html' }, WEB_PAGE],
	['a firewall', page(403), refusedByProxy(403), /proxy or firewall/],
	['a proxy that wants a password', page(401), refusedByProxy(401)],
	['a proxy that wants a payment', page(402), refusedByProxy(402)],
	['a user who is no admin', NO_ADMIN, NO_CONNECTIONS, /says: User is not an/, OF_CONNECTIONS],
	['a list that is not known', UNKNOWN, NO_LIST, ANY, OF_CONNECTIONS],
	[
		'another conflict',
		BUSY,
		'Activepieces refused the request (HTTP 409)',
		/Activepieces says: busy/,
	],
	['a web page with 404', page(404), WEB_PAGE],
	['a request that is too long', page(414), TOO_LARGE],
	['headers that are too long', { status: 431, shape: 'framework' }, TOO_LARGE],
	['a control character refused by a proxy', page(400), REFUSED_IN_FRONT],
	['a redirect', { redirect: ELSEWHERE }, `The server redirects to ${ELSEWHERE}`, /set Base URL/],
	['a list where a record is due', { body: [] }, NO_FORM],
	['a cut in the answer', { reset: 'inBody' }, CUT, ANY, { ...OF_CONNECTIONS, repeated: true }],
];

describe('responses of the service', () => {
	const context = useService();

	test('a description that ends with a URL ends its sentence before the next one', async () => {
		context.fault({ kind: { body: { ok: true } } });
		const credential = { ...context.credential, baseUrl: context.origin };
		expect((await context.failure(RENAME, { credential })).description).toMatch(
			/ in \/api\. Try \S+\/api\. Activepieces may have applied the change\./,
		);
	});

	test.each(CASES)('%s', async (_name, kind, message, description = ANY, more = {}) => {
		const { parameters = FOLDER, repeated = false } = more;
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
});
