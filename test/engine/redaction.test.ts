import type { INodeParameters } from 'n8n-workflow';

import { useHttpProxy } from './harness/httpProxy';
import { ALL_FLOWS, CONNECTIONS, FOLDER, METRICS } from './harness/parameters';
import { useService } from './harness/service';
import { SIGN_IN, SIGN_IN_PATH, signInCredential } from './harness/signIn';

const ALL_CONNECTIONS: INodeParameters = { ...CONNECTIONS, returnAll: true, simplify: false };

const context = useService();

describe('a key that a server sends back', () => {
	test.each<[string, (key: string) => string]>([
		['a space inside', (key) => `${key.slice(0, 20)} ${key.slice(20)}`],
		['a letter that no header can carry', (key) => `${key}ö`],
		['seven characters', (key) => key.slice(0, 7)],
		['a tab', (key) => `${key.slice(0, 20)}\t${key.slice(20)}`],
		['a no-break space', (key) => `${key.slice(0, 20)}\u00a0${key.slice(20)}`],
	])('is refused before anything is sent with %s', async (_name, change) => {
		const changed = { ...context.credential, apiKey: change(context.credential.apiKey) };
		const error = await context.failure(CONNECTIONS, { credential: changed });
		expect(error.message).toMatch(/^API Key (contains a|is too short)/);
		expect(error.description).toContain('Nothing was sent.');
		const test = await context.engine.testCredential(changed);
		expect(test.message).toContain(error.message);
		const shown = `${error.message} ${error.description} ${test.message}`;
		expect(shown).not.toContain(changed.apiKey.slice(3, 7));
		expect(context.requests).toEqual([]);
	});

	test.each<[string, (key: string) => string]>([
		['space', (key) => `  ${key}\n`],
		['quotes', (key) => `"${key}"`],
		['"Bearer"', (key) => `Bearer ${key}`],
		['its whole header', (key) => `Authorization: Bearer '${key}'`],
		['a zero-width character', (key) => `\u200b${key}`],
		['a line break', (key) => `${key.slice(0, 20)}\r\n${key.slice(20)}`],
		['a word joiner', (key) => `\u2060${key.slice(0, 20)}\u2060${key.slice(20)}`],
		['a soft hyphen', (key) => `${key.slice(0, 20)}\u00ad${key.slice(20)}`],
	])('is sent, and redacted, without %s that was pasted with it', async (_name, change) => {
		const { engine, credential } = context;
		const changed = { ...credential, apiKey: change(credential.apiKey) };
		context.fault({ kind: { answers: () => ({ data: [{ id: credential.apiKey }], next: null }) } });
		const run = { credential: changed, parameters: ALL_CONNECTIONS };
		expect(await engine.records(run)).toEqual([{ id: '***' }]);
		expect(context.requests[0].headers.authorization).toBe(`Bearer ${credential.apiKey}`);
		expect((await engine.testCredential(changed)).status).toBe('OK');
	});
});

describe('a message of a server', () => {
	const proxy = useHttpProxy();

	const INVISIBLE = ['\u200b', '\u200d', '\u2060'];
	test.each(INVISIBLE)(
		'shows no part of a key with %j in it, wherever it is cut',
		async (invisible) => {
			const { apiKey } = context.credential;
			const broken = apiKey.slice(0, 30) + invisible + apiKey.slice(30);
			for (const before of [0, 250, 280, 298]) {
				const message = `${'x'.repeat(before)} ${broken} ${'y'.repeat(400)}`;
				context.clearFaults();
				context.fault({ kind: { status: 400, code: 'VALIDATION', message } });
				const { description = '' } = await context.failure(CONNECTIONS);
				expect(description).not.toContain(apiKey.slice(3, 9));
				expect(description).not.toContain(apiKey.slice(-6));
			}
		},
	);

	test('shows no password of a proxy, also a short one, nor the header that it goes with', async () => {
		const header = Buffer.from('user:hunter2').toString('base64');
		const message = `user:hunter2 and Basic ${header}`;
		context.fault({ kind: { status: 400, code: 'VALIDATION', message } });
		const address = proxy.proxy.url.replace('://', '://user:hunter2@');
		const withProxy = { ...context.credential, proxy: address };
		const { description = '' } = await context.failure(CONNECTIONS, { credential: withProxy });
		expect(description).toContain('user:*** and Basic ***');
	});
});

describe.each(['activepieces', 'projectId', '12345678'])('records with the password %s', (word) => {
	const context = useService({ edition: 'community' });

	test('are returned as the server sent them', async () => {
		context.accounts[0].password = word;
		const credential = signInCredential(context);
		for (const parameters of [ALL_FLOWS, METRICS]) {
			const run = { credential, parameters: { ...parameters, ...SIGN_IN, simplify: false } };
			const records = await context.engine.records(run);
			expect(records.length).toBeGreaterThan(0);
			expect(JSON.stringify(records)).not.toContain('***');
		}
		const flow = { id: 'abc', projectId: 'b', pieceName: '@activepieces/piece', size: 12345678 };
		context.fault({ path: /folders/, kind: { body: flow } });
		const parameters = { ...FOLDER, ...SIGN_IN };
		expect(await context.records(parameters, { credential })).toEqual([flow]);
	});

	test.each([400, 401, 500])('that a sign-in repeats are in no message: %i', async (status) => {
		const credential = { ...signInCredential(context), password: word };
		const message = `the password ${word}, ${encodeURIComponent(word)} or ${JSON.stringify(word)}`;
		context.fault({
			path: SIGN_IN_PATH,
			kind: { status, body: { code: 'VALIDATION', params: { message } } },
		});
		const error = await context.failure({ ...FOLDER, ...SIGN_IN }, { credential });
		const test = await context.engine.testCredential(credential);
		for (const text of [`${error.message} ${error.description}`, test.message]) {
			expect(text).not.toContain(`password ${word}`);
			if (text.includes('Activepieces says')) expect(text).toContain('the password ***, ***');
		}
	});
});
