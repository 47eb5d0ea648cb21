import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	type LinkedRecord,
	recordUrl,
	parseRecordUrl,
} from '../../nodes/Activepieces/transport/recordUrl';

const CLOUD = 'https://cloud.activepieces.com/api';
const flow = { id: 'f', projectId: 'p' };

test.each([
	[CLOUD, 'https://cloud.activepieces.com/projects/p/flows/f'],
	['http://localhost:8080/api', 'http://localhost:8080/projects/p/flows/f'],
	['https://example.com/automation/api', 'https://example.com/automation/projects/p/flows/f'],
	['https://api.example.com', null],
	['https://example.com/my-api', null],
	[undefined, null],
])('the web app of %s', (baseUrl, url) => {
	expect(recordUrl(baseUrl, 'flow', flow)).toBe(url);
});

test('a page below a path is read without it', () => {
	const baseUrl = 'https://example.com/automation/api';
	const address = 'https://example.com/automation/projects/p/flows/f';
	expect(parseRecordUrl(baseUrl, 'flow', address)).toEqual({ id: 'f' });
});

test('a Base URL without a known web app still identifies the server', () => {
	const read = (address: string) => parseRecordUrl('https://example.com', 'flow', address);
	expect(read('https://example.com/projects/p/flows/f')).toEqual({ id: 'f' });
	expect(read('https://elsewhere.example/projects/p/flows/f')).toMatchObject({
		host: 'elsewhere.example',
	});
});

const NO_ADDRESSES = ['f', '', 'ftp://cloud.activepieces.com/flows/f', 'https://', '/flows/f'];
test.each(NO_ADDRESSES)('%j is not a URL', (text) => {
	expect(parseRecordUrl(CLOUD, 'flow', text)).toBeUndefined();
});

const kinds = fc.constantFrom<LinkedRecord>('flow', 'flowRun', 'project');
const ids = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 30 }),
	fc.constantFrom('..', '.', '../../x', '//evil.example', '?', '#', '%2e%2e', '\\', '@evil'),
	fc.constantFrom<IDataObject[string]>('', null, { toString: 'x' }, 'a)](//evil?x=<b>&"'),
);

test('whatever the IDs are, a link stays on the server and leads back to the same ID', () => {
	fc.assert(
		fc.property(kinds, ids, ids, (kind, id, projectId) => {
			const url = recordUrl(CLOUD, kind, { id, projectId });
			if (url === null) return;
			expect(url).toMatch(
				/^https:\/\/cloud\.activepieces\.com\/projects(\/[^/?#\s"'<>()[\]]+){1,3}$/,
			);
			expect(new URL(url).href).toBe(url);
			expect(parseRecordUrl(CLOUD, kind, url)).toEqual({
				id: decodeURIComponent(url.split('/').at(-1) ?? ''),
			});
		}),
	);
});
