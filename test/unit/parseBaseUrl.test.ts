import * as fc from 'fast-check';

import { requireBaseUrl } from '../../nodes/Activepieces/transport/credential';

/** A Base URL in normalized form, or why it cannot be used. */
function parseBaseUrl(value: unknown): { url: string } | { invalid: string } {
	try {
		return { url: requireBaseUrl(value) };
	} catch (error) {
		return { invalid: (error as Error).message };
	}
}

test('with any slashes or /v1 at its end, a Base URL has one normalized form', () => {
	const url = fc.webUrl({ withQueryParameters: false, withFragments: false });
	const ending = fc.constantFrom('', '/', '//', '/v1', '/v1/');
	const holds = fc.property(url, ending, fc.constantFrom('', ' ', '\n'), (url, end, space) => {
		const plain = parseBaseUrl(url) as { url: string };
		expect(plain.url).toMatch(/[^/]$/);
		expect(parseBaseUrl(space + plain.url + end + space)).toEqual(plain);
	});
	fc.assert(holds);
});

test('any text is either an http URL without query and user, or refused with what to change', () => {
	const address = fc.webUrl({ withQueryParameters: true, withFragments: true });
	const holds = fc.property(fc.oneof(fc.string(), address), (text) => {
		const result = parseBaseUrl(text);
		if ('invalid' in result) return result.invalid.startsWith('Base URL ');
		const { protocol, search, hash, username, password } = new URL(result.url);
		return /^https?:$/.test(protocol) && search + hash + username + password === '';
	});
	fc.assert(holds);
});

test.each([undefined, null, 5, {}])('%p is an empty Base URL', (value) => {
	expect(parseBaseUrl(value)).toEqual({ invalid: expect.stringContaining('Base URL is empty') });
});

test('a path before /api is kept, because a server may use one', () => {
	expect(parseBaseUrl('https://host.example/tools/ap/api/v1/')).toEqual({
		url: 'https://host.example/tools/ap/api',
	});
});
