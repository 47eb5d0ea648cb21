import { changesOf, rows, type Runs, setValues } from './example';

export const runs: Runs = {
	/** The dry run, as imported: shows old pending invitations, and revokes none. */
	'revoke-invitations': {
		prepare(_workflow, { service }) {
			service.live.addInvitation({ email: 'new@example.test', created: new Date().toISOString() });
		},
		verify(outcome, { service }) {
			const stale = service.data.invitations.filter(
				({ status, email }) => status === 'PENDING' && email !== 'new@example.test',
			);
			expect(stale.length).toBeGreaterThan(0);
			const shown = rows(outcome, 'Would Be Revoked').map(({ email }) => email);
			expect(shown.sort()).toEqual(stale.map(({ email }) => email).sort());
			expect(outcome.executed).not.toContain('Delete Invitation');
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** After the dry run: old pending invitations are revoked; one that was deleted meanwhile is not an error. */
	'revoke-invitations-for-real': {
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
			expect(rows(outcome, 'Already Deleted')).toEqual([
				{ email: gone, result: 'Already deleted' },
			]);
			expect(rows(outcome, 'Revoked').length).toBeGreaterThan(2);
			expect(outcome.executed).not.toContain('Not Revoked');
			expect(outcome.executed).not.toContain('Would Be Revoked');
		},
	},
	/** A server that is down does not mean that invitations are deleted: none is reported as revoked. */
	'revoke-invitations-refused': {
		prepare(workflow, { service }) {
			setValues(workflow, 'Settings', { dryRun: false });
			service.fault({ method: 'DELETE', kind: { status: 404, shape: 'html' } });
		},
		verify(outcome, { service }) {
			const pending = service.data.invitations.filter(({ status }) => status === 'PENDING');
			expect(rows(outcome, 'Not Revoked')).toHaveLength(pending.length);
			expect(outcome.executed).not.toContain('Revoked');
			expect(outcome.executed).not.toContain('Already Deleted');
		},
	},
};
