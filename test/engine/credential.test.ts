import { limits } from './harness/built';
import { FIRST_AND_LAST, useService } from './harness/service';

describe.each(FIRST_AND_LAST)('credential test on release %s', (release) => {
	const context = useService({ release });

	test('a good key passes, with one request that every key may send', async () => {
		expect(await context.engine.testCredential(context.credential)).toMatchObject({ status: 'OK' });
		expect(context.requests.map(({ url }) => url)).toEqual(['/api/v1/projects?limit=1']);
	});
});

describe('credential test with unusual servers', () => {
	const context = useService();

	// Other invalid keys are in redaction.test.ts.
	test('an empty key is reported, and nothing is sent', async () => {
		const result = await context.engine.testCredential({ ...context.credential, apiKey: ' ' });
		const message = expect.stringMatching(/^API Key is empty\. Enter the complete/);
		expect(result).toEqual({ status: 'Error', message });
		expect(context.requests).toEqual([]);
	});

	test('a server that does not respond fails the test after half a minute', async () => {
		expect(limits.credentialTestTimeoutMs).toBe(30_000);
		limits.credentialTestTimeoutMs = 300;
		context.fault({ kind: { delay: 20_000 } });
		const start = Date.now();
		const result = await context.engine.testCredential(context.credential);
		limits.credentialTestTimeoutMs = 30_000;
		expect(result.status).toBe('Error');
		expect(result.message).toContain('did not respond in time');
		expect(Date.now() - start).toBeLessThan(10_000);
	});

	test.each([
		['a web page', { html: true as const }, 'Base URL points to a web page'],
		['a page by its type', { body: { data: [] }, contentType: 'text/html' }, 'to a web page'],
		['a redirect', { redirect: 'https://other.example/api' }, 'redirects to https://other.example'],
		['truncated JSON', { truncated: true as const }, 'incomplete or is not JSON'],
		['another API', { body: { hello: 'world' } }, 'does not have the expected format'],
		[
			'a proxy without its server',
			{ status: 502, shape: 'html' as const },
			'Activepieces is unavailable',
		],
		['a cut connection', { reset: 'beforeHeaders' as const }, 'closed the connection'],
	])('%s does not pass', async (_name, kind, message) => {
		context.fault({ kind });
		const result = await context.engine.testCredential(context.credential);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
		expect(context.requests).toHaveLength(1);
	});
});
