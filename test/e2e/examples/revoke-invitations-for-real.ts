import { type Example, rows, setValues } from './example';

/** The run after the dry run: what is old and pending is taken back; one that is gone by then is no surprise. */
export const example: Example = {
	file: 'revoke-invitations.json',
	prepare(workflow, { service }) {
		service.live.addInvitation({ email: 'new@example.test', created: new Date().toISOString() });
		setValues(workflow, 'Settings', { dryRun: false });
		const gone = service.data.invitations.find(({ status }) => status === 'PENDING');
		service.fault({
			method: 'DELETE',
			path: `/v1/user-invitations/${gone?.id}`,
			kind: { status: 404, code: 'ENTITY_NOT_FOUND' },
		});
	},
	verify(outcome, { service }) {
		const left = service.data.invitations.filter(({ status }) => status === 'PENDING');
		const [gone, young] = left.map(({ email }) => email);
		expect([left.length, young]).toEqual([2, 'new@example.test']);
		expect(rows(outcome, 'Was Gone Already')).toEqual([
			{ email: gone, result: 'Was gone already' },
		]);
		expect(rows(outcome, 'Taken Back').length).toBeGreaterThan(2);
		expect(outcome.executed).not.toContain('Needs a Look');
		expect(outcome.executed).not.toContain('Would Be Taken Back');
	},
};
