import { type Example, rows, setValues } from './example';

/** A server that goes away is not an invitation that is gone: nothing counts as done. */
export const example: Example = {
	file: 'revoke-invitations.json',
	prepare(workflow, { service }) {
		setValues(workflow, 'Settings', { dryRun: false });
		service.fault({ method: 'DELETE', kind: { status: 404, shape: 'html' } });
	},
	verify(outcome, { service }) {
		const pending = service.data.invitations.filter(({ status }) => status === 'PENDING');
		expect(rows(outcome, 'Needs a Look')).toHaveLength(pending.length);
		expect(outcome.executed).not.toContain('Taken Back');
		expect(outcome.executed).not.toContain('Was Gone Already');
	},
};
