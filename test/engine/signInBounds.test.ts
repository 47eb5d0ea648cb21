import { sleep } from 'n8n-workflow';

import { limits, waitReally } from './harness/built';
import { useHostileServers } from './harness/hostile';
import { json } from './harness/hostileServer';
import { FOLDER } from './harness/parameters';
import { SIGN_IN } from './harness/signIn';
import { createTriggerRun } from './harness/trigger';

const hostile = useHostileServers();

const SIGN_IN_REQUEST = 'POST /v1/authentication/sign-in';

const signIns = () => hostile.server.requests.filter(({ path }) => path === SIGN_IN_REQUEST).length;

/** A server with answers for sign-ins, by their number, and for everything else. */
async function start(
	signIn: (count: number) => [body: unknown, status?: number],
	other: [body: unknown, status?: number],
	headers: Record<string, string> = {},
): Promise<void> {
	let count = 0;
	await hostile.start((response, request, body) => {
		for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
		const [answer, status] = request.url?.includes('sign-in') ? signIn(count++) : other;
		return json(JSON.stringify(answer), status)(response, request, body);
	});
}

/** Each test has an account of its own: what one was refused with is remembered. */
let accounts = 0;
const account = () => ({
	baseUrl: hostile.server.baseUrl,
	email: `user-${accounts++}@example.com`,
	password: 'correct horse',
});

const NEW_TOKEN = (count: number): [unknown] => [{ token: `token-number-${count}` }];
const SAME_TOKEN = (): [unknown] => [{ token: 'always-the-same-token' }];
const REFUSED = [{ code: 'INVALID_BEARER_TOKEN', params: {} }, 401] satisfies [unknown, number];
/** What flows and folders answer to a session that is over, on some releases (recorded). */
const BARE_403 = [
	{
		statusCode: 403,
		error: 'Forbidden',
		message: "Cannot read properties of undefined (reading 'type')",
	},
	403,
] satisfies [unknown, number];

const parameters = { ...FOLDER, ...SIGN_IN };
const items = Array.from({ length: 60 }, () => ({}));

describe.each([
	['new tokens', NEW_TOKEN],
	['the same token again', SAME_TOKEN],
])('a server that gives %s', (_name, signIn) => {
	test.each([
		['refuses all of them', REFUSED],
		['refuses all of them without a word', BARE_403],
	])('and %s is asked for two in a run of 60 items', async (_what, other) => {
		await start(signIn, other);
		const run = { credential: account(), parameters, items };
		const { items: output } = await hostile.engine.run({
			...run,
			onError: 'continueRegularOutput',
		});
		expect(output).toHaveLength(60);
		expect(signIns()).toBeLessThanOrEqual(2);
		// Also when n8n has kept a session that is over.
		hostile.server.requests.length = 0;
		await hostile.engine.run({ ...run, onError: 'continueRegularOutput' });
		expect(signIns()).toBeLessThanOrEqual(2);
	});

	test.each([
		['refuses all of them', REFUSED],
		['refuses all of them without a word', BARE_403],
	])('and %s is not asked again with every poll', async (_what, other) => {
		let isRefusing = false;
		let count = 0;
		await hostile.start((response, request, body) => {
			const [answer, status]: [unknown, number?] = request.url?.includes('sign-in')
				? signIn(count++)
				: isRefusing
					? other
					: [{ data: [], next: null }];
			return json(JSON.stringify(answer), status)(response, request, body);
		});
		const run = createTriggerRun(hostile.engine, account(), { event: 'userJoined', ...SIGN_IN });
		await run.activate();
		isRefusing = true;
		hostile.server.requests.length = 0;
		for (let poll = 0; poll < 10; poll++) await run.poll();
		expect(signIns()).toBeLessThanOrEqual(2);
		expect(run.errors).toHaveLength(10);

		// After a while it is tried again, and what is accepted then is used.
		limits.signInRefusalTtlMs = 0;
		await run.poll();
		limits.signInRefusalTtlMs = 60_000;
		hostile.server.requests.length = 0;
		isRefusing = false;
		await run.poll();
		expect(run.errors.length).toBeLessThanOrEqual(11);
	});
});

describe('a server that refuses to sign in', () => {
	const REFUSAL = (): [unknown, number] => [{ code: 'INVALID_CREDENTIALS', params: null }, 401];

	test('is asked once in a run, and once by ten polls', async () => {
		let isRefusing = false;
		let count = 0;
		await hostile.start((response, request, body) => {
			const [answer, status]: [unknown, number?] = request.url?.includes('sign-in')
				? isRefusing
					? REFUSAL()
					: NEW_TOKEN(count++)
				: isRefusing
					? REFUSED
					: [{ data: [], next: null }];
			return json(JSON.stringify(answer), status)(response, request, body);
		});
		const run = createTriggerRun(hostile.engine, account(), { event: 'userJoined', ...SIGN_IN });
		await run.activate();
		isRefusing = true;
		hostile.server.requests.length = 0;
		for (let poll = 0; poll < 10; poll++) await run.poll();
		expect(signIns()).toBe(1);
		expect(new Set(run.errors.map(({ message }) => message))).toEqual(
			new Set(['Activepieces did not accept the email and password']),
		);
	});

	test('is asked again by a person who runs the node, and by an activation', async () => {
		await start(REFUSAL, REFUSED);
		const credential = account();
		for (let run = 1; run <= 3; run++) {
			await hostile.engine.failure({ credential, parameters });
			expect(signIns()).toBe(run);
		}
		const trigger = createTriggerRun(hostile.engine, credential, {
			event: 'userJoined',
			...SIGN_IN,
		});
		await expect(trigger.activate()).rejects.toThrow('did not accept the email and password');
		expect(signIns()).toBe(4);
	});

	test('because it is down is asked five times in a run, however many items wait for it', async () => {
		await start(() => [{ statusCode: 503, error: 'x', message: 'starting' }, 503], REFUSED);
		const run = { credential: account(), parameters, items };
		const { items: output } = await hostile.engine.run({
			...run,
			onError: 'continueRegularOutput',
		});
		expect(output).toHaveLength(60);
		expect(new Set(output.map(({ json: { error } }) => String(error).split(',')[0]))).toEqual(
			new Set(['Activepieces is not available behind its proxy (HTTP 503)']),
		);
		expect(signIns()).toBe(limits.execution.maxAttempts);
		// The others are told what came of it, and do not try in vain.
		const tried = output.filter(({ json: { error } }) => String(error).includes(', after '));
		expect(tried.length).toBeLessThanOrEqual(limits.execution.maxAttempts);
	});

	test('is not asked again by items that waited for it when the workflow is cancelled', async () => {
		waitReally();
		await start(() => [{ statusCode: 503, error: 'x', message: 'starting' }, 503], REFUSED, {
			'retry-after': '30',
		});
		const run = { credential: account(), parameters, items };
		await hostile.engine.run({
			...run,
			started: (cancel) => {
				void (async () => {
					while (signIns() === 0) await sleep(1);
					// The answer, after which all items wait.
					await sleep(50);
					cancel();
				})();
			},
		});
		await sleep(50);
		expect(signIns()).toBe(1);
	});

	test.each([
		['what no header can carry', 'with a\nline break'],
		['what is longer than any', 'a'.repeat(10_000)],
		['what may be a word', 'flows'],
	])('with %s as token gives no session', async (_what, token) => {
		await start(() => [{ token }], [{ id: 'a' }]);
		const error = await hostile.engine.failure({ credential: account(), parameters });
		expect(error.message).toBe('The response for the session does not have the expected format');
		expect(hostile.server.requests).toHaveLength(1);
	});
});

describe('a sign-in that is not answered', () => {
	const until = async (isReached: () => boolean) => {
		while (!isReached()) await sleep(1);
	};

	test('is not waited for any more when the workflow is cancelled, by any of its items', async () => {
		await hostile.start(() => {});
		let isEnded = false;
		const ended = hostile.engine
			.run({
				credential: account(),
				parameters,
				items,
				started: (cancel) => void until(() => signIns() === 1).then(cancel),
			})
			.finally(() => {
				isEnded = true;
			});
		await until(() => isEnded && hostile.server.connections === 0);
		await ended;
		expect(signIns()).toBe(1);
	});

	test('goes on for a run that is not cancelled while another one of the account is', async () => {
		let answer = () => {};
		const answered = new Promise<void>((resolve) => {
			answer = resolve;
		});
		let count = 0;
		await hostile.start(async (response, request, body) => {
			const isSignIn = request.url?.includes('sign-in') === true;
			if (isSignIn) await answered;
			const text = isSignIn
				? { token: `token-number-${count++}` }
				: { id: 'abc', displayName: 'Sales', projectId: 'p' };
			return json(JSON.stringify(text))(response, request, body);
		});
		const credential = account();
		let cancelFirst = () => {};
		const first = hostile.engine.run({
			credential,
			parameters,
			started: (cancel) => {
				cancelFirst = cancel;
			},
		});
		await until(() => signIns() === 1);
		const second = hostile.engine.records({ credential: { ...credential }, parameters, items });
		await until(() => signIns() === 2);
		cancelFirst();
		await first;
		await until(() => hostile.server.connections === 1);
		answer();
		expect(await second).toHaveLength(60);
		expect(signIns()).toBe(2);
	});

	test('is not waited for any more when the poll of a trigger is given up', async () => {
		await hostile.start(() => {});
		limits.triggerPollMs = 300;
		const run = createTriggerRun(hostile.engine, account(), { event: 'userJoined', ...SIGN_IN });
		await run.activate();
		expect(run.warnings).toEqual([expect.stringContaining('did not finish within')]);
		await until(() => hostile.server.connections === 0);
		expect(signIns()).toBe(1);
	});
});

describe('a change with a session', () => {
	const RENAME = { ...parameters, operation: 'update', displayName: 'Sales' };

	test('is not sent again when something in front of the service refuses it', async () => {
		await start(NEW_TOKEN, [{ reason: 'the gateway says no' }, 401]);
		await hostile.engine.failure({ credential: account(), parameters: RENAME });
		const changes = hostile.server.requests.filter(({ path }) => path !== SIGN_IN_REQUEST);
		expect(changes).toHaveLength(1);
	});

	test.each([2 ** 30, 2 ** 31, 1e12])('signs in with a Timeout of %i ms', async (timeout) => {
		await start(NEW_TOKEN, [{ id: 'abc', displayName: 'Sales' }]);
		const credential = { ...account(), timeout };
		expect(await hostile.engine.records({ credential, parameters: RENAME })).toHaveLength(1);
	});

	test('was not sent, and is not said to be, when signing in takes too long', async () => {
		await hostile.start(() => {});
		const credential = { ...account(), timeout: 50 };
		const error = await hostile.engine.failure({ credential, parameters: RENAME });
		expect(error.message).toContain('did not respond in time');
		expect(error.description).not.toContain('may have done it');
		expect(new Set(hostile.server.requests.map(({ path }) => path))).toEqual(
			new Set([SIGN_IN_REQUEST]),
		);
	});
});
