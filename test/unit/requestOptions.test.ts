import { parseRequestOptions } from '../../nodes/Activepieces/execution/requestOptions';

const proxyOf = (proxy: string) => parseRequestOptions({ proxy }).requestDefaults.proxy;
const batchingOf = (batchSize: number, batchInterval: number) =>
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

	test.each(['proxy.example:3128', 'socks5://proxy.example', 'http://', 'http:///x', 'http://a b'])(
		'%j is refused with what to change',
		(address) => {
			expect(() => proxyOf(address)).toThrow('Proxy is not a valid web address');
		},
	);

	test.each(['', ' ', undefined])('%j is no proxy', (address) => {
		expect(proxyOf(address as string)).toBeUndefined();
	});
});

describe('Batching', () => {
	test.each([
		[2, 1_500, { size: 2, intervalMs: 1_500 }],
		[0, 1_500, { size: 1, intervalMs: 1_500 }],
		[-1, 1_500, undefined],
		[2, 0, undefined],
	])('Items per Batch %i, Batch Interval %i', (size, interval, batching) => {
		expect(batchingOf(size, interval)).toEqual(batching);
	});
});

test('without any options the time-out is n8n’s own, and certificates are checked', () => {
	for (const none of [undefined, {}, { timeout: 0 }]) {
		expect(parseRequestOptions(none)).toEqual({
			requestDefaults: { skipSslCertificateValidation: false, timeout: 300_000 },
			batching: undefined,
		});
	}
});
