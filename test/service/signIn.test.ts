import { start, stopAll } from './client';
import type { Service } from './index';
import { PASSWORD } from './sessions';

afterEach(stopAll);

async function signIn(
	service: Service,
	body: Record<string, unknown> = { email: 'admin@example.test', password: PASSWORD },
	headers: Record<string, string> = {},
) {
	const response = await fetch(`${service.baseUrl}/v1/authentication/sign-in`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	const { status, headers: told } = response;
	return { status, headers: told, body: (await response.json()) as Record<string, unknown> };
}

async function statusWith(service: Service, token: unknown): Promise<number> {
	const headers = { authorization: `Bearer ${String(token)}` };
	return (await fetch(`${service.baseUrl}/v1/user-invitations?type=PLATFORM`, { headers })).status;
}

function payloadOf(token: unknown) {
	const payload = Buffer.from(String(token).split('.')[1], 'base64url').toString();
	return JSON.parse(payload) as Record<string, unknown>;
}

test('each sign-in gives a fresh token of seven days, and the earlier ones stay valid', async () => {
	const service = await start({ edition: 'community' });
	const first = await signIn(service);
	const second = await signIn(service, { email: 'ADMIN@Example.test', password: PASSWORD });
	expect([first.status, second.status]).toEqual([200, 200]);
	expect(second.body.token).not.toBe(first.body.token);
	const { iat, exp } = payloadOf(first.body.token);
	expect(Number(exp) - Number(iat)).toBe(604_800);
	expect(await statusWith(service, first.body.token)).toBe(200);
	expect(await statusWith(service, second.body.token)).toBe(200);
});

test('a token of 0.73 names one project, later ones none', async () => {
	const old = await start({ release: '0.73', edition: 'community', data: 'recorded' });
	const account = { email: 'kaethe@example.test', password: PASSWORD };
	const signedIn = await signIn(old, account);
	expect(payloadOf(signedIn.body.token).projectId).toBe(old.data.projects[0].id);
	expect(signedIn.body.projectId).toBe(old.data.projects[0].id);
	const late = await start({ edition: 'community', data: 'recorded' });
	expect(payloadOf((await signIn(late, account)).body.token)).not.toHaveProperty('projectId');
});

test('a token ends after seven days, by the clock of the service', async () => {
	let now = Date.now();
	const service = await start({ clock: () => now });
	const { token } = (await signIn(service)).body;
	now += 604_799_000;
	expect(await statusWith(service, token)).toBe(200);
	now += 2000;
	expect(await statusWith(service, token)).toBe(401);
});

test('all tokens can be made to end; signing in again helps', async () => {
	const service = await start();
	const { token } = (await signIn(service)).body;
	service.revokeTokens();
	expect(await statusWith(service, token)).toBe(403);
	const next = (await signIn(service)).body.token;
	expect(await statusWith(service, next)).toBe(200);
	service.expireTokens();
	expect(await statusWith(service, next)).toBe(401);
	expect(await statusWith(service, service.tokens.member)).toBe(401);
	expect(await statusWith(service, (await signIn(service)).body.token)).toBe(200);
});

test('a wrong password and an unknown email are answered alike', async () => {
	const service = await start();
	const expected = { code: 'INVALID_CREDENTIALS', params: null };
	for (const body of [
		{ email: 'admin@example.test', password: 'Wrong-Passw0rd' },
		{ email: 'nobody@example.test', password: PASSWORD },
	]) {
		expect(await signIn(service, body)).toMatchObject({ status: 401, body: expected });
	}
});

test('single sign-on alone is a matter of Enterprise plans', async () => {
	for (const options of [{ edition: 'community' }, { plan: { ssoEnabled: false } }] as const) {
		const service = await start(options);
		service.data.signIn.emailAuthEnabled = false;
		expect((await signIn(service)).status).toBe(200);
	}
});

test('deactivating a person ends their sessions', async () => {
	const service = await start();
	const { token } = (await signIn(service)).body;
	service.accounts[0].user.status = 'INACTIVE';
	expect(await statusWith(service, token)).toBe(403);
});

test('whoever has just signed up has no platform, and a token that opens nothing', async () => {
	const late = await start({ release: '0.85', edition: 'community' });
	late.accounts[0].platform = null;
	const { status, body } = await signIn(late);
	expect(status).toBe(200);
	expect(body).toMatchObject({ platformId: null, projectId: null });
	expect(payloadOf(body.token).type).toBe('ONBOARDING');
	expect(await statusWith(late, body.token)).toBe(403);
	const old = await start({ release: '0.73', edition: 'community' });
	old.accounts[0].platform = null;
	expect((await signIn(old)).status).toBe(401);
});

describe('50 a minute', () => {
	test('failed ones count, for a minute, and other routes go on', async () => {
		let now = Date.now();
		const service = await start({ clock: () => now });
		const { token } = (await signIn(service)).body;
		for (let i = 0; i < 49; i++) await signIn(service, {});
		const refused = await signIn(service);
		expect(refused.status).toBe(429);
		expect(refused.headers.get('retry-after')).toBe('60');
		expect(refused.body.message).toBe('Rate limit exceeded, retry in 1 minute');
		expect(await statusWith(service, token)).toBe(200);
		now += 1000;
		expect((await signIn(service)).headers.get('retry-after')).toBe('59');
		now += 59_000;
		expect((await signIn(service)).status).toBe(200);
	});

	test('each X-Real-IP has its own count; without it all share one', async () => {
		const service = await start({ clock: () => 0 });
		for (let i = 0; i < 50; i++) await signIn(service, {});
		expect((await signIn(service)).status).toBe(429);
		expect((await signIn(service, undefined, { 'x-real-ip': '10.0.0.2' })).status).toBe(200);
	});
});
