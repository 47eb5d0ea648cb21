import { sleep } from 'n8n-workflow';

import { FIRST_AND_LAST, type FaultKind, type Service, type ServiceOptions } from '../service';
import type { Account } from '../service/sessions';
import { limits, tryOnce } from './harness/built';
import { byId } from './harness/byId';
import { save, savedWith, type AnyCredential } from './harness/credentials';
import { flowFile } from './harness/flowFile';
import { ALL_FLOWS, FOLDER, GET, INVITATION, METRICS, RENAME } from './harness/parameters';
import { cancelAt, endSilences, requestPaths, type TestContext } from './harness/service';
import { SIGN_IN_PATH, signInCredential, signIns, tokensSent, useSignIn } from './harness/signIn';
import { captureLog, textsOf, tracesOf } from './harness/traces';
import { TriggerRun } from './harness/trigger';

/** Otherwise all sign-ins of a test file would count for the service's limit of 50 a minute. */
let now = Date.now();
const clock = () => now;
beforeEach(() => void (now += 61_000));

const useAccounts = (options: ServiceOptions = {}) =>
	useSignIn({ edition: 'community', clock, ...options });

const CONTINUE = 'continueRegularOutput' as const;
const WRONG = { password: 'Wrong-Passw0rd' };
const REFUSED = 'Activepieces did not accept the email and password';
const PROXY = 'A proxy or firewall in front of Activepieces refused the request (HTTP 401)';
const NO_SESSION = 'Activepieces did not accept the session';
const NO_PLATFORM = 'The Activepieces user does not belong to a platform yet';

const items = Array.from({ length: 20 }, () => ({}));

/** A number of folders to read. */
const folders = ({ data }: TestContext, count: number) =>
	Array.from({ length: count }, (_, index) => ({
		id: data.folders[index % data.folders.length].id,
	}));

const tokenIn = (credential: AnyCredential): string =>
	(JSON.parse(String(savedWith(credential).sessionToken)) as { token: string }).token;

// Before and after the releases that changed the responses to a sign-in and to an expired session.
describe.each(FIRST_AND_LAST)('signing in on release %s', (release) => {
	const context = useAccounts({ release });

	const ENDS = ['expireTokens', 'revokeTokens'] as const;
	test.each(ENDS)('n8n keeps the session, and one that ended is renewed once: %s', async (end) => {
		const items = folders(context, 12);
		await context.records(GET, items);
		context.service[end]();
		context.clearRequests();
		expect(await context.records(GET, items)).toHaveLength(12);
		expect(signIns(context)).toBe(1);
		expect(tokensSent(context)).toHaveLength(2);
		context.clearRequests();
		await context.records(GET, items);
		expect(signIns(context)).toBe(0);
		expect(tokensSent(context)).toEqual([tokenIn(context.credential)]);
	});

	test('the credential test signs in, whatever session n8n keeps', async () => {
		await context.records(GET, folders(context, 1));
		context.clearRequests();
		const kept = { ...context.credential, ...savedWith(context.credential) };
		const passed = { status: 'OK', message: 'Connection successful' };
		expect(await context.engine.testCredential(kept)).toEqual(passed);
		const [first, second] = requestPaths(context);
		expect(first).toBe(`POST ${SIGN_IN_PATH}`);
		expect(second).toBe('GET /v1/projects');
	});

	// One letter is not redacted, because every message contains it.
	test.each<[object, string]>([
		[WRONG, 'Check Email and Password in the credential.'],
		[{ password: 'a' }, 'at least 8 characters'],
		[{ password: 'short' }, 'at least 8 characters'],
		[{ email: 'somebody' }, 'at least 8 characters'],
	])('%j is named, and tried once', async (changes, advice) => {
		Object.assign(context.credential, changes);
		const error = await context.failsWith(GET, REFUSED, advice, folders(context, 30));
		expect(error.httpCode).toBe(changes === WRONG ? '401' : '400');
		expect(requestPaths(context)).toEqual([`POST ${SIGN_IN_PATH}`]);
		const failed = { status: 'Error', message: `${error.message}. ${error.description}` };
		expect(await context.engine.testCredential(context.credential)).toEqual(failed);
	});
});

const context = useAccounts();

describe('a session', () => {
	test('is one for all items', async () => {
		await context.records(GET, { items: folders(context, 20) });
		expect(signIns(context)).toBe(1);
		expect(tokensSent(context)).toHaveLength(1);
	});

	test('is the same however the email is written, and blanks around it are not sent', async () => {
		const { credential } = context;
		await context.records(ALL_FLOWS);
		const email = ` ${String(credential.email).toUpperCase()}\n`;
		context.credential = { ...credential, email };
		save(context.credential, savedWith(credential));
		context.clearRequests();
		await context.records(ALL_FLOWS);
		expect(signIns(context)).toBe(0);
		const passed = { status: 'OK' };
		expect(await context.engine.testCredential(context.credential)).toMatchObject(passed);
	});

	test('that ends while an import is canceled is renewed, and the new flow removed', async () => {
		const before = context.data.flows.length;
		const path = /flows\/\w+$/;
		context.fault({ method: 'POST', path, kind: { delay: 2_000 } });
		const content = JSON.stringify(flowFile('Orders', { type: 'CODE', settings: { input: {} } }));
		const projectId = byId(context.data.projects[0].id);
		const asNew = { resource: 'flow', operation: 'import', mode: 'create', projectId, content };
		const started = (cancel: () => void) =>
			cancelAt(
				context,
				1,
				path,
			)(() => {
				context.service.expireTokens();
				cancel();
			});
		const { error } = await context.run(asNew, { started });
		expect(error?.description).toBeFalsy();
		expect(context.data.flows).toHaveLength(before);
		expect(signIns(context)).toBe(2);
	});

	test('is renewed for a rename, which runs once', async () => {
		const [{ id }] = context.data.folders;
		await context.records(ALL_FLOWS);
		context.service.expireTokens();
		context.clearRequests();
		const record = await context.record({ ...RENAME, folderId: byId(id) });
		expect(record.displayName).toBe('Sales');
		expect(context.requests.map(({ path, status }) => [path, status])).toEqual([
			[`/v1/folders/${id}`, 401],
			[SIGN_IN_PATH, 200],
			[`/v1/folders/${id}`, 200],
		]);
	});

	test('that ends in the middle of a run is renewed once more', async () => {
		const answers = ({ path }: { path: string }) => {
			context.service.expireTokens();
			return { id: path.split('/').at(-1), displayName: 'Sales' };
		};
		const ending = { path: /folders/, times: 1, kind: { answers } } as const;
		context.fault({ ...ending, after: 20 });
		expect(await context.records(GET, folders(context, 40))).toHaveLength(40);
		expect(signIns(context)).toBe(2);
	});

	test('stays with its account when the credential comes from expressions', async () => {
		const accounts = [0, 1].map((account) => signInCredential(context, account));
		const credential = (item: number) => accounts[item % 2];
		const given = { credential, items, onError: CONTINUE };
		const output = (await context.run({ ...METRICS, authentication: 'signIn' }, given)).items;
		// The first account is an admin.
		const isRead = output.map(({ json }) => json.stats !== undefined);
		expect(isRead).toEqual(items.map((_, item) => item % 2 === 0));
		expect(signIns(context)).toBe(2);
		const refused = 'The signed-in user is not allowed to access the queue metrics';
		expect(output[1].json.error).toBe(refused);
		expect(output[1].json.message).toMatch(/Check Email in the credential, and what the user/);
	});

	const other = useAccounts();
	test('does not reach another server when Base URL is changed', async () => {
		await context.records(ALL_FLOWS);
		const old = savedWith(context.credential);
		const token = tokenIn(context.credential);
		// n8n keeps the hidden session when a person edits the other fields.
		const credential = { ...context.credential, baseUrl: other.baseUrl };
		save(credential, old);
		await context.records(ALL_FLOWS, { credential });
		const sent = other.requests.map(({ headers }) => headers.authorization ?? '');
		expect(sent.filter((header) => header.includes(token))).toEqual([]);
		expect(other.requests[0].path).toBe(SIGN_IN_PATH);

		// Other nodes of n8n, which do not know it, get what makes n8n sign in again.
		const { authenticate } = context.engine.loader.getCredential('activepiecesSignInApi').type;
		if (typeof authenticate !== 'function') throw new Error('has no authenticate()');
		const response = { status: 401 };
		const signingIn = authenticate({ ...credential, ...old }, { url: other.baseUrl });
		await expect(signingIn).rejects.toMatchObject({ response });
	});
});

test.each([
	['429', { status: 429, headers: { 'retry-after': '60' } }],
	['502 of a proxy', { status: 502, shape: 'html' as const }],
	['a cut connection', { reset: 'beforeHeaders' as const }],
])('a sign-in is repeated, once for all items, after %s', async (_name, kind) => {
	context.fault({ path: SIGN_IN_PATH, times: 1, kind });
	expect(await context.records(GET, folders(context, 20))).toHaveLength(20);
	expect(signIns(context)).toBe(2);
});

describe('a sign-in that is refused', () => {
	test.each([
		['Email', { email: ' ' }, 'Email is empty'],
		['Password', { password: '' }, 'Password is empty'],
		['Base URL', { baseUrl: 'activepieces' }, /^Base URL must start with/],
	])('without %s is not sent', async (_name, fields, message) => {
		Object.assign(context.credential, fields);
		await context.refuses(FOLDER, new RegExp(message), 'Nothing was sent.');
		expect((await context.engine.testCredential(context.credential)).message).toMatch(message);
		expect(context.requests).toEqual([]);
	});

	const ELSEWHERE = 'https://other.example/';
	const NOTHING = 'A proxy in front of Activepieces responded that nothing was found (HTTP 404)';
	const FAILED = 'Activepieces could not process the request (HTTP 500)';
	const plain = (status: number) => ({ status, body: 'No', contentType: 'text/plain' });
	test.each<[string, FaultKind, string | RegExp]>([
		['a 401 of a proxy in JSON', { status: 401, body: { message: 'No' } }, PROXY],
		['a 401 as a web page', { status: 401, shape: 'html' }, PROXY],
		['a 404 of a proxy', plain(404), NOTHING],
		['a redirect', { redirect: ELSEWHERE, status: 307 }, `The server redirects to ${ELSEWHERE}`],
		['a page', { html: true }, 'Base URL points to a web page, not to the Activepieces API'],
		['a 500 of the service', { status: 500 }, FAILED],
		['a 401 of the service', { status: 401, code: 'OTHER' }, REFUSED],
		['a 403 of the service', { status: 403 }, /^Activepieces does not allow the user to sign in/],
	])('says who answered, and what was sent: %s', async (_name, kind, message) => {
		context.fault({ path: SIGN_IN_PATH, kind });
		const says = [`sent to ${context.baseUrl}${SIGN_IN_PATH}.`, /[Ee]mail and [Pp]assword/];
		const error = await context.failsWith(FOLDER, message, says);
		const test = await context.engine.testCredential(context.credential);
		for (const text of [error.message, error.description, test.message]) {
			expect(text).not.toContain('session');
		}
		expect(new Set(requestPaths(context))).toEqual(new Set([`POST ${SIGN_IN_PATH}`]));
	});

	test('does not say that the password was sent on, if a proxy wants one of its own (407)', async () => {
		context.fault({ path: SIGN_IN_PATH, kind: plain(407) });
		const { message, description } = await context.failure(FOLDER);
		const test = await context.engine.testCredential(context.credential);
		expect(message).toMatch(/^The proxy did not accept the request/);
		for (const text of [description, test.message]) expect(text).not.toContain('were sent to');
		expect(signIns(context)).toBeGreaterThan(0);
	});

	test.each([
		[401, 'GET', FOLDER],
		[403, 'GET', FOLDER],
		[401, 'POST', RENAME],
	])('names the session and its request: %i of a proxy to a %s', async (status, method, of) => {
		context.fault({ path: /folders/, kind: plain(status) });
		const message = PROXY.replace('401', String(status));
		const says = `did not check the session sent with ${method} /v1/folders/{id}. Allow the n8n server`;
		await context.failsWith(of, message, says);
		// It is neither renewed nor sent again.
		expect([signIns(context), context.requests.length]).toEqual([1, 2]);
	});

	test('is told from a fresh session that the service itself refuses', async () => {
		context.fault({ path: /folders/, kind: { status: 401 } });
		const says =
			/^The session, sent with GET \/v1\/folders\/\{id\}, .* accepted the email and password, but not the session\..* may change the Authorization header\. Check Email/;
		await context.failsWith(FOLDER, NO_SESSION, says);
	});
});

describe('a user whom the platform does not admit', () => {
	const context = useAccounts({ edition: 'enterprise', plan: { ssoEnabled: true } });
	let [platform]: Array<Account['platform']> = [];
	beforeAll(() => ({ platform } = context.accounts[0]));
	afterEach(() => {
		Object.assign(context.accounts[0], { verified: true, platform });
		for (const { user } of context.accounts) user.status = 'ACTIVE';
		Object.assign(context.data.signIn, { emailAuthEnabled: true, allowedAuthDomains: null });
	});

	const ADVICE =
		/ask an admin of the Activepieces platform|Open the link .* then try again|Sign in .* in a browser once|Use an API key/;
	type Change = (account: Account, signIn: Service['data']['signIn']) => void;
	const REASONS: Record<string, Change> = {
		'Activepieces does not allow the user to sign in (USER_IS_INACTIVE)': ({ user }) =>
			(user.status = 'INACTIVE'),
		'The email address of the Activepieces user is not verified': (account) =>
			(account.verified = false),
		[NO_PLATFORM]: (account) => (account.platform = null),
		'The Activepieces platform allows single sign-on only': (_account, signIn) =>
			(signIn.emailAuthEnabled = false),
		'Activepieces does not allow the user to sign in (DOMAIN_NOT_ALLOWED)': (_account, signIn) =>
			(signIn.allowedAuthDomains = ['other.example']),
	};
	test.each(Object.entries(REASONS))('reads why: %s', async (message, change) => {
		change(context.accounts[0], context.data.signIn);
		await context.failsWith(FOLDER, message, ADVICE);
		expect((await context.engine.testCredential(context.credential)).message).toContain(message);
	});

	test('including one who is deactivated after signing in', async () => {
		const credential = signInCredential(context, 1);
		await context.records(ALL_FLOWS, { credential });
		context.accounts[1].user.status = 'INACTIVE';
		await context.failsWith(ALL_FLOWS, /USER_IS_INACTIVE/, '', { credential });
	});

	describe.each(['0.79', '0.92'] as const)('on release %s, which returns no session', (release) => {
		const other = useAccounts({ release });
		test('including one without a platform', async () => {
			other.accounts[0].platform = null;
			await other.failsWith(FOLDER, NO_PLATFORM, /finish signing up/);
		});
	});
});

describe('password and session', () => {
	const context = useAccounts();
	let log: unknown[];
	/** Escaped in another way by JSON */
	const PASSWORD = 'P"ass\\w0rd-#1';
	beforeAll(() => {
		log = captureLog();
		context.accounts[0].password = PASSWORD;
	});
	beforeEach(tryOnce);
	endSilences(context);

	const leaks = (texts: string[]) => {
		const { credential } = context;
		const token = 'sessionToken' in savedWith(credential) ? [tokenIn(credential)] : [];
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
			Object.assign(context, { credential: signInCredential(context) });
			const message = `${PASSWORD} ${tokensSent(context).join(' ')}`;
			const body = { code: 'VALIDATION', params: { message } };
			const kind = delay === undefined ? { status, body } : { delay };
			if (path !== undefined) context.fault({ path, kind });
			const result = await context.run(GET, { items: folders(context, 2), onError });
			const test = await context.engine.testCredential(context.credential);
			// What n8n logs meanwhile, at all levels.
			expect(log).not.toEqual([]);
			expect(leaks([...tracesOf(result), test.message, ...textsOf(log)])).toEqual([]);
		}
	});

	// A password may be a word in records, and a record without it would show that.
	test('the session is in no item when the service has it in its data; the password is only a word there', async () => {
		await context.records(ALL_FLOWS);
		const displayName = `${PASSWORD} ${tokenIn(context.credential)}`;
		context.fault({ path: /folders/, kind: { body: { id: 'abc', displayName } } });
		expect((await context.record(FOLDER)).displayName).toBe(`${PASSWORD} ***`);
	});

	test('are sent in the body of the sign-in and in the header, and nowhere else', async () => {
		await context.records(GET, folders(context, 1));
		const [signIn, folder] = context.requests;
		expect(signIn.body).toEqual({ email: context.credential.email, password: PASSWORD });
		expect(signIn.headers.authorization).toBeUndefined();
		expect(folder.headers.authorization).toBe(`Bearer ${tokenIn(context.credential)}`);
		const headers = { ...folder.headers, authorization: '' };
		expect(leaks(textsOf([signIn.url, signIn.headers, folder.url, headers]))).toEqual([]);
	});
});

const NEW_TOKENS: FaultKind = { answers: (_request, n) => ({ token: `token-number-${n}` }) };
const SAME_TOKEN: FaultKind = { body: { token: 'always-the-same-token' } };
const ENDED: FaultKind = { status: 401, body: { code: 'INVALID_BEARER_TOKEN', params: {} } };
/** The response of flows and folders to an expired session, in some releases (recorded). */
const BARE_403: FaultKind = {
	status: 403,
	shape: 'framework',
	message: "Cannot read properties of undefined (reading 'type')",
};
const REFUSAL: FaultKind = { status: 401, body: { code: 'INVALID_CREDENTIALS', params: null } };
const EMPTY: FaultKind = { body: { data: [], next: null } };
const SILENCE: FaultKind = { delay: 60_000 };

/** What the server responds to sign-ins, and to all other requests. */
function responds(signIn: FaultKind, other: FaultKind) {
	context.fault({ path: SIGN_IN_PATH, kind: signIn });
	context.fault({ path: /^(?!.*sign-in)/, kind: other });
}

/** Runs all items, whatever their outcome. */
const runAll = async () => {
	const { items: output } = await context.run(FOLDER, { items, onError: CONTINUE });
	expect(output).toHaveLength(20);
	return output.map(({ json: { error } }) => String(error));
};

const trigger = () => new TriggerRun(context, { event: 'userJoined' });

const until = async (isReached: () => boolean) => {
	while (!isReached()) await sleep(1);
};

test.each([
	['new tokens and refuses all of them', NEW_TOKENS, ENDED],
	['the same token again and refuses it without a word', SAME_TOKEN, BARE_403],
])('a server that returns %s receives two sign-ins in a run', async (_what, signIn, other) => {
	responds(signIn, other);
	// In the second run, n8n has kept an expired session.
	for (let run = 0; run < 2; run++) {
		const errors = await runAll();
		if (other === ENDED) expect(errors.join()).toContain(NO_SESSION);
		expect(signIns(context)).toBeLessThanOrEqual(2);
		context.clearRequests();
	}
});

const BOTH = 'Not with token-number-1 or token-number-2';
test.each<[string, FaultKind]>([
	['a message', { status: 400, body: { code: 'VALIDATION', params: { message: BOTH } } }],
	['a record', { body: { id: 'abc', displayName: BOTH } }],
])('the renewed and the old session are hidden in %s', async (_in, kind) => {
	context.fault({ path: /folders/, times: 1, kind: ENDED });
	responds(NEW_TOKENS, kind);
	const [{ json }] = (await context.run(FOLDER, { onError: CONTINUE })).items;
	expect(Object.values(json).join()).toContain('Not with *** or ***');
	expect(signIns(context)).toBe(2);
});

test('a record that no session may read does not fail the items whose session has ended', async () => {
	const own = folders(context, 2);
	await context.records(GET, own);
	context.service.expireTokens();
	context.fault({ path: /foreign/, kind: BARE_403 });
	// All items send with the session that has ended, and the refusal of the foreign one comes first.
	context.fault({ path: /folders.(?!foreign)/, times: 2, kind: { delay: 50 } });
	const given = { items: [{ id: 'foreign' }, ...own], onError: CONTINUE };
	const { items } = await context.run(GET, given);
	expect(items.map(({ json }) => 'error' in json)).toEqual([true, false, false]);
});

describe('a server that refuses to sign in', () => {
	test.each([
		['the sign-in', REFUSAL, REFUSED],
		['the session', SAME_TOKEN, NO_SESSION],
	])('receives one request with every poll until it accepts %s', async (_n, answer, message) => {
		responds(NEW_TOKENS, EMPTY);
		const run = trigger();
		await run.activate();
		context.clearFaults();
		responds(answer, ENDED);
		context.clearRequests();
		for (let poll = 0; poll < 5; poll++) await run.poll();
		expect(signIns(context)).toBe(5);
		expect(run.errors.map((error) => error.message)).toEqual(Array(5).fill(message));
		context.clearFaults();
		responds({ body: { token: 'another-session-token' } }, EMPTY);
		await run.poll();
		expect(run.errors).toHaveLength(5);
	});

	test.each([
		[503, 'Activepieces is unavailable (HTTP 503)'],
		[429, 'Activepieces is receiving too many sign-ins'],
	])('with %i receives five requests in a run of many items', async (status, message) => {
		responds({ status }, ENDED);
		const errors = await runAll();
		expect(new Set(errors.map((error) => error.split(',')[0]))).toEqual(new Set([message]));
		expect(signIns(context)).toBe(limits.execution.maxAttempts);
		// The other items receive its outcome, and do not try in vain.
		const tried = errors.filter((error) => error.includes(', after '));
		expect(tried.length).toBeLessThanOrEqual(limits.execution.maxAttempts);
	});

	test.each([
		['what no header can carry', 'with a\nline break'],
		['what is longer than any', 'a'.repeat(10_000)],
		['what may be a word', 'flows'],
	])('that returns %s as token returns no session', async (_what, token) => {
		responds({ body: { token } }, EMPTY);
		const message = 'The response for the session does not have the expected format';
		await context.failsWith(FOLDER, message);
		expect(context.requests).toHaveLength(1);
	});
});

describe('a sign-in without a response is not awaited any more', () => {
	beforeEach(() => {
		// It would end at its own time limit.
		limits.signInTimeoutMs = 3_600_000;
		context.fault({ path: SIGN_IN_PATH, kind: SILENCE });
	});
	afterEach(async () => {
		const start = Date.now();
		await until(() => context.inFlight.now === 0);
		// The server would respond after a minute.
		expect(Date.now() - start).toBeLessThan(30_000);
		expect(signIns(context)).toBe(1);
	});

	test('when the workflow is canceled, by any of its items, of which none was sent', async () => {
		const started = cancelAt(context, 1, /sign-in/);
		const { error } = await context.run(INVITATION, { items, started });
		expect(error?.message).toBe('The execution was cancelled');
		expect(error?.description).toBe('0 of 20 items were completed.');
	});

	test('when the poll of a trigger is given up', async () => {
		limits.triggerPollMs = 200;
		const run = trigger();
		await run.activate();
		expect(run.warnings).toEqual([expect.stringContaining('did not finish within')]);
	});
});

test('a change was not sent, and is not reported as sent, when signing in takes too long', async () => {
	Object.assign(context.credential, { timeout: 50 });
	context.fault({ path: SIGN_IN_PATH, kind: SILENCE });
	await context.failsWith(RENAME, /did not respond in time/, /^(?!.*may have applied)/);
	expect(signIns(context)).toBe(context.requests.length);
});
