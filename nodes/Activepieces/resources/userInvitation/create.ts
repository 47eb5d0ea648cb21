import type { IDataObject } from 'n8n-workflow';

import { booleanField, collectionField } from '../../descriptions/fields';
import { getBoolean } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import { orFoundAfterLoss, requestRecord } from '../../transport/client/record';
import type { Endpoint } from '../../transport/client/request';
import { shortName } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import { fetchMembers } from '../projectMember/projectMember';
import { recordOperation } from '../recordOperation';
import { refusal, unconfirmed } from '../refusals';
import { assertNotOwner, fetchUsers, userLabel } from '../user/user';
import {
	emailField,
	fetchInvitations,
	invitationFields,
	isFor,
	readInvitation,
	type WantedInvitation,
} from './newInvitation';
import { FEATURE, PERSONAL_PROJECT, roleOf, simplifyInvitation } from './userInvitation';

const CREATE_INVITATION: Endpoint = {
	method: 'POST',
	path: '/v1/user-invitations',
	feature: FEATURE,
	rules: [PERSONAL_PROJECT],
};

const changeRoleField = booleanField(
	'Change Existing Role',
	'changeExistingRole',
	'Whether to change the role of a person who already has another one, or was invited to the project with another one',
);

const withRole = (role: unknown): string => `with the role "${shortName(textOf(role))}"`;

const hasOtherRole = (who: string, role: unknown, { roleName }: WantedInvitation) =>
	refusal(
		`${who} ${withRole(role)}`,
		`To change the role to "${shortName(roleName)}", turn on ${changeRoleField.displayName} under Options.`,
	);

/** An invitation by a key gives its role at once to somebody who is a user already (recorded). */
async function assertRoleStays(client: ApiClient, user: IDataObject, wanted: WantedInvitation) {
	const { projectId } = wanted.body;
	let { platformRole: role } = user;
	if (projectId !== undefined) {
		const members = await fetchMembers(client, projectId);
		const member = members.find(({ userId }) => userId === user.id);
		role = member === undefined ? wanted.roleName : recordOf(member.projectRole).name;
	}
	if (role === wanted.roleName) return;
	const place = projectId === undefined ? 'on the platform' : 'in the project';
	throw hasOtherRole(`${userLabel(user)} is already ${place}`, role, wanted);
}

/** One to a project replaces the existing one, one to the platform is added to it (recorded). */
function assertReplaceable(existing: unknown, wanted: WantedInvitation, mayChange: boolean): void {
	const { email, projectId } = wanted.body;
	const who = `"${shortName(email)}" was already invited`;
	if (projectId === undefined) {
		throw refusal(
			`${who} ${withRole(existing)}`,
			'Delete that invitation first. Activepieces would add another one, and the person could get either role.',
		);
	}
	if (!mayChange) throw hasOtherRole(who, existing, wanted);
}

/**
 * Only the response that makes an invitation with a link has it (recorded), not the list that finds it. An invitation
 * by a key has none, nor has one that the service sends by email (read in its source).
 */
function hintAtLink(context: OperationContext, { email, status, link }: IDataObject): void {
	const { client, showHint } = context;
	if (client.credentialKind !== 'session' || status !== 'PENDING' || link !== undefined) return;
	showHint(
		`The output has no link for "${shortName(textOf(email))}", who was invited before. Activepieces returns the link of an invitation only when it creates it, unless it sends it by email. For a new link, delete the invitation and create it again with Simplify off`,
	);
}

async function invite(context: OperationContext): Promise<IDataObject> {
	const { client, tried } = context;
	const mayChange = getBoolean(context, changeRoleField, 'options');
	const wanted = await readInvitation(context);
	const { body, projectRole, roleName, subject } = wanted;
	const key = JSON.stringify(body);
	const before = tried.keepBefore({ key, email: body.email });
	if (tried.isInDoubt && before.key !== key) {
		throw unconfirmed(
			`"${shortName(textOf(before.email))}" was invited`,
			'the users and their invitations',
			'to invite the person failed without a clear result, and an expression now gives another email, project or role',
		);
	}
	const user = (await fetchUsers(client)).find(isFor(body.email));
	if (user !== undefined) {
		await assertNotOwner(client, user, emailField.displayName);
		if (!mayChange) await assertRoleStays(client, user, wanted);
	}
	const invitations = await client.once(
		`invitations to ${body.projectId ?? 'the platform'}`,
		async () => await fetchInvitations(client, wanted),
	);
	const findIn = (list: IDataObject[]) => list.filter(isFor(body.email)).at(-1);
	const existing = findIn(invitations);
	if (existing !== undefined) {
		if (roleOf(existing) === roleName) {
			hintAtLink(context, existing);
			return existing;
		}
		assertReplaceable(roleOf(existing), wanted, mayChange);
	}
	const request = { endpoint: CREATE_INVITATION, body, subject };
	const made = await orFoundAfterLoss(client, requestRecord(client, request), async () => {
		const found = findIn(await fetchInvitations(client, wanted).catch(() => []));
		if (found === undefined || roleOf(found) !== roleName) return undefined;
		hintAtLink(context, found);
		return found;
	});
	const invitation = { ...made, ...(projectRole && { projectRole }) };
	// For the next items: somebody who is a user has the role now, and there is no invitation any more.
	if (user !== undefined && body.platformRole !== undefined && made.status === 'ACCEPTED') {
		user.platformRole = body.platformRole;
	} else invitations.push(invitation);
	return invitation;
}

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Invite a person to the platform or to a project',
	hint: 'With an API key, users get the role at once, and others when they sign up. With Sign-In they get a link.',
	toolDescription:
		'Invites a person to the Activepieces platform or to a project with a role, and returns the invitation. With an API key, somebody who is a user already gets the role at once. The role of somebody who has another one is not changed',
	endpoint: CREATE_INVITATION,
	properties: [
		...invitationFields,
		collectionField('Options', 'options', 'Add option', [changeRoleField]),
	],
	simplify: simplifyInvitation,
	record: invite,
});
