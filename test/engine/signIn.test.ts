import type { INodeParameters } from 'n8n-workflow';

import { type Service, startService } from '../service';
import { type AnyCredential, save, savedWith, type SignInCredential } from './harness/credentials';
import { startHttpProxy } from './harness/httpProxy';
import { ALL_FLOWS, FOLDER, METRICS, RENAME } from './harness/parameters';
import { byId, requestPaths, type TestContext, useService } from './harness/service';
import { SIGN_IN, SIGN_IN_PATH, signInCredential, signIns, tokensSent } from './harness/signIn';
import { captureLog, textsOf, tracesOf } from './harness/traces';

/** Every sign-in of a test file would count for the service's limit of 50 a minute. */
let now = Date.now();
const clock = () => now;
beforeEach(() => {
	now += 61_000;
});

const EDITION = { edition: 'community', clock } as const;

const EACH_FOLDER: INodeParameters = {
	...FOLDER,
	...SIGN_IN,
	folderId: byId('={{ $json.id }}'),
};

const A_FOLDER: INodeParameters = { ...FOLDER, ...SIGN_IN };

const folderItems = ({ service }: TestContext, count: number) =>
	Array.from({ length: count }, (_, index) => ({
		id: service.data.folders[index % service.data.folders.length].id,
	}));

const tokenIn = (credential: AnyCredential): string =>
	(JSON.parse(String(savedWith(credential).sessionToken)) as { token: string }).token;

/** Those before and after the answers to a sign-in, and to a session that has ended, changed. */
const BOTH_ANSWERS = ['0.73', '0.86'] as const;

describe.each(BOTH_ANSWERS)('signing in on release %s', (release) => {
	const context = useService({ ...EDITION, release });

	test('100 items sign in once, and give their folders in order', async () => {
		const items = folderItems(context, 100);
		const credential = signInCredential(context);
		const records = await context.records(EACH_FOLDER, { credential, items });
		expect(records.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
		expect(signIns(context)).toBe(1);
		expect(tokensSent(context)).toHaveLength(1);
	});

	test('n8n keeps the session for the next run', async () => {
		const credential = signInCredential(context);
		const run = { credential, parameters: EACH_FOLDER, items: folderItems(context, 3) };
		await context.engine.records(run);
		context.service.clearRequests();
		await context.engine.records(run);
		expect(signIns(context)).toBe(0);
		expect(tokensSent(context)).toEqual([tokenIn(credential)]);
	});

	test.each(['expireTokens', 'revokeTokens'] as const)(
		'a session that ended is renewed once for all items: %s',
		async (end) => {
			const credential = signInCredential(context);
			const items = folderItems(context, 40);
			const run = { credential, parameters: EACH_FOLDER, items };
			await context.engine.records(run);
			context.service[end]();
			context.service.clearRequests();
			expect(await context.engine.records(run)).toHaveLength(40);
			expect(signIns(context)).toBe(1);
			expect(tokensSent(context)).toHaveLength(2);
			context.service.clearRequests();
			await context.engine.records(run);
			expect(signIns(context)).toBe(0);
		},
	);

	test('the credential test signs in, whatever session n8n keeps', async () => {
		const credential = signInCredential(context);
		const run = { credential, parameters: EACH_FOLDER, items: folderItems(context, 1) };
		await context.engine.records(run);
		context.service.clearRequests();
		const kept = { ...credential, ...savedWith(credential) };
		expect(await context.engine.testCredential(kept)).toEqual({
			status: 'OK',
			message: 'Connection successful',
		});
		const [first, second] = requestPaths(context);
		expect(first).toBe(`POST ${SIGN_IN_PATH}`);
		// Where 0.73 has the list for a user who is no admin, once that is known.
		expect(second).toMatch(/^GET \/v1\/(users\/)?projects$/);
	});

	test('a locator signs in', async () => {
		const credential = signInCredential(context);
		const { results } = await context.search('searchFolders', {
			credential,
			parameters: { ...FOLDER, ...SIGN_IN },
		});
		expect(results.length).toBeGreaterThan(0);
		expect(signIns(context)).toBe(1);
	});

	test('a wrong password is named, and tried once', async () => {
		const credential = { ...signInCredential(context), password: 'Wrong-Passw0rd' };
		const error = await context.failure(EACH_FOLDER, {
			credential,
			items: folderItems(context, 30),
		});
		expect(error.message).toBe('Activepieces did not accept the email and password');
		expect(error.description).toContain('Check Email and Password in the credential.');
		expect(error.httpCode).toBe('401');
		expect(requestPaths(context)).toEqual([`POST ${SIGN_IN_PATH}`]);
		expect(await context.engine.testCredential(credential)).toEqual({
			status: 'Error',
			message: `${error.message}. ${error.description}`,
		});
	});
});

describe('a session', () => {
	const context = useService(EDITION);

	test('stays when the email is written in other letters, which are the same to the service', async () => {
		const credential = signInCredential(context);
		const run = { parameters: EACH_FOLDER, items: folderItems(context, 1) };
		await context.engine.records({ ...run, credential });
		const changed = { ...credential, email: credential.email.toUpperCase() };
		save(changed, savedWith(credential));
		context.service.clearRequests();
		await context.engine.records({ ...run, credential: changed });
		expect(signIns(context)).toBe(0);
	});

	test('works where n8n comes to the node through its router', async () => {
		const credential = signInCredential(context);
		const items = folderItems(context, 50);
		const run = { credential, parameters: EACH_FOLDER, items, isRouted: true };
		const records = await context.engine.records(run);
		expect(records.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
		expect(signIns(context)).toBe(1);
	});

	test('is renewed for a rename, which is done once', async () => {
		const credential = signInCredential(context);
		const [{ id }] = context.service.data.folders;
		await context.records(EACH_FOLDER, { credential, items: folderItems(context, 1) });
		context.service.expireTokens();
		context.service.clearRequests();
		const [record] = await context.records(
			{ ...RENAME, ...SIGN_IN, folderId: byId(id) },
			{ credential },
		);
		expect(record.displayName).toBe('Sales');
		expect(context.service.requests.map(({ path, status }) => [path, status])).toEqual([
			[`/v1/folders/${id}`, 401],
			[SIGN_IN_PATH, 200],
			[`/v1/folders/${id}`, 200],
		]);
	});

	test('that ends in the middle of a run is renewed once more', async () => {
		const credential = signInCredential(context);
		const items = folderItems(context, 60);
		const { service } = context;
		service.fault({
			path: /folders/,
			after: 30,
			times: 1,
			kind: {
				answers: ({ path }) => {
					service.expireTokens();
					return { id: path.split('/').at(-1), displayName: 'Sales' };
				},
			},
		});
		expect(await context.records(EACH_FOLDER, { credential, items })).toHaveLength(60);
		expect(signIns(context)).toBe(2);
	});

	test('that is refused although it is new is not renewed for every item', async () => {
		context.service.fault({ path: /folders/, kind: { status: 401, code: 'INVALID_BEARER_TOKEN' } });
		const { items } = await context.run(EACH_FOLDER, {
			credential: signInCredential(context),
			items: folderItems(context, 30),
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json.error)).toEqual(
			Array.from({ length: 30 }, () => 'Activepieces did not accept the session'),
		);
		expect(signIns(context)).toBe(2);
	});

	test('is not renewed for what a proxy refuses', async () => {
		context.service.fault({ path: /folders/, kind: { status: 401, shape: 'html' } });
		const error = await context.failure(EACH_FOLDER, {
			credential: signInCredential(context),
			items: folderItems(context, 1),
		});
		expect(error.message).toBe('Something in front of Activepieces refused the request (HTTP 401)');
		expect(signIns(context)).toBe(1);
	});

	test('stays with its account when the credential comes from expressions', async () => {
		const [admin, member] = [0, 1].map((account) => signInCredential(context, account));
		const credential = (item: number) => (item % 2 === 0 ? admin : member);
		const parameters = { ...METRICS, ...SIGN_IN };
		const run = { credential, parameters, items: Array.from({ length: 40 }, () => ({})) };
		const { items } = await context.engine.run({ ...run, onError: 'continueRegularOutput' });
		const isAdmin = items.map(({ json }) => json.stats !== undefined);
		expect(isAdmin).toEqual(items.map((_, item) => item % 2 === 0));
		expect(signIns(context)).toBe(2);
		expect(items[1].json.error).toBe(
			'The signed-in user is not allowed to access the queue metrics',
		);
	});

	test('does not reach another server when Base URL is changed', async () => {
		const credential = signInCredential(context);
		await context.records(EACH_FOLDER, { credential, items: folderItems(context, 1) });
		const token = tokenIn(credential);
		const other: Service = await startService(EDITION);
		try {
			// n8n keeps the hidden session when a person edits the other fields.
			const changed: SignInCredential = { ...credential, baseUrl: other.baseUrl };
			save(changed, savedWith(credential));
			const parameters = { ...ALL_FLOWS, ...SIGN_IN };
			await context.records(parameters, { credential: changed });
			const sent = other.requests.map(({ headers }) => headers.authorization ?? '');
			expect(sent.filter((header) => header.includes(token))).toEqual([]);
			expect(other.requests[0].path).toBe(SIGN_IN_PATH);

			// Other nodes of n8n, which know nothing of it, get what makes n8n sign in anew.
			const { authenticate } = context.engine.loader.getCredential('activepiecesSignInApi').type;
			if (typeof authenticate !== 'function') throw new Error('has no authenticate()');
			const withOld = { ...changed, ...savedWith(credential) };
			await expect(authenticate(withOld, { url: other.baseUrl })).rejects.toMatchObject({
				response: { status: 401 },
			});
		} finally {
			await other.close();
		}
	});

	test('is asked for with the Request Options of the node', async () => {
		const proxy = await startHttpProxy();
		try {
			await context.records(
				{ ...EACH_FOLDER, simplify: false, requestOptions: { proxy: proxy.url } },
				{ credential: signInCredential(context), items: folderItems(context, 1) },
			);
			expect(proxy.targets).toHaveLength(2);
			expect(proxy.targets[0]).toContain(new URL(context.service.origin).host);
		} finally {
			await proxy.close();
		}
	});

	test('is had from a server with a certificate of its own when Ignore SSL Issues is on', async () => {
		const secure = await startService({ ...EDITION, tls: true });
		try {
			const credential = { ...signInCredential(context), baseUrl: secure.baseUrl };
			const run = { credential, parameters: { ...ALL_FLOWS, ...SIGN_IN } };
			const error = await context.engine.failure(run);
			expect(error.message).toMatch(/^The certificate of .* is not trusted$/);
			const requestOptions = { allowUnauthorizedCerts: true };
			const parameters = { ...run.parameters, requestOptions };
			expect(await context.engine.records({ ...run, parameters })).not.toEqual([]);
		} finally {
			await secure.close();
		}
	});
});

describe('a sign-in that finds the service down', () => {
	const context = useService(EDITION);

	test.each([
		['429', { status: 429, headers: { 'retry-after': '60' } }],
		['503', { status: 503 }],
		['502 of a proxy', { status: 502, shape: 'html' as const }],
		['a cut connection', { reset: 'beforeHeaders' as const }],
	])('is repeated, once for all items: %s', async (_name, kind) => {
		context.service.fault({ path: SIGN_IN_PATH, times: 1, kind });
		const records = await context.records(EACH_FOLDER, {
			credential: signInCredential(context),
			items: folderItems(context, 40),
		});
		expect(records).toHaveLength(40);
		expect(signIns(context)).toBe(2);
	});

	test('is repeated for a rename, too, since nothing was renamed', async () => {
		context.service.fault({ path: SIGN_IN_PATH, times: 1, kind: { status: 502 } });
		const [{ id }] = context.service.data.folders;
		await context.records(
			{ ...RENAME, ...SIGN_IN, folderId: byId(id) },
			{ credential: signInCredential(context) },
		);
		expect(requestPaths(context)).toEqual([
			`POST ${SIGN_IN_PATH}`,
			`POST ${SIGN_IN_PATH}`,
			`POST /v1/folders/${id}`,
		]);
	});

	test('says so in the end, and that nothing was done', async () => {
		context.service.fault({ path: SIGN_IN_PATH, kind: { status: 429 } });
		const error = await context.failure(
			{ ...RENAME, ...SIGN_IN },
			{ credential: signInCredential(context) },
		);
		expect(error.message).toMatch(/^Activepieces is receiving too many sign-ins, after 5 tries/);
		expect(error.description).not.toContain('may have done it');
		expect(signIns(context)).toBe(5);
	});
});

describe('a sign-in that is refused', () => {
	const context = useService(EDITION);

	test('fails all items alike with one sign-in when the workflow continues', async () => {
		const credential = { ...signInCredential(context), password: 'Wrong-Passw0rd' };
		const { items } = await context.run(EACH_FOLDER, {
			credential,
			items: folderItems(context, 60),
			onError: 'continueRegularOutput',
		});
		expect(new Set(items.map(({ json }) => json.error))).toEqual(
			new Set(['Activepieces did not accept the email and password']),
		);
		expect(items).toHaveLength(60);
		expect(signIns(context)).toBe(1);
	});

	test('hides no list of a locator behind the others', async () => {
		const credential = { ...signInCredential(context), password: 'Wrong-Passw0rd' };
		const parameters = SIGN_IN;
		await expect(context.search('searchInvitations', { credential, parameters })).rejects.toThrow(
			'Activepieces did not accept the email and password',
		);
		expect(signIns(context)).toBe(1);
	});

	test('because the password changed is found out with the session that ended by it', async () => {
		const credential = signInCredential(context, 1);
		const run = { credential, parameters: { ...ALL_FLOWS, ...SIGN_IN } };
		await context.engine.records(run);
		const account = context.service.accounts[1];
		const { password } = account;
		account.password = password.toUpperCase();
		account.tokenVersion++;
		context.service.clearRequests();
		const error = await context.engine.failure(run);
		account.password = password;
		expect(error.message).toBe('Activepieces did not accept the email and password');
		expect(error.description).not.toContain('This came from the project');
		expect(signIns(context)).toBe(1);
	});

	test.each([
		['Email', { email: ' ' }, 'Email is empty'],
		['Password', { password: '' }, 'Password is empty'],
		['Base URL', { baseUrl: 'activepieces' }, /^Base URL must start with/],
	])('for want of %s is not sent', async (_name, fields, message) => {
		const credential = { ...signInCredential(context), ...fields };
		const error = await context.failure(A_FOLDER, { credential });
		expect(error.message).toMatch(message);
		expect(error.description).toContain('Nothing was sent.');
		expect((await context.engine.testCredential(credential)).message).toMatch(message);
		expect(context.service.requests).toEqual([]);
	});

	test('by a server that is not Activepieces says what to change', async () => {
		const credential = { ...signInCredential(context), baseUrl: context.service.origin };
		const error = await context.failure(A_FOLDER, { credential });
		expect(error.description).toContain(`Try ${context.service.origin}/api`);
	});

	test('does not follow a redirect with the password', async () => {
		const other = await startService(EDITION);
		try {
			const redirect = `${other.baseUrl}${SIGN_IN_PATH}`;
			context.service.fault({ path: SIGN_IN_PATH, kind: { redirect, status: 307 } });
			const credential = signInCredential(context);
			const error = await context.failure(A_FOLDER, { credential });
			expect(error.message).toBe(`The server redirects to ${redirect}`);
			expect((await context.engine.testCredential(credential)).status).toBe('Error');
			expect(other.requests).toEqual([]);
		} finally {
			await other.close();
		}
	});
});

describe('a user whom the platform does not let in', () => {
	const context = useService({ edition: 'enterprise', plan: { ssoEnabled: true }, clock });

	const cases: Array<[string, (service: Service) => () => void, string]> = [
		[
			'deactivated',
			({ accounts: [{ user }] }) => {
				user.status = 'INACTIVE';
				return () => (user.status = 'ACTIVE');
			},
			'The Activepieces user is deactivated',
		],
		[
			'not verified',
			({ accounts: [account] }) => {
				account.verified = false;
				return () => (account.verified = true);
			},
			'The email address of the Activepieces user is not verified',
		],
		[
			'on no platform',
			({ accounts: [account] }) => {
				const { platform } = account;
				account.platform = null;
				return () => (account.platform = platform);
			},
			'The Activepieces user does not belong to a platform yet',
		],
		[
			'single sign-on only',
			({ data }) => {
				data.signIn.emailAuthEnabled = false;
				return () => (data.signIn.emailAuthEnabled = true);
			},
			'The Activepieces platform allows single sign-on only',
		],
		[
			'another domain only',
			({ data }) => {
				data.signIn.allowedAuthDomains = ['other.example'];
				return () => (data.signIn.allowedAuthDomains = null);
			},
			'The Activepieces platform does not allow this email domain',
		],
	];

	test.each(cases)('reads why: %s', async (_name, change, message) => {
		const { engine, service } = context;
		const undo = change(service);
		try {
			const credential = signInCredential(context);
			const error = await context.failure(A_FOLDER, { credential });
			expect(error.message).toBe(message);
			expect(error.description).not.toBe('');
			expect((await engine.testCredential(credential)).message).toContain(message);
		} finally {
			undo();
		}
	});

	test('and one who is deactivated after signing in, too', async () => {
		const { engine, service } = context;
		const credential = signInCredential(context, 1);
		const run = { credential, parameters: { ...ALL_FLOWS, ...SIGN_IN } };
		await engine.records(run);
		const { user } = service.accounts[1];
		user.status = 'INACTIVE';
		const error = await engine.failure(run);
		user.status = 'ACTIVE';
		expect(error.message).toBe('The Activepieces user is deactivated');
	});
});

describe('a user on no platform, on a release that gives no session for it', () => {
	const context = useService({ ...EDITION, release: '0.79' });

	test('is told apart from a wrong password', async () => {
		context.service.accounts[0].platform = null;
		const credential = signInCredential(context);
		const error = await context.failure(A_FOLDER, { credential });
		expect(error.message).toBe('The Activepieces user does not belong to a platform yet');
	});
});

describe('password and session', () => {
	const context = useService(EDITION);
	let log: unknown[];
	beforeAll(() => {
		log = captureLog();
	});

	/** As it is, and as JSON writes it. */
	const PASSWORD = 'P"ass\\w0rd-#1';
	beforeEach(() => {
		context.service.accounts[0].password = PASSWORD;
	});

	const secretsOf = (credential: AnyCredential): string[] => {
		const { sessionToken } = savedWith(credential);
		const token = sessionToken === undefined ? [] : [tokenIn(credential)];
		return [PASSWORD, JSON.stringify(PASSWORD).slice(1, -1), ...token];
	};

	const leaks = (texts: string[], credential: AnyCredential) =>
		texts.filter((text) => secretsOf(credential).some((secret) => text.includes(secret)));

	test.each([
		['a good answer', undefined],
		['a refusal that repeats the password', { path: SIGN_IN_PATH, status: 400 }],
		['a 401 that repeats the password', { path: SIGN_IN_PATH, status: 401 }],
		['a 503 that repeats the password', { path: SIGN_IN_PATH, status: 503 }],
		['an answer that repeats both', { path: /folders/, status: 500 }],
		['an ended session that repeats both', { path: /folders/, status: 401 }],
		['a time-out', { path: /folders/, delay: 60_000 }],
		['a time-out of the sign-in', { path: SIGN_IN_PATH, delay: 60_000 }],
	])('are in nothing that a run leaves behind after %s', async (_name, fault) => {
		const { engine, service } = context;
		for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
			service.clearFaults();
			const credential = { ...signInCredential(context), timeout: 50 };
			if (fault !== undefined) {
				const { path, ...kind } = fault;
				service.fault({
					path,
					kind:
						'delay' in kind
							? kind
							: {
									status: kind.status,
									body: {
										code: 'VALIDATION',
										params: { message: `${PASSWORD} ${tokensSent(context).join(' ')}` },
									},
								},
				});
			}
			const result = await context.run(EACH_FOLDER, {
				credential,
				items: folderItems(context, 2),
				onError,
			});
			expect(leaks(tracesOf(result), credential)).toEqual([]);
			const test = await engine.testCredential(credential);
			expect(leaks([test.message], credential)).toEqual([]);
		}
	});

	// A password may be a word that records have in them, and a record that lacks it would show that.
	test('the session is in no item when the service has it in its data; the password is only a word there', async () => {
		const { engine, service } = context;
		const credential = signInCredential(context);
		const run = { credential, parameters: EACH_FOLDER, items: folderItems(context, 1) };
		await engine.records(run);
		service.fault({
			path: /folders/,
			kind: {
				body: { id: service.data.folders[0].id, displayName: `${PASSWORD} ${tokenIn(credential)}` },
			},
		});
		expect(await engine.records(run)).toMatchObject([{ displayName: `${PASSWORD} ***` }]);
	});

	test('are in nothing that n8n logs meanwhile, down to debug', () => {
		expect(log).not.toEqual([]);
		expect(textsOf(log).filter((text) => text.includes(PASSWORD))).toEqual([]);
	});

	test('are sent in the body of the sign-in and in the header, and nowhere else', async () => {
		const { engine, service } = context;
		const credential = signInCredential(context);
		const run = { credential, parameters: EACH_FOLDER, items: folderItems(context, 1) };
		await engine.records(run);
		const [signIn, folder] = service.requests;
		expect(signIn.body).toEqual({ email: credential.email, password: PASSWORD });
		expect(signIn.headers.authorization).toBeUndefined();
		expect(folder.headers.authorization).toBe(`Bearer ${tokenIn(credential)}`);
		const rest = textsOf([
			signIn.url,
			signIn.headers,
			folder.url,
			{ ...folder.headers, authorization: '' },
		]);
		expect(leaks(rest, credential)).toEqual([]);
	});

	test('a password too short to be one is not searched for', async () => {
		const credential = { ...signInCredential(context), password: 'a' };
		const error = await context.failure(A_FOLDER, { credential });
		expect(error.message).toBe('Activepieces did not accept the email and password');
	});
});

describe.each(BOTH_ANSWERS)('what cannot be an email and password, on release %s', (release) => {
	const context = useService({ ...EDITION, release });

	test.each([
		['a short password', { password: 'short' }],
		['an email without a host', { email: 'somebody' }],
		['both', { email: 'somebody', password: 'short' }],
	])('%s is named as such, and tried once', async (_what, given) => {
		const credential = { ...signInCredential(context), ...given };
		const error = await context.failure(A_FOLDER, { credential });
		expect(error.message).toBe('Activepieces did not accept the email and password');
		expect(error.description).toContain('at least 8 characters');
		expect(requestPaths(context)).toEqual([`POST ${SIGN_IN_PATH}`]);
		const test = await context.engine.testCredential(credential);
		expect(test.message).toBe(`${error.message}. ${error.description}`);
	});

	test('blanks around the email are not sent', async () => {
		const { email, ...credential } = signInCredential(context);
		const test = await context.engine.testCredential({ ...credential, email: ` ${email}\n` });
		expect(test.status).toBe('OK');
	});
});
