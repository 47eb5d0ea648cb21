import { credentialJson } from '../support/headless';
import { type Example, nodeOf, rows, setValues } from './example';

const NOWHERE = credentialJson('nowhere', {
	baseUrl: 'http://no-such-host.invalid/api',
	apiKey: 'sk-nowhere',
});

/** A server that is not found is not an invitation that is not found: nothing counts as done. */
export const example: Example = {
	file: 'revoke-invitations.json',
	credentials: () => [NOWHERE],
	prepare(workflow) {
		nodeOf(workflow, 'Delete Invitation').credentials = {
			[NOWHERE.type]: { id: NOWHERE.id, name: NOWHERE.name },
		};
		setValues(workflow, 'Example Sheet', {
			csv: 'email,invitationId\nada@example.test,xxxxxxxxxxxxxxxxxxxxx\n',
		});
	},
	verify(outcome) {
		expect(outcome.executed).not.toContain('Was Gone Already');
		expect(rows(outcome, 'Needs a Look')).toMatchObject([
			{
				email: 'ada@example.test',
				result: expect.stringContaining('The host no-such-host.invalid was not found') as string,
			},
		]);
	},
};
