import type { Service } from '../../service';
import { changesOf, type Example, setValues } from './example';

const emailsOf = (people: Array<{ email: string }>) => people.map(({ email }) => email);

/** A member of two projects, one who is inactive already, an admin, and the owner. */
function peopleOf({ data: { users, admin } }: Service) {
	const named = (email: string) => users.find((user) => user.email === email)!;
	const [twice, inactive, promoted] = [0, 1, 2].map((i) => named(`person${i}@example.test`));
	return { twice, inactive, promoted, owner: named(admin.email) };
}

const UNKNOWN = 'unknown@example.test';

export const people: Record<string, Example> = {
	/** The users are inactive and in no project. The owner and an admin are listed and stay, as does everybody else. */
	'off-boarding': {
		isForEnterprise: true,
		prepare(workflow, { service }) {
			const { data, live } = service;
			const { twice, inactive, promoted, owner } = peopleOf(service);
			for (const { id } of [twice, owner]) live.addMember(id, data.projects[1].id, 'Editor');
			inactive.status = 'INACTIVE';
			promoted.platformRole = 'ADMIN';
			const emails = emailsOf([owner, twice, inactive, promoted]);
			setValues(workflow, { emails: JSON.stringify([UNKNOWN, ...emails]) });
		},
		verify({ records }, { service }) {
			const { users, members, projects } = service.data;
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
			const refused = records('Not Off-Boarded').map(({ email, reason }) => `${email}: ${reason}`);
			expect(refused.sort()).toEqual([
				expect.stringMatching(`^${owner.email}: .+ owns the platform$`),
				expect.stringMatching(`^${promoted.email}: .+ is an admin of the platform`),
				expect.stringMatching(`^${UNKNOWN}: .+ was not found$`),
			]);
			// One user is changed, and three memberships are removed.
			expect(changesOf(service)).toHaveLength(4);
		},
		verifyAgain({ records }, { service }, before) {
			expect(records('Not Off-Boarded')).toHaveLength(3);
			expect(service.data).toEqual(before);
			expect(changesOf(service)).toEqual([]);
		},
	},
};
