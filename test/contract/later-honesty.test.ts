import { startService, type Service } from '../service/index';
import { laterNames, prepare, seed } from './laterData';
import { type LaterRow, readLaterTable, shownBy, stateOf, toldBy } from './laterTable';
import { ask, resolve } from './table';

/** Recorded exchanges that are not compared, and why. */
const LEFT_OUT: Array<[RegExp, string]> = [
	[/\/worker-machines$/, 'no operation asks for the workers'],
	[/\/platform-app-connections/, 'no operation asks for them'],
];

const RELEASES = { '0.73': 315, '0.79': 293, '0.85': 293 } as const;

describe.each(Object.entries(RELEASES))('the stand-in against more of %s', (release, recorded) => {
	const rows = readLaterTable(release);
	const compared = rows.filter(
		({ title, path }) => !LEFT_OUT.some(([text]) => text.test(`${title} ${String(path)}`)),
	);
	const services: Partial<Record<'whole' | 'projectRolesEnabled', Service>> = {};
	let names: Map<string, string>;

	beforeAll(async () => {
		const options = { release: release as '0.73' | '0.79' | '0.85', data: 'recorded' } as const;
		services.whole = await startService(options);
		services.projectRolesEnabled = await startService({
			...options,
			plan: { projectRolesEnabled: false },
		});
		for (const service of Object.values(services)) {
			service.worker.settleAfter = Infinity;
			service.time.step = 20;
			seed(service, rows[0].before!.seed!);
		}
		names = laterNames(services.whole);
	});

	afterAll(async () => {
		await Promise.all(Object.values(services).map(async (service) => await service.close()));
	});

	const get = async (row: LaterRow, service: Service) =>
		await ask({ ...row, method: 'GET', body: undefined }, service);

	// In order: later exchanges meet what earlier ones changed.
	test.each(compared.map((row) => [row.n, row.title, row] as const))(
		'%s. %s',
		async (_n, title, told) => {
			const service = services[told.plan ?? 'whole']!;
			const row = resolve(told, names);
			const { before = {} } = row;
			service.data.members.forEach((member) => {
				member.role = title.includes('Operator') ? 'Operator' : 'Viewer';
			});
			prepare(service, before, names);
			const flow = service.data.flows.find(({ id }) => String(row.path).includes(id));
			if (before.edited && flow) {
				flow.version.updatedBy = 'somebody else';
				flow.version.updated = new Date(service.time.now).toISOString();
			}
			if (before.enable) {
				const body = '{"type":"CHANGE_STATUS","request":{"status":"ENABLED"}}';
				await ask({ ...row, body }, service);
			}
			const answer = await ask(row, service);
			expect(shownBy(row, answer)).toEqual(toldBy(row));
			remember(row, answer.body);
			if (!row.then) return;
			if (row.then.atOnce) expect(stateOf((await get(row, service)).body)).toEqual(row.then.atOnce);
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
	});
});
