import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../harness/byId';
import { useHttpProxy } from '../harness/httpProxy';
import { ALL_FLOWS, CONNECTIONS, FOLDER, INVITATION, RENAME } from '../harness/parameters';
import { useService } from '../harness/service';
import { textsOf, tracesOf } from '../harness/traces';

/** Settings with different items: with Continue, a failed item stays in its place. */
const ON_ERROR = [undefined, 'continueErrorOutput'] as const;

const context = useService();

describe('the key', () => {
	/** What remains of a run and contains the key. */
	const leaks = (texts: string[]) =>
		texts.filter((text) => text.includes(context.credential.apiKey));

	// The item contains the halves of the key: only the expression joins them.
	const KEY = '={{ $json.first + $json.second }}';
	const THROWS = '={{ ((key) => { throw new Error(key) })($json.first + $json.second) }}';

	// An error that n8n makes, whose context repeats the value. In n8n's router, which reads the parameter
	// first, that error never reaches the node.
	const NO_NODE = '={{ $($json.first + $json.second).item.json.id }}';

	test.each<[string, INodeParameters, only?: 'tool' | 'node' | 'any']>([
		['the ID of a delete', { ...INVITATION, invitationId: byId(KEY) }],
		['the ID of a record', { ...FOLDER, folderId: byId(KEY) }],
		['Project', { ...ALL_FLOWS, projectId: byId(KEY) }],
		['New Name', { ...RENAME, displayName: KEY }],
		['Return All', { ...CONNECTIONS, returnAll: KEY }],
		['Limit', { ...CONNECTIONS, limit: KEY }],
		['Output', { ...CONNECTIONS, output: KEY }, 'tool'],
		['Fields', { ...CONNECTIONS, output: 'selectedFields', fields: KEY }, 'tool'],
		['a filter', { ...CONNECTIONS, filters: { scope: KEY } }],
		['Proxy', { ...CONNECTIONS, requestOptions: { proxy: KEY } }],
		['an expression that throws it', { ...FOLDER, folderId: byId(THROWS) }],
		['the name of a node in an expression', { ...FOLDER, folderId: byId(NO_NODE) }, 'node'],
	])('is not shown when it is the value of %s', async (_name, parameters, only = 'any') => {
		const { apiKey } = context.credential;
		const items = [{ first: apiKey.slice(0, 20), second: apiKey.slice(20) }];
		for (const onError of ON_ERROR) {
			for (const isRouted of only === 'any' ? [false, true] : [false]) {
				const given = { items, asTool: only === 'tool', isRouted, onError };
				const result = await context.run(parameters, given);
				// Each of them fails, otherwise this test would check nothing.
				const failed = result.errorItems.filter(({ json }) => 'error' in json);
				expect(failed.length > 0 || result.error !== undefined).toBe(true);
				expect(leaks(tracesOf(result))).toEqual([]);
			}
		}
	});

	test('is sent to the service in the header and nowhere else', async () => {
		await context.records(CONNECTIONS);
		const [{ headers, url, body }] = context.requests;
		expect(headers.authorization).toBe(`Bearer ${context.credential.apiKey}`);
		expect(leaks(textsOf([{ ...headers, authorization: '' }, url, body]))).toEqual([]);
	});

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
		['its whole header', (key) => `Authorization: Bearer '${key}'`],
		['a line break', (key) => `${key.slice(0, 20)}\r\n${key.slice(20)}`],
		['a word joiner', (key) => `\u2060${key.slice(0, 20)}\u2060${key.slice(20)}`],
		['a soft hyphen', (key) => `${key.slice(0, 20)}\u00ad${key.slice(20)}`],
	])('is sent, and redacted, without %s that was pasted with it', async (_name, change) => {
		const { engine, credential } = context;
		const changed = { ...credential, apiKey: change(credential.apiKey) };
		context.fault({ kind: { answers: () => ({ data: [{ id: credential.apiKey }], next: null }) } });
		const parameters = { ...CONNECTIONS, returnAll: true, simplify: false };
		expect(await engine.records({ credential: changed, parameters })).toEqual([{ id: '***' }]);
		expect(context.requests[0].headers.authorization).toBe(`Bearer ${credential.apiKey}`);
		expect((await engine.testCredential(changed)).status).toBe('OK');
	});
});

describe('a message of a server', () => {
	const proxy = useHttpProxy();

	const INVISIBLE = ['\u200b', '\u2060'];
	test.each(INVISIBLE)('shows no part of a key with %j in it, wherever it is cut', async (sign) => {
		const { apiKey } = context.credential;
		const broken = apiKey.slice(0, 30) + sign + apiKey.slice(30);
		const starts = [0, 250, 280, 298].map((length) => 'x'.repeat(length));
		for (const start of [...starts, ' '.repeat(19_980)]) {
			const message = `${start} ${broken} ${'y'.repeat(400)}`;
			context.clearFaults();
			context.fault({ kind: { status: 400, code: 'VALIDATION', message } });
			const { description = '' } = await context.failure(CONNECTIONS);
			expect(description).not.toContain(apiKey.slice(3, 9));
			expect(description).not.toContain(apiKey.slice(-6));
		}
	});

	const PASSWORDS = ['hunting%41', 'hunting1'];
	test.each(PASSWORDS)('shows no password of a proxy nor its header: %s', async (password) => {
		const header = Buffer.from(`user:${password}`).toString('base64');
		const message = `user:${password} and Basic ${header}`;
		context.fault({ kind: { status: 400, code: 'VALIDATION', message } });
		const user = `user:${encodeURIComponent(password)}`;
		const address = proxy.proxy.url.replace('://', `://${user}@`);
		const withProxy = { ...context.credential, proxy: address };
		const { description = '' } = await context.failure(CONNECTIONS, { credential: withProxy });
		expect(description).toContain('the text is not shown, because it contains the credential');
	});
});
