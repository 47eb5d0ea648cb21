import type { IDataObject } from 'n8n-workflow';

import { named, optionalId, type Values } from '../descriptions/field';
import { optionName, text } from '../descriptions/kinds';
import { inBrackets, nameOf, type Locator, type OptionList } from '../descriptions/locator';
import type { Simplify } from '../descriptions/output';
import { projectLocator } from '../descriptions/project';
import type { ApiClient } from '../transport/api/client';
import {
	inProject,
	type ApiRequest,
	type Endpoint,
	type RequestTarget,
} from '../transport/client/request';
import { notFoundError, refusal, withNote } from '../transport/errors/error';
import { toId } from '../transport/ids';
import { nameAndId, shortName, someOf } from '../transport/texts';
import { orNull, recordOf, textOf } from '../transport/values';
import { deleteOperation, listOperation, operation, type Resource } from './operation';
import { loadProjectNames, projectNameOf, projectToList } from './project/project';
import { isNamed } from './user';
import { FEATURE } from './userInvitation/userInvitation';

export const LIST_MEMBERS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/project-members', order: 'oldestFirst', feature: FEATURE },
	subject: { noun: 'project members' },
};

/** Lists all roles of the platform at once (recorded). */
const LIST_ROLES: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/project-roles', feature: FEATURE },
	subject: { noun: 'project roles' },
};

const simplifyMember: Simplify = (member, source) => {
	const user = recordOf(member.user);
	return {
		email: user.email ?? null,
		role: recordOf(member.projectRole).name ?? null,
		status: user.status ?? null,
		projectName: projectNameOf(member, source),
		...orNull(member, 'created', 'updated', 'userId', 'projectId', 'id'),
	};
};

export const emailOf = ({ user }: IDataObject): string => textOf(recordOf(user).email);

const memberLocator: Locator = {
	name: 'memberId',
	displayName: 'Member',
	noun: 'project member',
	description:
		'The member to operate on, which is a user in one project. An ID is that of the member, not of the user.',
	required: true,
	hasEmail: true,
	searchMethod: 'searchMembers',
	sources: {
		request: LIST_MEMBERS,
		label: (member, project) =>
			(emailOf(member) || nameOf(member)) +
			inBrackets(textOf(recordOf(member.projectRole).name), project.name),
		isOfChosenProject: true,
	},
};

const memberProject: Locator = {
	...projectLocator,
	description: 'The project of the member',
	hint: 'Only needed to find the member by email, and for the list of members',
};

/** The roles by name, which the service expects when it changes one */
const roleList: OptionList = {
	noun: 'project role',
	loadMethod: 'getProjectRoles',
	sources: () => [
		{
			key: 'all',
			request: LIST_ROLES,
			isUnpaged: true,
			label: (role) => nameOf(role, 'name'),
			value: ({ name }) => name,
		},
	],
};

/** @param purpose what the role is for, as a sentence without its period */
const roleFor = (purpose: string) => {
	const names = { displayName: 'Project Role Name or ID', name: 'projectRole' };
	return optionName(roleList, names, purpose, 'Choose a role.');
};

export const memberRole = roleFor('The role in the project');

/** Finds a role by ID or name. A change sends the name, of which the service ignores the letter case (recorded). */
export async function fetchRole(client: ApiClient, given: string, { isSentByName = false } = {}) {
	const roles = await client.cached(
		'project roles',
		async () => await client.fetchUnpagedList(LIST_ROLES),
	);
	const exact = roles.filter(({ id, name }) => id === given || name === given);
	const wanted = textOf(exact[0]?.name ?? given);
	const alike = roles.filter(({ name }) => textOf(name).toLowerCase() === wanted.toLowerCase());
	const found = isSentByName || exact.length === 0 ? alike : exact;
	if (found.length === 1) return found[0];
	if (found.length > 1) {
		throw refusal(
			`There are ${found.length} project roles "${shortName(wanted)}"`,
			isSentByName
				? 'Activepieces could take any of them, whatever the letter case. Rename all but one.'
				: 'Set Project Role to the ID of one of them.',
		);
	}
	throw refusal(
		`There is no project role "${shortName(given)}"`,
		`Choose one of the platform's roles in Project Role: ${someOf(
			roles.map(({ name }) => `"${shortName(textOf(name))}"`),
			'or one of ',
		)}.`,
	);
}

/** The members of a project, or of all projects, read once for all input items. */
export const fetchMembers = async (client: ApiClient, projectId?: string) =>
	await client.cached(`members of ${projectId ?? 'all projects'}`, async () =>
		projectId === undefined
			? await client.fetchOfAllProjects(LIST_MEMBERS)
			: await client.fetchList(inProject(LIST_MEMBERS, { id: projectId })),
	);

const memberFields = { projectId: optionalId(memberProject), target: named(memberLocator) };

/**
 * The member that the item names. One that it names by email is looked up in the chosen project, or in all. An ID is
 * looked up only in a chosen project: one of another project would change the wrong access.
 */
async function findMember(
	client: ApiClient,
	{ projectId, target }: Values<typeof memberFields>,
): Promise<RequestTarget> {
	const given = textOf(target.id);
	const isEmail = given.includes('@');
	if (!isEmail && projectId === undefined) return target;
	const found = (await fetchMembers(client, projectId)).filter((member) =>
		isNamed(given, member.id, emailOf(member)),
	);
	if (found.length === 0 && isEmail) {
		throw withNote(
			notFoundError(target),
			'Somebody who was only invited is no member yet: change or delete the invitation with User Invitation.',
		);
	}
	if (found.length === 0) {
		throw refusal(
			`${memberLocator.noun} "${shortName(given)}" is not in the chosen project`,
			`Check ${memberLocator.displayName} and ${memberProject.displayName}, or leave ${memberProject.displayName} empty. The member may have been removed.`,
			{ isRecordUnknown: true },
		);
	}
	if (found.length === 1) return { ...target, id: found[0].id };
	await loadProjectNames(client);
	const projects = found.map((each) => {
		const id = toId(each.projectId) ?? '';
		return nameAndId(client.projectNames.get(id) ?? id, id);
	});
	throw refusal(
		`"${shortName(given)}" is a member of ${found.length} projects`,
		`Choose one in ${memberProject.displayName}: ${someOf(projects, 'or one of ')}.`,
	);
}

const getAll = listOperation({
	description: 'Get the members of a project, or of all projects, with their roles',
	hint: 'Returns one item per member. The owner and admins of the platform are included only if they have a role.',
	toolDescription:
		'Returns the members of an Activepieces project, or of all projects if none is given, with their roles. The owner of a project and the admins of the platform are included only if they have a role in the project',
	request: LIST_MEMBERS,
	project: projectToList('members'),
	filters: {
		email: text('Email', 'email', {
			placeholder: 'e.g. @example.com',
			description: 'Return only members whose email contains this text. Not case-sensitive.',
		}),
		projectRole: roleFor('Return only members with this role'),
	},
	simplify: simplifyMember,
	// The service filters by role only.
	async select({ email, projectRole, ...query }, client) {
		const part = textOf(email).toLowerCase();
		const role = projectRole === undefined ? {} : await fetchRole(client, textOf(projectRole));
		return {
			query: { ...query, projectRoleId: role.id },
			mayDrop: email !== undefined,
			convert: (member) => (emailOf(member).toLowerCase().includes(part) ? member : undefined),
		};
	},
});

const UPDATE_MEMBER: Endpoint = {
	method: 'POST',
	path: '/v1/project-members/{id}',
	feature: FEATURE,
};

/** The response to a change lacks the user, which the list has. It was changed, so without the list it stays without. */
async function withUser(client: ApiClient, member: IDataObject, projectRole: IDataObject) {
	const members = await fetchMembers(client, toId(member.projectId)).catch(() => []);
	const { user } = members.find(({ id }) => id === member.id) ?? {};
	return { ...member, user, projectRole };
}

const update = operation({
	name: 'Update',
	value: 'update',
	description: 'Change the role of a member in a project',
	toolDescription:
		'Immediately changes the role of the member with the given ID or email in an Activepieces project and returns the member',
	endpoint: UPDATE_MEMBER,
	fields: { ...memberFields, role: memberRole.with({ required: true }) },
	simplify: simplifyMember,
	async record({ role: given, ...values }, { client }, output) {
		const target = await findMember(client, values);
		const role = await fetchRole(client, given, { isSentByName: true });
		const body = { role: role.name };
		const member = await client.requestRecord({ endpoint: UPDATE_MEMBER, ...target, body });
		const isWhole = ['email', 'role', 'status'].some((name) => output.has(name));
		return isWhole ? await withUser(client, member, role) : member;
	},
});

const DELETE_MEMBER: Endpoint = {
	method: 'DELETE',
	path: '/v1/project-members/{id}',
	feature: FEATURE,
};

const remove = deleteOperation({
	description: 'Remove a member from a project. The user remains on the platform.',
	hint: 'Removes one member per input item. This cannot be undone. The user remains on the platform.',
	toolDescription:
		'Removes the member with the given ID or email from an Activepieces project and returns {"deleted": true}. The user remains on the platform',
	endpoint: DELETE_MEMBER,
	fields: memberFields,
	async remove(client, request, values) {
		const { id } = await findMember(client, values);
		return await client.deleteRecord({ ...request, id }).finally(() => {
			// In another try, the member with this email may be gone.
			if (client.ledger.mayHaveChangedRecord(id)) client.ledger.note('maybe', request.id);
		});
	},
});

export const projectMember: Resource = {
	name: 'Project Member',
	value: 'projectMember',
	locators: [memberLocator],
	optionLists: [roleList],
	operations: [getAll, update, remove],
};
