import { copyOf, prepareCopy } from './copyFlow';
import { type Example, rows } from './example';

/** A flow that uses no connection is copied, and the copy runs. */
export const example: Example = {
	file: 'copy-flow.json',
	prepare(workflow, { service }) {
		prepareCopy(workflow, service);
	},
	verify(outcome, { service }) {
		service.settleFlowChanges();
		expect(copyOf(service)).toMatchObject({ status: 'ENABLED' });
		expect(rows(outcome, 'Publish Flow')).toMatchObject([{ id: copyOf(service)?.id }]);
		expect(outcome.executed).not.toContain('Connections Missing');
	},
};
