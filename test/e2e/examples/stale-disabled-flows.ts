import { rows, type Runs } from './example';

const DAY = 24 * 60 * 60 * 1000;

export const runs: Runs = {
	/** Lists disabled flows oldest first, except those that were changed recently. */
	'stale-disabled-flows': {
		prepare(_workflow, { service }) {
			const { data } = service;
			const disabled = data.flows.filter(({ status }) => status === 'DISABLED');
			const lately = new Set(disabled.slice(0, 3).map(({ id }) => id));
			const yesterday = new Date(Date.now() - DAY).toISOString();
			data.flows = data.flows.map((flow) =>
				lately.has(flow.id) ? { ...flow, updated: yesterday } : flow,
			);
		},
		verify(outcome, { service }) {
			const stale = service.data.flows.filter(
				({ status, updated }) =>
					status === 'DISABLED' && Date.parse(updated) < Date.now() - 90 * DAY,
			);
			expect(stale.length).toBeGreaterThan(0);
			const report = rows(outcome, 'Report');
			expect(report.map(({ flowId }) => flowId).sort()).toEqual(stale.map(({ id }) => id).sort());
			const times = report.map(({ updated }) => String(updated));
			expect(times).toEqual([...times].sort());
			for (const { updated, daysUnchanged } of report) {
				expect(daysUnchanged).toBe(Math.floor((Date.now() - Date.parse(String(updated))) / DAY));
			}
		},
	},
};
