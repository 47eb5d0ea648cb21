import { startService, type Service } from '../service/index';
import { ask, expected, namesOf, readTable, resolve, type Row, seen } from './table';

/** Recorded exchanges that are not compared, and why. */
const LEFT_OUT: Record<'0.73' | '0.85', Record<number, string>> = {
	'0.73': {
		301: "nginx's own answer for a dead upstream: there is no upstream here (fault: status 502)",
		302: 'the same, with DELETE',
	},
	'0.85': {},
};

/** Exchanges in each recording. */
const RECORDED = 317;

describe.each(['0.73', '0.85'] as const)('the stand-in against the recorded %s', (release) => {
	const rows = readTable(release);
	const compared = rows.filter((row) => !(row.n in LEFT_OUT[release]));
	const services: Partial<Record<'whole' | NonNullable<Row['plan']>, Service>> = {};
	let names: Map<string, string>;

	beforeAll(async () => {
		services.whole = await startService({ release, data: 'recorded' });
		for (const plan of ['globalConnectionsEnabled', 'manageTemplatesEnabled'] as const) {
			services[plan] = await startService({ release, data: 'recorded', plan: { [plan]: false } });
		}
		names = namesOf(services.whole);
	});

	afterAll(async () => {
		await Promise.all(Object.values(services).map(async (service) => await service.close()));
	});

	// In order: later exchanges meet what earlier ones changed.
	test.each(compared.map((row) => [row.n, row.title, row] as const))(
		'%s. %s',
		async (_n, _title, row) => {
			const service = services[row.plan ?? 'whole']!;
			const asked = resolve(row, names);
			let answer = await ask(asked, service);
			for (let i = 1; i < (row.times ?? 1); i++) answer = await ask(asked, service);
			expect(seen(asked, answer)).toEqual(expected(asked));
		},
	);

	test('nearly every recorded exchange is compared', () => {
		const numbers = (list: Row[]) => list.filter((row) => typeof row.n === 'number');
		expect(numbers(rows)).toHaveLength(RECORDED);
		expect(numbers(compared)).toHaveLength(RECORDED - Object.keys(LEFT_OUT[release]).length);
		expect(Object.keys(LEFT_OUT[release]).length).toBeLessThanOrEqual(5);
	});
});
