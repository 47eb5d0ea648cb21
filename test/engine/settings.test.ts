import { CONNECTIONS, GET, METRICS, RENAME } from './harness/parameters';
import { byId, useService } from './harness/service';

describe('the settings that n8n gives every node', () => {
	const context = useService();
	const retrying = (maxTries: number) => ({ retryOnFail: true, maxTries, waitBetweenTries: 1 });
	const folders = () => context.data.folders.slice(0, 3).map(({ id }) => ({ id }));

	test.each([false, true])(
		'Retry On Fail runs all items again (by n8n’s router: %s)',
		async (isRouted) => {
			context.fault({ times: 2, kind: { status: 500 } });
			const given = { items: folders(), settings: retrying(3), isRouted };
			const records = await context.records(GET, given);
			expect(records).toMatchObject(folders());
			expect(context.requests.slice(-3).map(({ status }) => status)).toEqual([200, 200, 200]);
		},
	);

	test('Retry On Fail returns the error of the last try when none succeeds', async () => {
		context.fault({ times: 1, kind: { status: 500 } });
		context.fault({ kind: { status: 422, message: 'not now' } });
		const error = await context.failure(METRICS, { settings: retrying(2) });
		expect(error.message).toBe('Activepieces refused the request (HTTP 422)');
		expect(context.requests).toHaveLength(2);
	});

	test('each try of Retry On Fail starts from scratch: an outage of the one before is forgotten', async () => {
		// The first try: ten renames five times each, the eleventh once. Then three requests of the second try.
		context.fault({ times: 51 + 3, kind: { status: 503 } });
		const items = Array.from({ length: 11 }, (_, row) => ({ name: `Name ${row}` }));
		const records = await context.records(
			{ ...RENAME, folderId: byId(context.data.folders[0].id), displayName: '={{ $json.name }}' },
			{ items, onError: 'continueRegularOutput', settings: retrying(2) },
		);
		expect(records.map(({ displayName }) => displayName)).toEqual(items.map(({ name }) => name));
		expect(context.requests).toHaveLength(51 + 3 + 11);
	});

	test('Execute Once processes the first item only', async () => {
		const { items } = await context.run(GET, { items: folders(), settings: { executeOnce: true } });
		expect(items.map(({ json }) => json.id)).toEqual([folders()[0].id]);
		expect(items[0].pairedItem).toEqual({ item: 0 });
		expect(context.requests).toHaveLength(1);
	});

	test.each([
		[true, [{}]],
		[false, []],
	])('Always Output Data (%s) on an empty list', async (alwaysOutputData, output) => {
		const parameters = { ...CONNECTIONS, filters: { displayName: 'no such connection' } };
		expect(await context.records(parameters, { settings: { alwaysOutputData } })).toEqual(output);
	});
});
