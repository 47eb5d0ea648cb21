import { type Example, rows, setValues } from './example';

/** Emails of the rows in the sheet that are in no list of the service. */
const GONE = 'gone@example.test';
const WITHOUT_ID = 'without-id@example.test';

/** Invitations in the sheet are taken back; one that is gone is no surprise, one without ID is told. */
export const example: Example = {
	file: 'revoke-invitations.json',
	prepare(workflow, { service }) {
		const listed = service.data.invitations.filter(({ type }) => type === 'PLATFORM').slice(0, 3);
		const lines = [
			...listed.map(({ email, id }) => `${email},${id}`),
			`${GONE},xxxxxxxxxxxxxxxxxxxxx`,
			`${WITHOUT_ID},`,
		];
		setValues(workflow, 'Example Sheet', { csv: `email,invitationId\n${lines.join('\n')}\n` });
	},
	verify(outcome, { service }) {
		const takenBack = rows(outcome, 'Taken Back').map(({ email }) => email);
		expect(takenBack).toHaveLength(3);
		const left = service.data.invitations.map(({ email }) => email);
		expect(left.filter((email) => takenBack.includes(email))).toEqual([]);
		expect(left.length).toBeGreaterThan(0);
		expect(rows(outcome, 'Was Gone Already')).toEqual([
			{ email: GONE, result: 'Was gone already' },
		]);
		expect(rows(outcome, 'Needs a Look')).toEqual([
			{
				email: WITHOUT_ID,
				result: 'Invitation is empty',
				whatToDo: expect.stringContaining('Nothing was sent') as string,
			},
		]);
	},
};
