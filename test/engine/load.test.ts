import type { IDataObject } from 'n8n-workflow';

import { CONNECTIONS } from './harness/parameters';
import { byId, useService } from './harness/service';

describe('many items', () => {
	const context = useService({ data: { projects: 1, foldersPerProject: 1, invitations: 1_000 } });

	test('500 deletes through a service that stumbles: ten connections at once, and all done', async () => {
		const { service } = context;
		const ids = service.data.invitations
			.filter((row) => row.type === 'PLATFORM')
			.map((row) => row.id);
		for (let after = 50; after < 450; after += 50) {
			service.fault({ after, times: 2, kind: { status: 503 } });
			service.fault({ after: after + 30, times: 3, done: true, kind: { reset: 'beforeHeaders' } });
		}
		const records = await context.records(
			{ resource: 'userInvitation', operation: 'delete', invitationId: byId('={{ $json.id }}') },
			ids.map((id): IDataObject => ({ id })),
		);
		expect(records.filter(({ deleted }) => deleted === true)).toHaveLength(ids.length);
		expect(ids).toHaveLength(500);
		const left = new Set(service.data.invitations.map((row) => row.id));
		expect(ids.filter((id) => left.has(id))).toEqual([]);
		expect(service.connections.peak).toBeLessThanOrEqual(10);
	});
});

describe('long lists', () => {
	const context = useService({ data: { projects: 1, flows: 0, connections: 1 } });
	const all = { ...CONNECTIONS, returnAll: true, simplify: false };

	/** A list of so many records, without their bulk. */
	const list = (total: number) => {
		context.service.fault({
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

	test('100,000 records come out of one input item', async () => {
		const { service } = context;
		list(100_000);
		const records = await context.records(all);
		expect(records).toHaveLength(100_000);
		expect(records[99_999]).toEqual({ id: 99_999 });
		expect(service.requests).toHaveLength(100);
	});

	test('one record more gives the message, and no page is asked for after it', async () => {
		const { service } = context;
		list(5_000_000);
		const error = await context.failure({ ...all, options: { pageSize: 10_000 } });
		expect(error.message).toBe(
			'There are more global connections than the node accepts for one input item (100000)',
		);
		expect(service.requests).toHaveLength(11);
	});
});
