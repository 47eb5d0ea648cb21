import { CONNECTIONS, DELETE } from './harness/parameters';
import { useService } from './harness/service';

describe('many items', () => {
	const context = useService({ data: { projects: 1, foldersPerProject: 1, invitations: 400 } });

	test('200 deletes through an unreliable service: ten connections at once, and all complete', async () => {
		const { service } = context;
		const ids = service.data.invitations
			.filter((row) => row.type === 'PLATFORM')
			.map((row) => row.id);
		for (let after = 30; after < 200; after += 60) {
			service.fault({ after, times: 2, kind: { status: 503 } });
			service.fault({ after: after + 30, times: 3, done: true, kind: { reset: 'beforeHeaders' } });
		}
		const records = await context.records(
			DELETE,
			ids.map((id) => ({ id })),
		);
		expect(records.filter(({ deleted }) => deleted === true)).toHaveLength(ids.length);
		expect(ids).toHaveLength(200);
		const left = new Set(service.data.invitations.map((row) => row.id));
		expect(ids.filter((id) => left.has(id))).toEqual([]);
		expect(service.connections.peak).toBeLessThanOrEqual(10);
	});
});

describe('long lists', () => {
	const context = useService({ data: { projects: 1, flows: 0, connections: 1 } });
	const all = { ...CONNECTIONS, returnAll: true, simplify: false };

	/** A list with this many records, without their large fields. */
	const list = (total: number) => {
		context.fault({
			path: '/v1/global-connections',
			kind: {
				answers: ({ query }) => {
					const start = Number(query.cursor ?? 0);
					const end = Math.min(total, start + Number(query.limit));
					const data = Array.from({ length: end - start }, (_, row) => ({ id: start + row }));
					return { data, next: end < total ? String(end) : null };
				},
			},
		});
	};

	test('one input item can return 100,000 records', async () => {
		list(100_000);
		const records = await context.records({ ...all, options: { pageSize: 10_000 } });
		expect(records).toHaveLength(100_000);
		expect(records[99_999]).toEqual({ id: 99_999 });
		expect(context.requests).toHaveLength(10);
	});
});
