import { start, stopAll } from '../service/client';
import type { Edition, Release, Service } from '../service/index';
import type { FlowVersionRecord } from '../service/records';
import { namesOfChanges, prepare, seed } from './changesData';
import { type ChangeRow, stateOf } from './changesTable';
import { ask, readRows, replay, resolve, seen } from './table';

/** The number of rows of each recording, so that none is left out unnoticed. */
const RECORDINGS: Array<[Edition, Release, number]> = [
	['enterprise', '0.73', 317],
	['enterprise', '0.79', 295],
	['enterprise', '0.85', 292],
	['community', '0.73', 73],
	['community', '0.79', 73],
	['community', '0.85', 72],
];

afterEach(stopAll);

/** Reads a list page by page, each with the cursor of the one before. */
async function walk(row: ChangeRow, service: Service) {
	const ids = new Set<string>();
	let pages = 0;
	for (let cursor: string | null = ''; cursor !== null && pages < 100; pages++) {
		const path = `${String(row.path)}&cursor=${encodeURIComponent(cursor)}`;
		const { body } = await ask({ ...row, path }, service);
		const page = JSON.parse(body) as { data: Array<{ id: string }>; next: string | null };
		for (const { id } of page.data) ids.add(id);
		cursor = page.next;
	}
	return { seen: ids.size, pages };
}

/** Keeps what later rows need of this one: the cursors of a list, the ID of a record that it created. */
function remember({ method, n }: ChangeRow, body: string, names: Map<string, string>) {
	if (!body.startsWith('{')) return;
	const { data, next, previous, id } = JSON.parse(body) as Record<string, string | null>;
	if (data !== undefined) {
		names.set('lastNext', encodeURIComponent(next ?? ''));
		names.set('lastPrevious', encodeURIComponent(previous ?? ''));
	}
	if (method === 'POST' && id) names.set(`made:${n}`, id);
}

test.each(RECORDINGS)(
	'the stand-in changes as recorded: %s %s, %i exchanges',
	async (edition, release, count) => {
		const service = await start({ release, edition, data: 'recorded' });
		const rows = readRows<ChangeRow>(`more-${edition}`, release);
		expect(rows).toHaveLength(count);
		service.worker.settleAfter = Infinity;
		service.time.step = 20;
		seed(service, rows[0].before!.seed!);
		const names = namesOfChanges(service);
		/** The first version of flows that were given a trigger */
		const versions = new Map<string, FlowVersionRecord>();
		await replay(rows, async (told) => {
			if (edition === 'enterprise') service.plan.projectRolesEnabled = told.plan === undefined;
			for (const member of service.data.members) {
				member.role = told.title.includes('Operator') ? 'Operator' : 'Viewer';
			}
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
				const { seen: all } = await walk({ ...row, path }, service);
				const { seen, pages } = await walk(row, service);
				return [{ walk: { rows: all, seen, ...(row.walk.pages ? { pages } : {}) } }, row];
			}
			const answer = await ask(row, service);
			remember(row, answer.body, names);
			if (!row.then) return [seen({ ...row, plan: undefined }, answer), row];
			const state = async () =>
				stateOf((await ask({ ...row, method: 'GET', body: undefined }, service)).body);
			const atOnce = row.then.atOnce && { atOnce: await state() };
			service.settleFlowChanges();
			const then = { ...atOnce, settled: await state() };
			return [{ ...seen({ ...row, plan: undefined }, answer), then }, row];
		});
	},
);
