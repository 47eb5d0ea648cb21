import * as fc from 'fast-check';

import { parseBaseUrl } from '../../nodes/Activepieces/transport/credential/parseBaseUrl';

const endings = fc
	.array(fc.constantFrom('/', '//', '/v1', '/v1/'), { maxLength: 1 })
	.map((parts) => parts.join(''));

test('whatever slashes or /v1 end it, one Base URL has one form', () => {
	fc.assert(
		fc.property(
			fc.webUrl({ withQueryParameters: false, withFragments: false }),
			endings,
			fc.constantFrom('', ' ', '\n'),
			(url, ending, space) => {
				const plain = parseBaseUrl(url);
				expect(plain).toHaveProperty('url');
				if (!('url' in plain)) return;
				expect(parseBaseUrl(space + plain.url + ending + space)).toEqual(plain);
				expect(plain.url).not.toMatch(/\/$/);
			},
		),
	);
});

test('any text is either an http address without query and user, or refused with what to change', () => {
	fc.assert(
		fc.property(
			fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true })),
			(text) => {
				const result = parseBaseUrl(text);
				if ('invalid' in result) {
					expect(result.invalid).toMatch(/^Base URL /);
					return;
				}
				const url = new URL(result.url);
				expect(['http:', 'https:']).toContain(url.protocol);
				expect(url.search + url.hash + url.username + url.password).toBe('');
			},
		),
	);
});

test.each([undefined, null, 5, {}])('%p is an empty Base URL', (value) => {
	expect(parseBaseUrl(value)).toEqual({ invalid: expect.stringContaining('Base URL is empty') });
});

test('a path before /api is kept, as an instance may live below one', () => {
	expect(parseBaseUrl('https://host.example/tools/ap/api/v1/')).toEqual({
		url: 'https://host.example/tools/ap/api',
	});
});
