import { parseRequestOptions } from '../../nodes/Activepieces/execution/requestOptions';

const settingsOf = (options: unknown) => parseRequestOptions(options).settings;
const proxyOf = (proxy: unknown) => settingsOf({ proxy }).proxy;
const batchingOf = (batchSize: unknown, batchInterval: unknown) =>
	parseRequestOptions({ batching: { batch: { batchSize, batchInterval } } }).batching;

describe('Proxy', () => {
	test.each([
		['http://proxy.example:3128', { host: 'proxy.example', port: 3128, protocol: 'http' }],
		['http://proxy.example', { host: 'proxy.example', port: 80, protocol: 'http' }],
		['https://proxy.example', { host: 'proxy.example', port: 443, protocol: 'https' }],
		[' https://proxy.example:8443/ ', { host: 'proxy.example', port: 8443, protocol: 'https' }],
	])('%s', (address, proxy) => {
		expect(proxyOf(address)).toEqual(proxy);
	});

	test('gives user and password as they are, not as an address writes them', () => {
		expect(proxyOf('http://us%40er:p%3Ass@proxy.example:3128')).toMatchObject({
			auth: { username: 'us@er', password: 'p:ss' },
		});
	});

	test.each([
		'proxy.example:3128',
		'socks5://proxy.example',
		'http://',
		'http:///x',
		'http://a b',
		'http://us%er:pass@proxy.example',
		{ toString: 1 },
	])('%j is refused with what to change', (address) => {
		expect(() => proxyOf(address)).toThrow('Proxy is not a valid web address');
	});

	test.each(['', ' ', undefined])('%j is no proxy', (address) => {
		expect(proxyOf(address)).toBeUndefined();
	});
});

describe('Timeout', () => {
	test.each([
		[5000, 5000],
		['5000', 5000],
		[0.5, 1],
		// More than a timer of Node.js can wait, after which it would wait not at all.
		[1e12, 2 ** 31 - 1],
		[Infinity, 2 ** 31 - 1],
	])('%j is %i ms', (timeout, ms) => {
		expect(settingsOf({ timeout }).timeoutMs).toBe(ms);
	});

	test.each([0, '0', '', undefined, null])('%j is the default', (timeout) => {
		expect(settingsOf({ timeout }).timeoutMs).toBeUndefined();
	});

	test.each(['soon', -1, NaN, true, { toString: 1 }])('%j is refused', (timeout) => {
		expect(() => settingsOf({ timeout })).toThrow('Timeout is not a number of milliseconds');
	});
});

describe('Ignore SSL Issues', () => {
	test.each([
		[true, true],
		['true', true],
		[false, false],
		['false', false],
		[undefined, undefined],
	])('%j is %j', (allowUnauthorizedCerts, ignored) => {
		expect(settingsOf({ allowUnauthorizedCerts }).allowUnauthorizedCerts).toBe(ignored);
	});

	test.each(['yes', 1, { toString: 1 }])('%j is refused', (allowUnauthorizedCerts) => {
		expect(() => settingsOf({ allowUnauthorizedCerts })).toThrow(
			'Ignore SSL Issues must be true or false',
		);
	});
});

describe('Batching', () => {
	test.each([
		[2, 1_500, { size: 2, intervalMs: 1_500 }],
		['2', '1500', { size: 2, intervalMs: 1_500 }],
		[0, 1_500, { size: 1, intervalMs: 1_500 }],
		[-1, 1_500, undefined],
		[2, 0, undefined],
		[{ toString: 1 }, 1_500, { size: 1, intervalMs: 1_500 }],
		[2, { toString: 1 }, undefined],
	])('Items per Batch %j, Batch Interval %j', (size, interval, batching) => {
		expect(batchingOf(size, interval)).toEqual(batching);
	});
});

test('without any options nothing comes before the settings of the credential', () => {
	for (const none of [undefined, {}, { timeout: 0 }]) {
		expect(parseRequestOptions(none)).toEqual({ settings: {}, batching: undefined });
	}
});
