import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { ALL_FLOWS, CONNECTIONS, FOLDER, INVITATION, RENAME } from './harness/parameters';
import { restoreLimits } from '../restoreLimits';
import { limits } from './harness/built';
import { byId, useService } from './harness/service';
import { textsOf, tracesOf } from './harness/traces';

restoreLimits(limits);

/** Settings with different items: with Continue, a failed item stays in its place. */
const ON_ERROR = [undefined, 'continueErrorOutput'] as const;

describe('the key', () => {
	const context = useService();
	const echoed = (status: number): FaultKind => ({
		status,
		code: 'VALIDATION',
		message: `key ${context.service?.apiKey} is bad`,
	});
	/** What remains of a run and contains the key. */
	const leaks = (texts: string[]) =>
		texts.filter((text) => text.includes(context.credential.apiKey));

	// Other faults, and n8n's log, are in faults/.
	const ANSWERS = [400, 401, 402, 403, 404, 409, 422, 429, 500, 503, 'a redirect'];
	test.each(ANSWERS)('is in nothing that a run leaves behind after %s with it', async (status) => {
		limits.execution.maxAttempts = 2;
		const redirect = `https://other.example/${context.credential.apiKey}`;
		context.fault({ kind: typeof status === 'number' ? echoed(status) : { redirect } });
		for (const parameters of [FOLDER, RENAME, CONNECTIONS, INVITATION]) {
			for (const onError of ON_ERROR) {
				expect(leaks(tracesOf(await context.run(parameters, { onError })))).toEqual([]);
			}
		}
	});

	// The item contains the halves of the key: only the expression joins them.
	const halves = () => {
		const { apiKey } = context.credential;
		return [{ first: apiKey.slice(0, 20), second: apiKey.slice(20) }];
	};
	const KEY = '={{ $json.first + $json.second }}';
	const THROWS = '={{ ((key) => { throw new Error(key) })($json.first + $json.second) }}';

	test.each<[string, INodeParameters, asTool?: boolean]>([
		['an ID', { ...FOLDER, folderId: byId(KEY) }],
		['the ID of a delete', { ...INVITATION, invitationId: byId(KEY) }],
		['Project', { ...ALL_FLOWS, projectId: byId(KEY) }],
		['New Name', { ...RENAME, displayName: KEY }],
		['Return All', { ...CONNECTIONS, returnAll: KEY }],
		['Limit', { ...CONNECTIONS, limit: KEY }],
		['Page Size', { ...CONNECTIONS, options: { pageSize: KEY } }],
		['Simplify', { ...CONNECTIONS, simplify: KEY }],
		['Output', { ...CONNECTIONS, output: KEY }, true],
		['Fields', { ...CONNECTIONS, output: 'selectedFields', fields: KEY }, true],
		['a filter', { ...CONNECTIONS, filters: { scope: KEY } }],
		['Proxy', { ...CONNECTIONS, requestOptions: { proxy: KEY } }],
		['an expression that throws it', { ...FOLDER, folderId: byId(THROWS) }],
	])('is not shown when it is the value of %s', async (_name, parameters, asTool = false) => {
		for (const onError of ON_ERROR) {
			for (const isRouted of asTool ? [false] : [false, true]) {
				const given = { items: halves(), asTool, isRouted, onError };
				const result = await context.run(parameters, given);
				// Each of them fails, otherwise this test would check nothing.
				const failed = result.errorItems.filter(({ json }) => 'error' in json);
				expect(failed.length > 0 || result.error !== undefined).toBe(true);
				expect(leaks(tracesOf(result))).toEqual([]);
			}
		}
	});

	// An error that n8n makes, whose context repeats the value. In n8n's router, which reads the parameter
	// first, that error never reaches the node.
	test('is not shown when an expression uses it as the name of a node', async () => {
		const folderId = byId('={{ $($json.first + $json.second).item.json.id }}');
		for (const onError of ON_ERROR) {
			const result = await context.run({ ...FOLDER, folderId }, { items: halves(), onError });
			const message = result.error?.message ?? result.errorItems[0]?.json.error;
			expect(message).toBe("Referenced node doesn't exist");
			expect(leaks(tracesOf(result))).toEqual([]);
		}
	});

	test('is redacted in records that repeat it', async () => {
		const { apiKey } = context.credential;
		const nested = [{ [`x${apiKey}`]: apiKey }];
		const record = { id: apiKey, displayName: `of ${apiKey}`, [apiKey]: nested };
		context.fault({ kind: { body: { data: [record], next: null } } });
		for (const simplify of [true, false]) {
			const result = await context.run({ ...CONNECTIONS, simplify });
			expect(result.items[0].json.id).toBe('***');
			expect(leaks(tracesOf(result))).toEqual([]);
		}
	});

	test('is not shown when it was pasted into the field of an ID', async () => {
		const error = await context.failure({ ...FOLDER, folderId: byId(context.credential.apiKey) });
		expect(error.message).toBe('Folder "***" was not found');
	});

	test.each(['searchFolders', 'searchTemplates'])('is in no message of %s', async (method) => {
		context.fault({ kind: echoed(500) });
		const error: unknown = await context.search(method).catch((caught) => caught);
		expect(error).toHaveProperty('name', 'NodeApiError');
		expect(leaks(textsOf(error))).toEqual([]);
	});

	test('is in no message of the credential test', async () => {
		context.fault({ kind: echoed(500) });
		const { message } = await context.engine.testCredential(context.credential);
		expect(message).toContain('***');
		expect(leaks([message])).toEqual([]);
	});

	test('is sent to the service in the header and nowhere else', async () => {
		await context.records(CONNECTIONS);
		const [{ headers, url, body }] = context.requests;
		expect(headers.authorization).toBe(`Bearer ${context.credential.apiKey}`);
		expect(leaks(textsOf([{ ...headers, authorization: '' }, url, body]))).toEqual([]);
	});
});
