import { ALL_FLOWS, CONNECTIONS, INVITATION } from './harness/parameters';
import { byId, useService } from './harness/service';

describe('limits of a release or plan', () => {
	const withoutFeature = useService({ plan: { globalConnectionsEnabled: false } });
	const community = useService({ edition: 'community' });
	const old = useService({ release: '0.73' });

	test('a plan without global connections names the feature', async () => {
		const error = await withoutFeature.failure(CONNECTIONS);
		expect(error.message).toBe('The Activepieces plan does not include global connections');
		expect(error.httpCode).toBe('402');
	});

	test('the Community edition names the missing endpoint', async () => {
		const { service } = community;
		const credential = { baseUrl: service.baseUrl, apiKey: service.userToken };
		const error = await community.failure(CONNECTIONS, { credential });
		expect(error.message).toBe(
			'This Activepieces server has no endpoint GET /v1/global-connections',
		);
		expect(error.description).toContain('Community edition');
	});

	test('0.73 lets no key delete a project invitation, and the message says from when on it works', async () => {
		const { service } = old;
		const invitation = service.data.invitations.find(({ type }) => type === 'PROJECT');
		const error = await old.failure({ ...INVITATION, invitationId: byId(invitation?.id) });
		expect(error.message).toBe(
			`This Activepieces release does not let API keys delete user invitation "${invitation?.id}"`,
		);
		expect(error.description).toContain('0.79');
	});

	test('0.73 cannot list published versions beside flows never published, and the message says what helps', async () => {
		const filters = { versionState: 'LOCKED' };
		const error = await old.failure({ ...ALL_FLOWS, filters });
		expect(error.description).toContain('Set the Status filter to Enabled');
		const enabled = { ...filters, status: ['ENABLED'] };
		expect(await old.records({ ...ALL_FLOWS, filters: enabled })).not.toEqual([]);
	});
});
