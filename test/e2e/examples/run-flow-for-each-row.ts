import { byId } from '../../engine/harness/byId';
import { INPUT } from '../../service/routes/webhooks';
import { stepsOf } from '../../service/webhookSteps';
import { type Example, nodeOf, rows } from './example';

const ROWS = [
	{ order: 1001, customer: 'Ada' },
	{ order: 1002, customer: 'Max' },
	{ order: 1003, customer: 'Lin' },
];

/** Each row has the response to its own call beside it. */
export const example: Example = {
	file: 'run-flow-for-each-row.json',
	prepare(workflow, { service }) {
		const steps = stepsOf('webhook', {}, { body: INPUT });
		const { id } = service.live.addFlow({ name: 'Check order', enabled: true, steps });
		nodeOf(workflow, 'Run Flow').parameters.flowId = byId(id);
	},
	verify(outcome, { service }) {
		expect(rows(outcome, 'Row with Response')).toEqual(ROWS.map((row) => ({ row, response: row })));
		expect(outcome.executed).not.toContain('Row without Response');
		expect(service.webhooks.runs).toHaveLength(ROWS.length);
	},
};
