import { type INodeParameters, sleep } from 'n8n-workflow';

import { type FaultKind, type Service, startService } from '../service';
import type { Account } from '../service/sessions';
import { limits, tryOnce, waitReally } from './harness/built';
import { type AnyCredential, save, savedWith } from './harness/credentials';
import { useHostileServers } from './harness/hostile';
import { jsonOf } from './harness/hostileServer';
import { useHttpProxy } from './harness/httpProxy';
import { flowFile } from './harness/flowFile';
import {
	ALL_FLOWS,
	FOLDER,
	GET,
	INVITATION,
	METRICS,
	parametersOf,
	RENAME,
} from './harness/parameters';
import {
	byId,
	cancelAt,
	FIRST_AND_LAST,
	requestPaths,
	type TestContext,
	useService,
} from './harness/service';
import { SIGN_IN, SIGN_IN_PATH, signInCredential, signIns, tokensSent } from './harness/signIn';
import { captureLog, textsOf, tracesOf } from './harness/traces';
import { TriggerRun } from './harness/trigger';

/** Otherwise all sign-ins of a test file would count for the service's limit of 50 a minute. */
let now = Date.now();
const clock = () => now;
beforeEach(() => {
	now += 61_000;
});

const EDITION = { edition: 'community', clock } as const;

const A_FOLDER: INodeParameters = { ...FOLDER, ...SIGN_IN };
const EACH_FOLDER: INodeParameters = { ...GET, ...SIGN_IN };
const FLOWS: INodeParameters = { ...ALL_FLOWS, ...SIGN_IN };
const RENAME_IT = { ...RENAME, ...SIGN_IN };

const WRONG = { password: 'Wrong-Passw0rd' };
const REFUSED = 'Activepieces did not accept the email and password';
const NO_PLATFORM = 'The Activepieces user does not belong to a platform yet';

/** A number of folders to read, with a credential that has never signed in. */
const folders = (context: TestContext, count: number, changes = {}) => {
	const ids = context.data.folders.map(({ id }) => id);
	return {
		credential: Object.assign(signInCredential(context), changes),
		items: Array.from({ length: count }, (_, index) => ({ id: ids[index % ids.length] })),
	};
};

const tokenIn = (credential: AnyCredential): string =>
	(JSON.parse(String(savedWith(credential).sessionToken)) as { token: string }).token;

// Before and after the releases that changed the responses to a sign-in and to an expired session.
describe.each(FIRST_AND_LAST)('signing in on release %s', (release) => {
	const context = useService({ ...EDITION, release });

	const ENDS = ['expireTokens', 'revokeTokens'] as const;
	test.each(ENDS)('n8n keeps the session, and one that ended is renewed once: %s', async (end) => {
		const given = folders(context, 12);
		await context.records(EACH_FOLDER, given);
		context.service[end]();
		context.clearRequests();
		expect(await context.records(EACH_FOLDER, given)).toHaveLength(12);
		expect(signIns(context)).toBe(1);
		expect(tokensSent(context)).toHaveLength(2);
		context.clearRequests();
		await context.records(EACH_FOLDER, given);
		expect(signIns(context)).toBe(0);
		expect(tokensSent(context)).toEqual([tokenIn(given.credential)]);
	});

	test('the credential test signs in, whatever session n8n keeps', async () => {
		const { credential, items } = folders(context, 1);
		await context.records(EACH_FOLDER, { credential, items });
		context.clearRequests();
		const kept = { ...credential, ...savedWith(credential) };
		const passed = { status: 'OK', message: 'Connection successful' };
		expect(await context.engine.testCredential(kept)).toEqual(passed);
		const [first, second] = requestPaths(context);
		expect(first).toBe(`POST ${SIGN_IN_PATH}`);
		// The path of the list in 0.73 for a user without the admin role, once it is known.
		expect(second).toMatch(/^GET \/v1\/(users\/)?projects$/);
	});

	// One letter is not redacted, because every message contains it.
	test.each<[object, string]>([
		[WRONG, 'Check Email and Password in the credential.'],
		[{ password: 'a' }, 'at least 8 characters'],
		[{ password: 'short' }, 'at least 8 characters'],
		[{ email: 'somebody' }, 'at least 8 characters'],
	])('%j is named, and tried once', async (changes, advice) => {
		const given = folders(context, 30, changes);
		const error = await context.failsWith(EACH_FOLDER, REFUSED, advice, given);
		expect(error.httpCode).toBe(changes === WRONG ? '401' : '400');
		expect(requestPaths(context)).toEqual([`POST ${SIGN_IN_PATH}`]);
		const failed = { status: 'Error', message: `${error.message}. ${error.description}` };
		expect(await context.engine.testCredential(given.credential)).toEqual(failed);
	});
});

const context = useService(EDITION);

describe('a session', () => {
	const given = useHttpProxy();

	test.each([false, true])('is one for all items, in order (router: %s)', async (isRouted) => {
		const given = folders(context, 20);
		const records = await context.records(EACH_FOLDER, { ...given, isRouted });
		expect(records.map(({ id }) => id)).toEqual(given.items.map(({ id }) => id));
		expect(signIns(context)).toBe(1);
		expect(tokensSent(context)).toHaveLength(1);
	});

	test('is the same however the email is written, and blanks around it are not sent', async () => {
		const { credential, items } = folders(context, 1);
		await context.records(EACH_FOLDER, { credential, items });
		const email = ` ${credential.email.toUpperCase()}\n`;
		const changed = { ...credential, email };
		save(changed, savedWith(credential));
		context.clearRequests();
		await context.records(EACH_FOLDER, { credential: changed, items });
		expect(signIns(context)).toBe(0);
		expect(await context.engine.testCredential(changed)).toMatchObject({ status: 'OK' });
	});

	test('that ends while an import is canceled is renewed, and the new flow removed', async () => {
		const { credential } = folders(context, 1);
		const before = context.data.flows.length;
		context.fault({ method: 'POST', path: /flows\/\w+$/, kind: { delay: 2_000 } });
		const parameters = parametersOf('flow.import', {
			mode: 'create',
			projectId: byId(context.data.projects[0].id),
			content: JSON.stringify(flowFile('Orders', { type: 'CODE', settings: { input: {} } })),
		});
		const started = (cancel: () => void) =>
			cancelAt(
				context,
				1,
				/flows\/\w+$/,
			)(() => {
				context.service.expireTokens();
				cancel();
			});
		const { error } = await context.run({ ...parameters, ...SIGN_IN }, { credential, started });
		expect(error?.description).toBeFalsy();
		expect(context.data.flows).toHaveLength(before);
		expect(signIns(context)).toBe(2);
	});

	test('is renewed for a rename, which runs once', async () => {
		const given = folders(context, 1);
		const [{ id }] = given.items;
		await context.records(EACH_FOLDER, given);
		context.service.expireTokens();
		context.clearRequests();
		const [record] = await context.records(
			{ ...RENAME, ...EACH_FOLDER, operation: 'update' },
			given,
		);
		expect(record.displayName).toBe('Sales');
		expect(context.requests.map(({ path, status }) => [path, status])).toEqual([
			[`/v1/folders/${id}`, 401],
			[SIGN_IN_PATH, 200],
			[`/v1/folders/${id}`, 200],
		]);
	});

	test('that ends in the middle of a run is renewed once more, and then not again', async () => {
		const answers = ({ path }: { path: string }) => {
			context.service.expireTokens();
			return { id: path.split('/').at(-1), displayName: 'Sales' };
		};
		const ending = { path: /folders/, times: 1, kind: { answers } } as const;
		context.fault({ ...ending, after: 20 });
		expect(await context.records(EACH_FOLDER, folders(context, 40))).toHaveLength(40);
		expect(signIns(context)).toBe(2);

		for (const after of [5, 30]) context.fault({ ...ending, after });
		await context.failsWith(EACH_FOLDER, 'Activepieces did not accept the session', '', {
			...folders(context, 60),
		});
		expect(signIns(context)).toBe(4);
	});

	test('that ends while an item reads several projects is renewed once, however late the refusals arrive', async () => {
		const [first, ...others] = context.data.projects;
		const answers = () => {
			context.service.expireTokens();
			return { data: [], next: null };
		};
		context.fault({ path: '/v1/flows', projectId: first.id, kind: { answers } });
		for (const [index, { id }] of others.entries()) {
			context.fault({ path: '/v1/flows', projectId: id, kind: { delay: 30 * (index + 1) } });
		}
		const credential = signInCredential(context);
		expect(await context.records(FLOWS, { credential })).not.toEqual([]);
		expect(signIns(context)).toBe(2);
	});

	test('stays with its account when the credential comes from expressions', async () => {
		const accounts = [0, 1].map((account) => signInCredential(context, account));
		const { items } = await context.run(
			{ ...METRICS, ...SIGN_IN },
			{
				credential: (item) => accounts[item % 2],
				items: Array.from({ length: 20 }, () => ({})),
				onError: 'continueRegularOutput',
			},
		);
		// The first account is an admin.
		const isRead = items.map(({ json }) => json.stats !== undefined);
		expect(isRead).toEqual(items.map((_, item) => item % 2 === 0));
		expect(signIns(context)).toBe(2);
		const refused = 'The signed-in user is not allowed to access the queue metrics';
		expect(items[1].json.error).toBe(refused);
	});

	test('does not reach another server when Base URL is changed', async () => {
		const given = folders(context, 1);
		await context.records(EACH_FOLDER, given);
		const token = tokenIn(given.credential);
		const other: Service = await startService(EDITION);
		try {
			// n8n keeps the hidden session when a person edits the other fields.
			const credential = { ...given.credential, baseUrl: other.baseUrl };
			save(credential, savedWith(given.credential));
			await context.records(FLOWS, { credential });
			const sent = other.requests.map(({ headers }) => headers.authorization ?? '');
			expect(sent.filter((header) => header.includes(token))).toEqual([]);
			expect(other.requests[0].path).toBe(SIGN_IN_PATH);

			// Other nodes of n8n, which do not know it, get what makes n8n sign in again.
			const { authenticate } = context.engine.loader.getCredential('activepiecesSignInApi').type;
			if (typeof authenticate !== 'function') throw new Error('has no authenticate()');
			const withOld = { ...credential, ...savedWith(given.credential) };
			await expect(authenticate(withOld, { url: other.baseUrl })).rejects.toMatchObject({
				response: { status: 401 },
			});
		} finally {
			await other.close();
		}
	});

	test('is requested with the Request Options of the node', async () => {
		const parameters = { ...EACH_FOLDER, requestOptions: { proxy: given.proxy.url } };
		await context.records(parameters, folders(context, 1));
		expect(given.proxy.targets).toHaveLength(2);
		expect(given.proxy.targets[0]).toContain(new URL(context.origin).host);
	});
});

test.each([
	['429', { status: 429, headers: { 'retry-after': '60' } }],
	['502 of a proxy', { status: 502, shape: 'html' as const }],
	['a cut connection', { reset: 'beforeHeaders' as const }],
])(
	'a sign-in that finds the service down is repeated, once for all items: %s',
	async (_name, kind) => {
		context.fault({ path: SIGN_IN_PATH, times: 1, kind });
		expect(await context.records(EACH_FOLDER, folders(context, 20))).toHaveLength(20);
		expect(signIns(context)).toBe(2);
	},
);

test('a sign-in that finds the service down reports it in the end, and that nothing was done', async () => {
	context.fault({ path: SIGN_IN_PATH, kind: { status: 429 } });
	const credential = signInCredential(context);
	const busy = /^Activepieces is receiving too many sign-ins, after 5 tries/;
	await context.failsWith(RENAME_IT, busy, /^(?!.*may have applied)/, { credential });
	expect(signIns(context)).toBe(5);
});

describe('a sign-in that is refused', () => {
	test('fails all items in the same way with one sign-in when the workflow continues', async () => {
		const given = { ...folders(context, 30, WRONG), onError: 'continueRegularOutput' as const };
		const { items } = await context.run(EACH_FOLDER, given);
		expect(items.map(({ json }) => json.error)).toEqual(Array(30).fill(REFUSED));
		expect(signIns(context)).toBe(1);
	});

	test.each([
		['Email', { email: ' ' }, 'Email is empty'],
		['Password', { password: '' }, 'Password is empty'],
		['Base URL', { baseUrl: 'activepieces' }, /^Base URL must start with/],
	])('without %s is not sent', async (_name, fields, message) => {
		const { credential } = folders(context, 0, fields);
		await context.refuses(A_FOLDER, new RegExp(message), 'Nothing was sent.', { credential });
		expect((await context.engine.testCredential(credential)).message).toMatch(message);
		expect(context.requests).toEqual([]);
	});

	const ELSEWHERE = 'https://other.example/';
	const PROXY = 'A proxy or firewall in front of Activepieces refused the request (HTTP 401)';
	const NOTHING = 'A proxy in front of Activepieces responded that nothing was found (HTTP 404)';
	const FAILED = 'Activepieces could not process the request (HTTP 500)';
	const plain = (status: number) => ({ status, body: 'No', contentType: 'text/plain' });
	test.each<[string, FaultKind, string]>([
		['a 401 of a proxy in JSON', { status: 401, body: { message: 'No' } }, PROXY],
		['a 401 as a web page', { status: 401, shape: 'html' }, PROXY],
		['a 404 of a proxy', plain(404), NOTHING],
		['a redirect', { redirect: ELSEWHERE, status: 307 }, `The server redirects to ${ELSEWHERE}`],
		['a page', { html: true }, 'Base URL points to a web page, not to the Activepieces API'],
		['a 500 of the service', { status: 500 }, FAILED],
		['a 401 of the service', { status: 401, code: 'OTHER' }, REFUSED],
		['a 403 of the service', { status: 403 }, 'Activepieces does not allow the user to sign in'],
	])('says who answered, and what was sent: %s', async (_name, kind, message) => {
		context.fault({ path: SIGN_IN_PATH, kind });
		const credential = signInCredential(context);
		const says = [`sent to ${context.baseUrl}${SIGN_IN_PATH}.`, /[Ee]mail and [Pp]assword/];
		const error = await context.failsWith(A_FOLDER, message, says, { credential });
		const test = await context.engine.testCredential(credential);
		for (const text of [error.message, error.description, test.message]) {
			expect(text).not.toContain('session');
		}
		expect(new Set(requestPaths(context))).toEqual(new Set([`POST ${SIGN_IN_PATH}`]));
	});

	test('names the session and its request when a proxy refuses those', async () => {
		for (const status of [401, 403]) {
			context.clearFaults();
			context.fault({ path: /folders/, kind: plain(status) });
			const message = PROXY.replace('401', String(status));
			const says = 'did not check the session sent with GET /v1/folders/{id}.';
			const credential = signInCredential(context);
			await context.failsWith(A_FOLDER, message, says, { credential });
			expect(signIns(context)).toBe(1);
			context.clearRequests();
		}
	});

	test('is told from a fresh session that the service itself refuses', async () => {
		context.fault({ path: /folders/, kind: { status: 401 } });
		const says =
			/^The session, sent with GET \/v1\/folders\/\{id\}, .* accepted the email and password, but not the session\./;
		const credential = signInCredential(context);
		await context.failsWith(A_FOLDER, 'Activepieces did not accept the session', says, {
			credential,
		});
	});
});

describe('a user whom the platform does not admit', () => {
	const context = useService({ edition: 'enterprise', plan: { ssoEnabled: true }, clock });
	let [platform]: Array<Account['platform']> = [];
	beforeAll(() => ({ platform } = context.accounts[0]));
	afterEach(() => {
		Object.assign(context.accounts[0], { verified: true, platform });
		for (const { user } of context.accounts) user.status = 'ACTIVE';
		Object.assign(context.data.signIn, { emailAuthEnabled: true, allowedAuthDomains: null });
	});

	type Change = (account: Account, signIn: Service['data']['signIn']) => void;
	const REASONS: Record<string, Change> = {
		'The Activepieces user is deactivated': ({ user }) => (user.status = 'INACTIVE'),
		'The email address of the Activepieces user is not verified': (account) =>
			(account.verified = false),
		[NO_PLATFORM]: (account) => (account.platform = null),
		'The Activepieces platform allows single sign-on only': (_account, signIn) =>
			(signIn.emailAuthEnabled = false),
		'The Activepieces platform does not allow this email domain': (_account, signIn) =>
			(signIn.allowedAuthDomains = ['other.example']),
	};
	test.each(Object.entries(REASONS))('reads why: %s', async (message, change) => {
		change(context.accounts[0], context.data.signIn);
		const credential = signInCredential(context);
		await context.failsWith(A_FOLDER, message, /\w/, { credential });
		expect((await context.engine.testCredential(credential)).message).toContain(message);
	});

	test('including one who is deactivated after signing in', async () => {
		const credential = signInCredential(context, 1);
		await context.records(FLOWS, { credential });
		context.accounts[1].user.status = 'INACTIVE';
		await context.failsWith(FLOWS, 'The Activepieces user is deactivated', '', { credential });
	});

	const old = useService({ ...EDITION, release: '0.79' });
	test('and one without a platform in a release that returns no session then', async () => {
		old.accounts[0].platform = null;
		const credential = signInCredential(old);
		await old.failsWith(A_FOLDER, NO_PLATFORM, '', { credential });
	});
});

describe('password and session', () => {
	const context = useService(EDITION);
	let log: unknown[];
	/** Escaped in another way by JSON */
	const PASSWORD = 'P"ass\\w0rd-#1';
	beforeAll(() => {
		log = captureLog();
		context.accounts[0].password = PASSWORD;
	});
	beforeEach(tryOnce);

	const leaks = (texts: string[], credential: AnyCredential) => {
		const { sessionToken } = savedWith(credential);
		const token = sessionToken === undefined ? [] : [tokenIn(credential)];
		const secrets = [PASSWORD, JSON.stringify(PASSWORD).slice(1, -1), ...token];
		return texts.filter((text) => secrets.some((secret) => text.includes(secret)));
	};

	test.each<[string, { path?: string | RegExp; status?: number; delay?: number }]>([
		['a good answer', {}],
		['a refusal that repeats the password', { path: SIGN_IN_PATH, status: 400 }],
		['an answer that repeats both', { path: /folders/, status: 500 }],
		['an ended session that repeats both', { path: /folders/, status: 401 }],
		['a time-out', { path: /folders/, delay: 60_000 }],
		['a time-out of the sign-in', { path: SIGN_IN_PATH, delay: 60_000 }],
	])('are in nothing that a run leaves behind after %s', async (_name, { path, status, delay }) => {
		for (const onError of [undefined, 'continueErrorOutput'] as const) {
			context.clearFaults();
			const given = folders(context, 2, { timeout: 100 });
			const message = `${PASSWORD} ${tokensSent(context).join(' ')}`;
			const body = { code: 'VALIDATION', params: { message } };
			const kind = delay === undefined ? { status, body } : { delay };
			if (path !== undefined) context.fault({ path, kind });
			const result = await context.run(EACH_FOLDER, { ...given, onError });
			expect(leaks(tracesOf(result), given.credential)).toEqual([]);
			const test = await context.engine.testCredential(given.credential);
			expect(leaks([test.message], given.credential)).toEqual([]);
			// What n8n logs meanwhile, at all levels.
			expect(log).not.toEqual([]);
			expect(leaks(textsOf(log), given.credential)).toEqual([]);
		}
	});

	// A password may be a word in records, and a record without it would show that.
	test('the session is in no item when the service has it in its data; the password is only a word there', async () => {
		const given = folders(context, 1);
		await context.records(EACH_FOLDER, given);
		const displayName = `${PASSWORD} ${tokenIn(given.credential)}`;
		context.fault({ path: /folders/, kind: { body: { ...given.items[0], displayName } } });
		const [record] = await context.records(EACH_FOLDER, given);
		expect(record.displayName).toBe(`${PASSWORD} ***`);
	});

	test('are sent in the body of the sign-in and in the header, and nowhere else', async () => {
		const given = folders(context, 1);
		const { credential } = given;
		await context.records(EACH_FOLDER, given);
		const [signIn, folder] = context.requests;
		expect(signIn.body).toEqual({ email: credential.email, password: PASSWORD });
		expect(signIn.headers.authorization).toBeUndefined();
		expect(folder.headers.authorization).toBe(`Bearer ${tokenIn(credential)}`);
		const headers = { ...folder.headers, authorization: '' };
		const rest = textsOf([signIn.url, signIn.headers, folder.url, headers]);
		expect(leaks(rest, credential)).toEqual([]);
	});
});

const hostile = useHostileServers();

const SIGN_IN_REQUEST = `POST ${SIGN_IN_PATH}`;

const hostileSignIns = () =>
	hostile.server.requests.filter(({ path }) => path === SIGN_IN_REQUEST).length;

type Answer = [body: unknown, status?: number];

/** A server with responses for sign-ins, by their number, and for all other requests. */
async function start(
	signIn: (count: number) => Answer,
	other: Answer | (() => Answer),
	headers: Record<string, string> = {},
): Promise<void> {
	let count = 0;
	await hostile.start((response, request, body) => {
		for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
		const others = typeof other === 'function' ? other() : other;
		const [answer, status] = request.url?.includes('sign-in') ? signIn(count++) : others;
		return jsonOf(answer, status)(response, request, body);
	});
}

/** Each test has its own account, because refusals are remembered. */
let accounts = 0;
const account = () => ({
	baseUrl: hostile.server.baseUrl,
	email: `user-${accounts++}@example.com`,
	password: 'correct horse',
});

const EMPTY: Answer = [{ data: [], next: null }];
const NEW_TOKEN = (count: number): Answer => [{ token: `token-number-${count}` }];
const SAME_TOKEN = (): Answer => [{ token: 'always-the-same-token' }];
const ENDED: Answer = [{ code: 'INVALID_BEARER_TOKEN', params: {} }, 401];
/** The responses of flows and folders to an expired session, in some releases (recorded). */
const BARE_403: Answer = [
	{
		statusCode: 403,
		error: 'Forbidden',
		message: "Cannot read properties of undefined (reading 'type')",
	},
	403,
];
const REFUSAL: Answer = [{ code: 'INVALID_CREDENTIALS', params: null }, 401];
const STARTING: Answer = [{ statusCode: 503, error: 'x', message: 'starting' }, 503];

const items = Array.from({ length: 20 }, () => ({}));

/** Runs all items, whatever their outcome. */
const runAll = async (credential = account()) => {
	const run = {
		credential,
		parameters: A_FOLDER,
		items,
		onError: 'continueRegularOutput' as const,
	};
	const { items: output } = await hostile.engine.run(run);
	expect(output).toHaveLength(20);
	return output.map(({ json: { error } }) => String(error));
};

const trigger = (credential = account()) =>
	new TriggerRun({ ...hostile, credential }, { event: 'userJoined', ...SIGN_IN });

const until = async (isReached: () => boolean) => {
	while (!isReached()) await sleep(1);
};

describe.each([
	['new tokens and refuses all of them', NEW_TOKEN, ENDED],
	['the same token again and refuses it without a word', SAME_TOKEN, BARE_403],
])('a server that returns %s', (_name, signIn, other) => {
	test('receives two sign-ins in a run', async () => {
		await start(signIn, other);
		const credential = account();
		const errors = await runAll(credential);
		if (other === ENDED) expect(errors.join()).toContain('did not accept the session');
		expect(hostileSignIns()).toBeLessThanOrEqual(2);
		// Also when n8n has kept an expired session.
		hostile.server.requests.length = 0;
		await runAll(credential);
		expect(hostileSignIns()).toBeLessThanOrEqual(2);
	});
});

test('a session that was renewed stays hidden, because it may still be valid', async () => {
	let count = 0;
	const message = 'Not with token-number-0 or token-number-1';
	await hostile.start(async (response, request, body) => {
		const isOld = request.headers.authorization === 'Bearer token-number-0';
		const other: Answer = isOld ? ENDED : [{ code: 'VALIDATION', params: { message } }, 400];
		const answer = request.url?.includes('sign-in') ? NEW_TOKEN(count++) : other;
		return jsonOf(...answer)(response, request, body);
	});
	const { description } = await hostile.engine.failure({
		credential: account(),
		parameters: A_FOLDER,
	});
	expect(hostileSignIns()).toBe(2);
	expect(description).toContain('Not with *** or ***');
});

test('a record that no session may read does not fail the items whose session has ended', async () => {
	let count = 0;
	let isOver = false;
	await hostile.start(async (response, request, body) => {
		const { url = '', headers } = request;
		if (url.includes('sign-in')) return jsonOf(...NEW_TOKEN(count++))(response, request, body);
		const isForeign = url.includes('foreign');
		const hasEnded = isOver && headers.authorization?.endsWith('number-0') === true;
		// All items send with the session that has ended, and the refusal of the foreign one comes first.
		if (hasEnded && !isForeign) await sleep(50);
		const answer: Answer = isForeign || hasEnded ? BARE_403 : [{ id: url.split('/').at(-1) }];
		return jsonOf(...answer)(response, request, body);
	});
	const credential = account();
	const errors = async (ids: string[]) => {
		const given = { credential, items: ids.map((id) => ({ id })) };
		const onError = 'continueRegularOutput';
		const run = { ...given, parameters: EACH_FOLDER, onError } as const;
		return (await hostile.engine.run(run)).items.map(({ json }) => 'error' in json);
	};
	expect(await errors(['own'])).toEqual([false]);
	isOver = true;
	expect(await errors(['foreign', 'own-1', 'own-2'])).toEqual([true, false, false]);
});

describe('a server that refuses to sign in', () => {
	test.each([
		['the sign-in', REFUSAL, 'Activepieces did not accept the email and password'],
		['the session', SAME_TOKEN(), 'Activepieces did not accept the session'],
	])('receives one request with every poll until it accepts %s', async (_n, answer, message) => {
		let isRefusing = false;
		const signIn = (count: number) => (isRefusing ? answer : NEW_TOKEN(count));
		await start(signIn, () => (isRefusing ? ENDED : EMPTY));
		const run = trigger();
		await run.activate();
		isRefusing = true;
		hostile.server.requests.length = 0;
		for (let poll = 0; poll < 5; poll++) await run.poll();
		expect(hostileSignIns()).toBe(5);
		expect(run.errors.map((error) => error.message)).toEqual(Array(5).fill(message));
		isRefusing = false;
		await run.poll();
		expect(run.errors).toHaveLength(5);
	});

	test('because it is down receives five requests in a run, however many items wait for it', async () => {
		await start(() => STARTING, ENDED);
		const errors = await runAll();
		expect(new Set(errors.map((error) => error.split(',')[0]))).toEqual(
			new Set(['Activepieces is unavailable (HTTP 503)']),
		);
		expect(hostileSignIns()).toBe(limits.execution.maxAttempts);
		// The other items receive its outcome, and do not try in vain.
		const tried = errors.filter((error) => error.includes(', after '));
		expect(tried.length).toBeLessThanOrEqual(limits.execution.maxAttempts);
	});

	test('receives none from waiting items when the workflow is canceled', async () => {
		waitReally();
		await start(() => STARTING, ENDED, { 'retry-after': '30' });
		// The response arrives, after which all items wait.
		const asked = async () =>
			await until(() => hostileSignIns() > 0).then(async () => await sleep(20));
		const started = (cancel: () => void) => void asked().then(cancel);
		await hostile.engine.run({ credential: account(), parameters: A_FOLDER, items, started });
		await sleep(50);
		expect(hostileSignIns()).toBe(1);
	});

	test.each([
		['what no header can carry', 'with a\nline break'],
		['what is longer than any', 'a'.repeat(10_000)],
		['what may be a word', 'flows'],
	])('that returns %s as token returns no session', async (_what, token) => {
		await start(() => [{ token }], [{ id: 'a' }]);
		const error = await hostile.engine.failure({ credential: account(), parameters: A_FOLDER });
		expect(error.message).toBe('The response for the session does not have the expected format');
		expect(hostile.server.requests).toHaveLength(1);
	});
});

test('a sign-in without a response is not awaited any more when the workflow is canceled, by any of its items, of which none was sent', async () => {
	await hostile.start(() => {});
	const started = (cancel: () => void) => void until(() => hostileSignIns() === 1).then(cancel);
	const parameters = { ...INVITATION, ...SIGN_IN };
	const given = { credential: account(), parameters, items, started };
	expect((await hostile.engine.run(given)).error?.description).toBeFalsy();
	await until(() => hostile.server.connections === 0);
	expect(hostileSignIns()).toBe(1);
});

test('a sign-in without a response is not awaited any more when the poll of a trigger is given up', async () => {
	await hostile.start(() => {});
	limits.triggerPollMs = 200;
	const run = trigger();
	await run.activate();
	expect(run.warnings).toEqual([expect.stringContaining('did not finish within')]);
	await until(() => hostile.server.connections === 0);
	expect(hostileSignIns()).toBe(1);
});

describe('a change with a session', () => {
	test('is not sent again when something in front of the service refuses it', async () => {
		await start(NEW_TOKEN, [{ reason: 'the gateway says no' }, 401]);
		await hostile.engine.failure({ credential: account(), parameters: RENAME_IT });
		expect(hostile.server.requests.filter(({ path }) => path !== SIGN_IN_REQUEST)).toHaveLength(1);
	});

	test.each([2 ** 31, 1e12])('signs in with a Timeout of %i ms', async (timeout) => {
		await start(NEW_TOKEN, [{ id: 'abc', displayName: 'Sales' }]);
		const credential = { ...account(), timeout };
		expect(await hostile.engine.records({ credential, parameters: RENAME_IT })).toHaveLength(1);
	});

	test('was not sent, and is not reported as sent, when signing in takes too long', async () => {
		await hostile.start(() => {});
		const credential = { ...account(), timeout: 50 };
		const error = await hostile.engine.failure({ credential, parameters: RENAME_IT });
		expect(error.message).toContain('did not respond in time');
		expect(error.description).not.toContain('may have applied');
		expect(hostileSignIns()).toBe(hostile.server.requests.length);
	});
});
