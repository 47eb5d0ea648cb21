import { changesOf, type Example, rows } from './example';

/** The dry run, which is how the file is imported: it shows what is old and pending, and takes nothing back. */
export const example: Example = {
	file: 'revoke-invitations.json',
	prepare(_workflow, { service }) {
		service.live.addInvitation({ email: 'new@example.test', created: new Date().toISOString() });
	},
	verify(outcome, { service }) {
		const stale = service.data.invitations.filter(
			({ status, email }) => status === 'PENDING' && email !== 'new@example.test',
		);
		expect(stale.length).toBeGreaterThan(0);
		const shown = rows(outcome, 'Would Be Taken Back').map(({ email }) => email);
		expect(shown.sort()).toEqual(stale.map(({ email }) => email).sort());
		expect(outcome.executed).not.toContain('Delete Invitation');
		expect(changesOf(service)).toEqual([]);
	},
};
