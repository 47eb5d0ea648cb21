import { ALL_FLOWS, INVITATION } from './harness/parameters';
import { byId, useService } from './harness/service';

describe('limits of 0.73', () => {
	const old = useService({ release: '0.73' });

	test('no key can delete a project invitation, and the message names the first release that allows it', async () => {
		const invitation = old.data.invitations.find(({ type }) => type === 'PROJECT');
		expect(await old.failure({ ...INVITATION, invitationId: byId(invitation?.id) })).toMatchObject({
			message: `In this Activepieces release, user invitation "${invitation?.id}" cannot be deleted with an API key`,
			description: expect.stringContaining('0.79'),
		});
	});

	test('it cannot list published versions if a flow has never been published, and the message says what helps', async () => {
		const filters = { versionState: 'LOCKED' };
		const error = await old.failure({ ...ALL_FLOWS, filters });
		expect(error.description).toContain('Set the Status filter to Enabled');
		const enabled = { ...filters, status: ['ENABLED'] };
		expect(await old.records({ ...ALL_FLOWS, filters: enabled })).not.toEqual([]);
	});
});
