import { type Edition, type Release, type Service, startService } from '../service/index';
import type { FlowVersionRecord } from '../service/records';
import { laterNames, prepare, seed } from './laterData';
import { type LaterRow, stateOf } from './laterTable';
import { ask, expected, readRows, resolve, seen } from './table';

const NO_WORKERS = 'no operation asks for the workers';

interface Table {
	release: Release;
	edition: Edition;
	/** exchanges in the recording's sections about these operations, and walks */
	recorded: number;
	/** recorded exchanges that are not compared, by number, and why */
	leftOut: Record<string, string>;
}

const COMMUNITY = {
	edition: 'community',
	recorded: 75,
	leftOut: { 52: 'the Community data has no connections', 55: NO_WORKERS },
} as const;

const TABLES: Table[] = [
	{
		release: '0.73',
		edition: 'enterprise',
		recorded: 319,
		leftOut: { 237: NO_WORKERS, 238: NO_WORKERS },
	},
	{
		release: '0.79',
		edition: 'enterprise',
		recorded: 297,
		leftOut: { 230: NO_WORKERS, 231: NO_WORKERS },
	},
	{
		release: '0.85',
		edition: 'enterprise',
		recorded: 297,
		leftOut: {
			58: 'two invitations of one time, whose order is chance',
			216: 'badges are earned by what somebody does in the editor',
			227: 'no operation asks for a list of the connections of all projects by that path',
			230: NO_WORKERS,
			231: NO_WORKERS,
		},
	},
	{ release: '0.73', ...COMMUNITY },
	{ release: '0.79', ...COMMUNITY },
	{
		release: '0.85',
		...COMMUNITY,
		leftOut: {
			...COMMUNITY.leftOut,
			'10.3': 'runs of one millisecond: how many are lost depends on their ids',
		},
	},
];

describe.each(TABLES)(
	'the stand-in against the recorded changes of $release, $edition',
	({ release, edition, recorded, leftOut }) => {
		const rows = readRows<LaterRow>(`more-${edition}`, release);
		const compared = rows.filter(({ n }) => !(n in leftOut));
		let service: Service;
		let names: Map<string, string>;
		/** the first version of flows that were given a trigger */
		const versions = new Map<string, FlowVersionRecord>();

		beforeAll(async () => {
			service = await startService({ release, edition, data: 'recorded' });
			service.worker.settleAfter = Infinity;
			service.time.step = 20;
			seed(service, rows[0].before!.seed!);
			names = laterNames(service);
		});

		afterAll(async () => {
			await service.close();
		});

		const get = async (row: LaterRow, service: Service) =>
			await ask({ ...row, method: 'GET', body: undefined }, service);

		/** Reads a list page by page, each by the cursor of the one before. */
		async function walk(row: LaterRow) {
			const ids = new Set<string>();
			let pages = 0;
			for (let cursor: string | null = ''; cursor !== null && pages < 100; pages++) {
				const path = `${String(row.path)}&cursor=${encodeURIComponent(cursor)}`;
				const { body } = await ask({ ...row, path }, service);
				const { data, next } = JSON.parse(body) as {
					data: Array<{ id: string }>;
					next: string | null;
				};
				for (const { id } of data) ids.add(id);
				cursor = next;
			}
			return { seen: ids.size, pages };
		}

		// In order: later exchanges meet what earlier ones changed.
		test.each(compared.map((row) => [row.n, row.title, row] as const))(
			'%s. %s',
			async (_n, title, told) => {
				if (edition === 'enterprise') service.plan.projectRolesEnabled = told.plan === undefined;
				service.data.members.forEach((member) => {
					member.role = title.includes('Operator') ? 'Operator' : 'Viewer';
				});
				const before = resolve(told.before ?? {}, names);
				prepare(service, before, names, versions);
				const row = resolve(told, names);
				const flow = service.data.flows.find(({ id }) => String(row.path).includes(id));
				if (before.edited && flow) {
					flow.version.updatedBy = 'somebody else';
					flow.version.updated = new Date(service.time.now).toISOString();
				}
				if (before.enable) {
					const body = '{"type":"CHANGE_STATUS","request":{"status":"ENABLED"}}';
					await ask({ ...row, body }, service);
				}
				if (row.walk) {
					const path = `${String(row.path)}&limit=1000`.replace(/limit=\d+&/, '');
					const { seen: all } = await walk({ ...row, path });
					expect({ rows: all, ...(await walk(row)) }).toMatchObject(row.walk);
					return;
				}
				const answer = await ask(row, service);
				expect(seen({ ...row, plan: undefined }, answer)).toEqual(expected(row));
				remember(row, answer.body);
				if (!row.then) return;
				if (row.then.atOnce)
					expect(stateOf((await get(row, service)).body)).toEqual(row.then.atOnce);
				service.settleFlowChanges();
				expect(stateOf((await get(row, service)).body)).toEqual(row.then.settled);
			},
		);

		/** What later exchanges need of this one: the cursors of a list, the id of a row it made. */
		function remember(row: LaterRow, body: string) {
			if (!body.startsWith('{')) return;
			const { data, next, previous, id } = JSON.parse(body) as Record<string, string | null>;
			if (data !== undefined) {
				names.set('lastNext', encodeURIComponent(next ?? ''));
				names.set('lastPrevious', encodeURIComponent(previous ?? ''));
			}
			if (row.method === 'POST' && id) names.set(`made:${row.n}`, id);
		}

		test('nearly every recorded exchange is compared', () => {
			expect(rows).toHaveLength(recorded);
			expect(rows.length - compared.length).toBe(Object.keys(leftOut).length);
		});
	},
);
