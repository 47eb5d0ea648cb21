import { byId } from '../../engine/harness/byId';
import { INPUT } from '../../service/routes/webhooks';
import { stepsOf } from '../../service/webhookSteps';
import { nodeOf, rows, type Runs } from './example';

const ROWS = [
	{ order: 1001, customer: 'Ada' },
	{ order: 1002, customer: 'Max' },
	{ order: 1003, customer: 'Lin' },
];

export const runs: Runs = {
	/** Each row is returned with the response to its call. */
	'run-flow-for-each-row': {
		prepare(workflow, { service }) {
			const steps = stepsOf('webhook', {}, { body: INPUT });
			const { id } = service.live.addFlow({ name: 'Check order', enabled: true, steps });
			nodeOf(workflow, 'Run Flow').parameters.flowId = byId(id);
		},
		verify(outcome, { service }) {
			expect(rows(outcome, 'Row with Response')).toEqual(
				ROWS.map((row) => ({ row, response: row })),
			);
			expect(outcome.executed).not.toContain('Row without Response');
			expect(service.webhooks.runs).toHaveLength(ROWS.length);
		},
	},
	/** Rows that the flow refuses are listed with its response. */
	'run-flow-for-each-row-refused': {
		prepare(workflow, { service }) {
			const answer = { status: 422, body: { problem: 'unknown order' } };
			const steps = stepsOf('webhook', {}, answer);
			const { id } = service.live.addFlow({ name: 'Check order', enabled: true, steps });
			nodeOf(workflow, 'Run Flow').parameters.flowId = byId(id);
		},
		verify(outcome) {
			const refused = rows(outcome, 'Row without Response');
			expect(refused.map(({ row }) => (row as { order: number }).order)).toEqual([
				1001, 1002, 1003,
			]);
			for (const { result, whatToDo } of refused) {
				expect(result).toMatch(/^Flow "Check order" \(\w+\) responded with HTTP 422$/);
				expect(whatToDo).toContain('unknown order');
			}
			expect(outcome.executed).not.toContain('Row with Response');
		},
	},
};
