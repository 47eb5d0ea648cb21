import type { IDataObject } from 'n8n-workflow';

import { optionsField } from '../../descriptions/fields';
import {
	EXPRESSION,
	getOptionalId,
	inBrackets,
	type Locator,
	locatorField,
	nameOf,
	type OptionList,
	requestTarget,
	type RequestTarget,
} from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import { toFilledText } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import type { ApiRequest } from '../../transport/client/request';
import { ActivepiecesError } from '../../transport/errors/error';
import { fetchList, fetchUnpagedList } from '../../transport/lists/pages';
import { fetchOfAllProjects, fetchProjectsOnce, inProject } from '../../transport/lists/projects';
import { nameAndId, shortName, someOf } from '../../transport/text';
import { toId } from '../../transport/id';
import { orNull, recordOf, textOf } from '../../transport/values';
import { projectLocator } from '../project/project';
import { loadProjectNames, projectNameOf } from '../project/projectNames';
import { notFoundError, refusal } from '../refusals';
import { isNamed } from '../user/user';
import { FEATURE, invitationsRequest } from '../userInvitation/userInvitation';

export const LIST_MEMBERS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/project-members', feature: FEATURE },
	subject: { noun: 'project members' },
};

/** Lists all roles of the platform at once (recorded). */
const LIST_ROLES: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/project-roles', feature: FEATURE },
	subject: { noun: 'project roles' },
};

export const simplifyMember: Simplify = (member, source) => {
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

export const memberLocator: Locator = {
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

export const memberFields = [locatorField(memberProject), locatorField(memberLocator)];

/** The request for the roles. Up to 0.73 a key must name a project, of which there is always one (recorded). */
async function rolesRequest(client: ApiClient): Promise<ApiRequest> {
	const [project] = (await fetchProjectsOnce(client)) ?? [];
	return project === undefined ? LIST_ROLES : { ...LIST_ROLES, query: { projectId: project.id } };
}

/** The roles by name, which the service expects when it changes one */
export const roleList: OptionList = {
	noun: 'project roles',
	loadMethod: 'getProjectRoles',
	sources: async (client) => [
		{
			key: 'all',
			request: await rolesRequest(client),
			isUnpaged: true,
			label: (role) => nameOf(role, 'name'),
			value: ({ name }) => name,
		},
	],
};

/** @param purpose what the role is for, as a sentence without its period */
export const roleField = (purpose: string) =>
	optionsField('Project Role Name or ID', 'projectRole', {
		typeOptions: { loadOptionsMethod: roleList.loadMethod },
		description: `${purpose}. Choose from the list, or specify an ID using an ${EXPRESSION}.`,
	});

export const memberRoleField = roleField('The role in the project');

/** The name or the ID of a role that the item gives. */
export const getRole = (context: OperationContext): string =>
	toFilledText('Project Role', context.get(memberRoleField.name, ''), 'Choose a role.');

/** Finds a role by ID or name. A change sends the name, of which the service ignores the letter case (recorded). */
export async function fetchRole(client: ApiClient, given: string, { isSentByName = false } = {}) {
	const { data: roles } = await client.once(
		'project roles',
		async () => await fetchUnpagedList(client, await rolesRequest(client)),
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
				: 'Choose the role from the list in Project Role, or specify its ID.',
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
	await client.once(`members of ${projectId ?? 'all projects'}`, async () =>
		projectId === undefined
			? await fetchOfAllProjects(client, { request: LIST_MEMBERS })
			: await fetchList(client, inProject(LIST_MEMBERS, { id: projectId })),
	);

/** The invitation to the project, or to any, of a person who is no member; undefined if it cannot be read as well. */
async function findInvitation(client: ApiClient, email: string, projectId?: string) {
	const list = invitationsRequest('PROJECT');
	const request = projectId === undefined ? list : inProject(list, { id: projectId });
	const invitations = await fetchList(client, request).catch((error: unknown) => {
		if (error instanceof ActivepiecesError) return [];
		throw error;
	});
	return invitations.find((each) => isNamed(email, each.id, each.email));
}

/** @throws {ActivepiecesError} if a person is no member, but was invited */
async function refuseInvited(
	client: ApiClient,
	{ id }: RequestTarget,
	projectId: string | undefined,
	adviceOn: (invitationId: string) => string,
): Promise<void> {
	const invitation = await findInvitation(client, textOf(id), projectId);
	if (invitation === undefined) return;
	await loadProjectNames(client);
	const place = toId(invitation.projectId) ?? '';
	const project = nameAndId(client.projectNames.get(place) ?? place, place);
	throw refusal(
		`"${shortName(textOf(id))}" is no member, but was invited to ${project}`,
		adviceOn(shortName(textOf(invitation.id))),
		{ isRecordUnknown: true },
	);
}

/**
 * The member that the item names. One that it names by email is looked up in the chosen project, or in all. An ID is
 * looked up only in a chosen project: one of another project would change the wrong access.
 *
 * @param adviceOn what to do about an invitation of a person who is no member
 */
export async function findMember(
	context: OperationContext,
	adviceOn: (invitationId: string) => string,
): Promise<RequestTarget> {
	const { client } = context;
	const projectId = getOptionalId(context, memberProject);
	const target = requestTarget(context, memberLocator);
	const given = textOf(target.id);
	const isEmail = given.includes('@');
	if (!isEmail && projectId === undefined) return target;
	const found = (await fetchMembers(client, projectId)).filter((member) =>
		isNamed(given, member.id, emailOf(member)),
	);
	if (found.length === 0 && isEmail) {
		await refuseInvited(client, target, projectId, adviceOn);
		throw notFoundError(target);
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
