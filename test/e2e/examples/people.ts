import type { Service } from '../../service';
import { changesOf, setValues, type Example } from './example';

const emailsOf = (people: Array<{ email: string }>) => people.map(({ email }) => email);

/** A member of two projects, one who is inactive already, an admin, and the owner. */
function peopleOf({ data: { users, admin } }: Service) {
	const named = (email: string) => users.find((user) => user.email === email)!;
	const [twice, inactive, promoted] = [0, 1, 2].map((i) => named(`person${i}@example.test`));
	return { twice, inactive, promoted, owner: named(admin.email) };
}

const UNKNOWN = 'unknown@example.test';
/** Invited to the platform and to a project, and without a user */
const INVITED = 'invited@example.test';

export const people: Record<string, Example> = {
	/** The users are inactive and in no project, and nobody is invited. The owner and an admin are listed and stay, as does everybody else. */
	'off-boarding': {
		isForEnterprise: true,
		prepare(workflow, { service }) {
			const { data, live } = service;
			const { twice, inactive, promoted, owner } = peopleOf(service);
			for (const { id } of [twice, owner]) live.addMember(id, data.projects[1].id, 'Editor');
			inactive.status = 'INACTIVE';
			promoted.platformRole = 'ADMIN';
			for (const projectId of [undefined, data.projects[1].id]) {
				live.addInvitation({ projectId }).email = INVITED;
			}
			live.addInvitation().email = promoted.email;
			const emails = emailsOf([owner, twice, inactive, promoted]);
			const inOtherLetters = ` ${INVITED.toUpperCase()}`;
			setValues(workflow, { emails: JSON.stringify([UNKNOWN, inOtherLetters, ...emails]) });
		},
		verify({ records }, { service }) {
			const { users, members, projects, invitations } = service.data;
			const { twice, inactive, promoted, owner } = peopleOf(service);
			const outside = users.filter(({ status }) => status === 'INACTIVE');
			expect(emailsOf(outside).sort()).toEqual(emailsOf([twice, inactive]).sort());
			const places = records('Removed').map(({ email, project }) => `${email}: ${project}`);
			const [first, second] = projects.map(({ displayName }) => displayName);
			expect(places.sort()).toEqual(
				[
					`${twice.email}: ${second}`,
					`${twice.email}: ${first}`,
					`${inactive.email}: ${first}`,
				].sort(),
			);
			// Four of the six members from before, and the owner.
			const ids = members.map(({ userId }) => userId);
			expect(ids).toHaveLength(5);
			expect(ids).toEqual(expect.arrayContaining([promoted.id, owner.id]));
			const revoked = records('Invitation Deleted').map(({ email, type }) => `${email}: ${type}`);
			expect(revoked.sort()).toEqual([
				`${INVITED}: PLATFORM`,
				`${INVITED}: PROJECT`,
				`${promoted.email}: PLATFORM`,
			]);
			// Those of others
			expect(invitations).toHaveLength(12);
			const refused = records('Not Off-Boarded').map(({ email, reason }) => `${email}: ${reason}`);
			expect(refused.sort()).toEqual([
				expect.stringMatching(`^${owner.email}: .+ owns the platform\\. `),
				expect.stringMatching(`^${promoted.email}: .+ is an admin of the platform`),
				expect.stringMatching(`^${UNKNOWN}: .+ was not found\\. `),
			]);
			// One user is changed, and three invitations and three memberships are removed.
			expect(changesOf(service)).toHaveLength(7);
		},
		verifyAgain({ records }, { service }, before) {
			// Now, there is nothing of the person who was invited.
			expect(records('Not Off-Boarded')).toHaveLength(4);
			expect(service.data).toEqual(before);
			expect(changesOf(service)).toEqual([]);
		},
	},
};
