import { byId } from '../../engine/harness/byId';
import { stepsOf } from '../../service/webhookSteps';
import { type Example, nodeOf, rows } from './example';

/** Rows that the flow does not take are listed with what it says. */
export const example: Example = {
	file: 'run-flow-for-each-row.json',
	prepare(workflow, { service }) {
		const answer = { status: 422, body: { problem: 'unknown order' } };
		const steps = stepsOf('webhook', {}, answer);
		const { id } = service.live.addFlow({ name: 'Check order', enabled: true, steps });
		nodeOf(workflow, 'Run Flow').parameters.flowId = byId(id);
	},
	verify(outcome) {
		const refused = rows(outcome, 'Row without Response');
		expect(refused.map(({ row }) => (row as { order: number }).order)).toEqual([1001, 1002, 1003]);
		for (const { result, whatToDo } of refused) {
			expect(result).toMatch(/^Flow "Check order" \(\w+\) responded with HTTP 422$/);
			expect(whatToDo).toContain('unknown order');
		}
		expect(outcome.executed).not.toContain('Row with Response');
	},
};
