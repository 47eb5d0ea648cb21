import { start, stopAll } from '../service/client';
import type { Edition, Plan, Release, Service } from '../service/index';
import { ask, namesOf, readRows, replay, resolve, seen } from './table';

/** The number of rows of each recording, so that none is left out unnoticed. */
const RECORDINGS: Array<[Edition, Release, number]> = [
	['enterprise', '0.73', 326],
	['enterprise', '0.85', 328],
	['enterprise', '0.86', 317],
	['community', '0.73', 159],
	['community', '0.79', 164],
	['community', '0.85', 167],
	['community', '0.86', 167],
];

afterEach(stopAll);

test.each(RECORDINGS)(
	'the stand-in responds as recorded: %s %s, %i exchanges',
	async (edition, release, count) => {
		let now = Date.parse('2026-11-21T14:00:00.000Z');
		const whole = await start({ release, edition, clock: () => now, data: 'recorded' });
		const without = async (feature: keyof Plan) =>
			await start({ release, data: 'recorded', plan: { [feature]: false } });
		const lesser: Partial<Record<keyof Plan, Service>> = {};
		const names = namesOf(whole);
		const rows = readRows(edition, release);
		expect(rows).toHaveLength(count);
		await replay(rows, async (row) => {
			const service = row.plan ? (lesser[row.plan] ??= await without(row.plan)) : whole;
			const asked = resolve(row, names);
			for (let i = 1; i < (row.times ?? 1); i++) await ask(asked, service);
			now += 1000 * (row.elapsed ?? 0);
			const answer = await ask(asked, service);
			const token = /"token":"([^"]+)"/.exec(answer.body)?.[1];
			if (token) names.set('freshToken', token);
			return [seen(asked, answer), asked];
		});
	},
);
