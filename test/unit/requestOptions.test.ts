import { parseRequestOptions } from '../../nodes/Activepieces/execution/item';

const settingsOf = (options: unknown) => parseRequestOptions(options).settings;
const proxyOf = (proxy: unknown) => settingsOf({ proxy }).proxy;
const WORDLESS = { toString: 1 };

test.each([
	['http://proxy.example:3128', { host: 'proxy.example', port: 3128, protocol: 'http' }],
	['http://proxy.example', { host: 'proxy.example', port: 80, protocol: 'http' }],
	['https://proxy.example', { host: 'proxy.example', port: 443, protocol: 'https' }],
	[' https://proxy.example:8443/ ', { host: 'proxy.example', port: 8443, protocol: 'https' }],
	['', undefined],
	[' ', undefined],
	[undefined, undefined],
])('Proxy %j is parsed as %j', (address, proxy) => {
	expect(proxyOf(address)).toEqual(proxy);
});

test('Proxy has user and password decoded, not as in a URL', () => {
	const auth = { username: 'us@er', password: 'p:ss' };
	expect(proxyOf('http://us%40er:p%3Ass@proxy.example:3128')).toMatchObject({ auth });
});

const NO_PROXIES = ['proxy.example:3128', 'socks5://proxy.example', 'http://', 'http:///x'];
test.each([
	...[...NO_PROXIES, 'http://a b', 'http://us%er:pass@proxy.example', WORDLESS].map(
		(proxy) => [{ proxy }, 'Proxy must be a URL that begins with http:// or https://'] as const,
	),
	...['soon', -1, NaN, true, WORDLESS].map(
		(timeout) => [{ timeout }, 'Timeout must be a number of milliseconds'] as const,
	),
	...['yes', 1, WORDLESS].map(
		(value) =>
			[{ allowUnauthorizedCerts: value }, 'Ignore SSL Issues must be true or false'] as const,
	),
])('%j is refused: %s', (options, message) => {
	expect(() => settingsOf(options)).toThrow(message);
});

test.each<[unknown, number | undefined]>([
	[5000, 5000],
	['5000', 5000],
	[0.5, 1],
	// Longer than a timer of Node.js can wait, which would then not wait at all.
	[1e12, 2 ** 31 - 1],
	[Infinity, 2 ** 31 - 1],
	...[0, '0', '', undefined, null].map((none): [unknown, undefined] => [none, undefined]),
])('Timeout %j is %j ms', (timeout, ms) => {
	expect(settingsOf({ timeout }).timeoutMs).toBe(ms);
});

test.each([
	[true, true],
	['true', true],
	[false, false],
	['false', false],
	[undefined, undefined],
])('Ignore SSL Issues %j is parsed as %j', (allowUnauthorizedCerts, ignored) => {
	expect(settingsOf({ allowUnauthorizedCerts }).skipSslCertificateValidation).toBe(ignored);
});

test.each([
	[2, 1_500, { size: 2, intervalMs: 1_500 }],
	['2', '1500', { size: 2, intervalMs: 1_500 }],
	[0, 1_500, { size: 1, intervalMs: 1_500 }],
	[-1, 1_500, undefined],
	[2, 0, undefined],
	[WORDLESS, 1_500, { size: 1, intervalMs: 1_500 }],
	[2, WORDLESS, undefined],
])('Items per Batch %j, Batch Interval %j', (batchSize, batchInterval, wanted) => {
	const { batching } = parseRequestOptions({ batching: { batch: { batchSize, batchInterval } } });
	expect(batching).toEqual(wanted);
});

test.each([undefined, {}, { timeout: 0 }])('%j overrides no settings', (none) => {
	expect(parseRequestOptions(none)).toEqual({ settings: {}, batching: undefined });
});
