import { sleep } from 'n8n-workflow';

import { limits, waitReally } from './harness/built';
import { useHostileServers } from './harness/hostile';
import { jsonOf } from './harness/hostileServer';
import { FOLDER, GET } from './harness/parameters';
import { SIGN_IN } from './harness/signIn';
import { TriggerRun } from './harness/trigger';

const hostile = useHostileServers();

const SIGN_IN_REQUEST = 'POST /v1/authentication/sign-in';

const signIns = () => hostile.server.requests.filter(({ path }) => path === SIGN_IN_REQUEST).length;

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
const REFUSED: Answer = [{ code: 'INVALID_BEARER_TOKEN', params: {} }, 401];
/** The responses of flows and folders to an expired session, in some releases (recorded). */
const USELESS = "Cannot read properties of undefined (reading 'type')";
const BARE_403: Answer = [{ statusCode: 403, error: 'Forbidden', message: USELESS }, 403];
const REFUSAL: Answer = [{ code: 'INVALID_CREDENTIALS', params: null }, 401];
const STARTING: Answer = [{ statusCode: 503, error: 'x', message: 'starting' }, 503];

const parameters = { ...FOLDER, ...SIGN_IN };
const items = Array.from({ length: 20 }, () => ({}));
const RENAME = { ...parameters, operation: 'update', displayName: 'Sales' };

/** Runs all items, whatever their outcome. */
const runAll = async (credential = account()) => {
	const run = { credential, parameters, items, onError: 'continueRegularOutput' as const };
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
	['new tokens and refuses all of them', NEW_TOKEN, REFUSED],
	['the same token again and refuses it without a word', SAME_TOKEN, BARE_403],
])('a server that returns %s', (_name, signIn, other) => {
	test('receives two sign-ins in a run', async () => {
		await start(signIn, other);
		const credential = account();
		const errors = await runAll(credential);
		if (other === REFUSED) expect(errors.join()).toContain('did not accept the session');
		expect(signIns()).toBeLessThanOrEqual(2);
		// Also when n8n has kept an expired session.
		hostile.server.requests.length = 0;
		await runAll(credential);
		expect(signIns()).toBeLessThanOrEqual(2);
	});
});

test('a session that was renewed stays hidden, because it may still be valid', async () => {
	let count = 0;
	const message = 'Not with token-number-0 or token-number-1';
	await hostile.start(async (response, request, body) => {
		const isOld = request.headers.authorization === 'Bearer token-number-0';
		const other: Answer = isOld ? REFUSED : [{ code: 'VALIDATION', params: { message } }, 400];
		const answer = request.url?.includes('sign-in') ? NEW_TOKEN(count++) : other;
		return jsonOf(...answer)(response, request, body);
	});
	const { description } = await hostile.engine.failure({ credential: account(), parameters });
	expect(signIns()).toBe(2);
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
		const run = { ...given, parameters: { ...GET, ...SIGN_IN }, onError } as const;
		return (await hostile.engine.run(run)).items.map(({ json }) => 'error' in json);
	};
	expect(await errors(['own'])).toEqual([false]);
	isOver = true;
	expect(await errors(['foreign', 'own-1', 'own-2'])).toEqual([true, false, false]);
});

describe('a server that refuses to sign in', () => {
	test.each([
		['the sign-in', REFUSAL, 'Activepieces did not accept the email and password'],
		[
			'the session',
			[{ token: 'a-token-that-is-not-accepted' }] as Answer,
			'Activepieces did not accept the session',
		],
	])('receives one request with every poll until it accepts %s', async (_n, answer, message) => {
		let isRefusing = false;
		const signIn = (count: number) => (isRefusing ? answer : NEW_TOKEN(count));
		await start(signIn, () => (isRefusing ? REFUSED : EMPTY));
		const run = trigger();
		await run.activate();
		isRefusing = true;
		hostile.server.requests.length = 0;
		for (let poll = 0; poll < 5; poll++) await run.poll();
		expect(signIns()).toBe(5);
		expect(run.errors.map((error) => error.message)).toEqual(Array(5).fill(message));
		isRefusing = false;
		await run.poll();
		expect(run.errors).toHaveLength(5);
	});

	test('receives another one when a person runs the node, and on an activation', async () => {
		await start(() => REFUSAL, REFUSED);
		const credential = account();
		for (let run = 1; run <= 3; run++) {
			await hostile.engine.failure({ credential, parameters });
			expect(signIns()).toBe(run);
		}
		const activated = trigger(credential).activate();
		await expect(activated).rejects.toThrow('did not accept the email and password');
		expect(signIns()).toBe(4);
	});

	test('because it is down receives five requests in a run, however many items wait for it', async () => {
		await start(() => STARTING, REFUSED);
		const errors = await runAll();
		expect(new Set(errors.map((error) => error.split(',')[0]))).toEqual(
			new Set(['Activepieces is unavailable (HTTP 503)']),
		);
		expect(signIns()).toBe(limits.execution.maxAttempts);
		// The other items receive its outcome, and do not try in vain.
		const tried = errors.filter((error) => error.includes(', after '));
		expect(tried.length).toBeLessThanOrEqual(limits.execution.maxAttempts);
	});

	test('receives none from waiting items when the workflow is canceled', async () => {
		waitReally();
		await start(() => STARTING, REFUSED, { 'retry-after': '30' });
		// The response arrives, after which all items wait.
		const asked = async () => await until(() => signIns() > 0).then(async () => await sleep(20));
		const started = (cancel: () => void) => void asked().then(cancel);
		await hostile.engine.run({ credential: account(), parameters, items, started });
		await sleep(50);
		expect(signIns()).toBe(1);
	});

	test.each([
		['what no header can carry', 'with a\nline break'],
		['what is longer than any', 'a'.repeat(10_000)],
		['what may be a word', 'flows'],
	])('that returns %s as token returns no session', async (_what, token) => {
		await start(() => [{ token }], [{ id: 'a' }]);
		const error = await hostile.engine.failure({ credential: account(), parameters });
		expect(error.message).toBe('The response for the session does not have the expected format');
		expect(hostile.server.requests).toHaveLength(1);
	});
});

describe('a sign-in without a response', () => {
	test('is not awaited any more when the workflow is canceled, by any of its items', async () => {
		await hostile.start(() => {});
		const started = (cancel: () => void) => void until(() => signIns() === 1).then(cancel);
		await hostile.engine.run({ credential: account(), parameters, items, started });
		await until(() => hostile.server.connections === 0);
		expect(signIns()).toBe(1);
	});

	test('continues for a run that is not canceled while another one of the account is', async () => {
		let answer = () => {};
		const answered = new Promise<void>((resolve) => (answer = resolve));
		let count = 0;
		await hostile.start(async (response, request, body) => {
			const isSignIn = request.url?.includes('sign-in') === true;
			if (isSignIn) await answered;
			const [text] = isSignIn ? NEW_TOKEN(count++) : [{ id: 'abc', displayName: 'Sales' }];
			return jsonOf(text)(response, request, body);
		});
		const credential = account();
		let cancelFirst = () => {};
		const started = (cancel: () => void) => void (cancelFirst = cancel);
		const first = hostile.engine.run({ credential, parameters, started });
		await until(() => signIns() === 1);
		const second = hostile.engine.records({ credential: { ...credential }, parameters, items });
		await until(() => signIns() === 2);
		cancelFirst();
		await first;
		await until(() => hostile.server.connections === 1);
		answer();
		expect(await second).toHaveLength(20);
		expect(signIns()).toBe(2);
	});

	test('is not awaited any more when the poll of a trigger is given up', async () => {
		await hostile.start(() => {});
		limits.triggerPollMs = 200;
		const run = trigger();
		await run.activate();
		expect(run.warnings).toEqual([expect.stringContaining('did not finish within')]);
		await until(() => hostile.server.connections === 0);
		expect(signIns()).toBe(1);
	});
});

describe('a change with a session', () => {
	test('is not sent again when something in front of the service refuses it', async () => {
		await start(NEW_TOKEN, [{ reason: 'the gateway says no' }, 401]);
		await hostile.engine.failure({ credential: account(), parameters: RENAME });
		expect(hostile.server.requests.filter(({ path }) => path !== SIGN_IN_REQUEST)).toHaveLength(1);
	});

	test.each([2 ** 31, 1e12])('signs in with a Timeout of %i ms', async (timeout) => {
		await start(NEW_TOKEN, [{ id: 'abc', displayName: 'Sales' }]);
		const credential = { ...account(), timeout };
		expect(await hostile.engine.records({ credential, parameters: RENAME })).toHaveLength(1);
	});

	test('was not sent, and is not reported as sent, when signing in takes too long', async () => {
		await hostile.start(() => {});
		const credential = { ...account(), timeout: 50 };
		const error = await hostile.engine.failure({ credential, parameters: RENAME });
		expect(error.message).toContain('did not respond in time');
		expect(error.description).not.toContain('may have done it');
		expect(signIns()).toBe(hostile.server.requests.length);
	});
});
