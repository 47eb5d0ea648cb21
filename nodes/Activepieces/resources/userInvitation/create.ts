import type { IDataObject } from 'n8n-workflow';

import { options, shownFor, type Values } from '../../descriptions/field';
import { choice, flag, text } from '../../descriptions/kinds';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import { inProject, type ApiRequest, type Endpoint } from '../../transport/client/request';
import { isListRefused, refusal, validationError } from '../../transport/errors/error';
import { isStatus } from '../../transport/http/response';
import { cleanInput } from '../../transport/names';
import { describeValue, shortName } from '../../transport/texts';
import { orNull, recordOf, textOf } from '../../transport/values';
import { operation } from '../operation';
import { newProject, subjectInProject } from '../project/project';
import { emailOf, fetchMembers, fetchRole, LIST_MEMBERS, memberRole } from '../projectMember';
import {
	assertNotOwner,
	fetchUsers,
	isNamed,
	LIST_USERS,
	platformRoleField,
	userLabel,
} from '../user';
import {
	FEATURE,
	invitationsRequest,
	PERSONAL_PROJECT,
	roleOf,
	simplifyInvitation,
} from './userInvitation';

const NOUN = 'user invitation';

const type = choice('Type', 'type', {
	options: [
		['Platform', 'PLATFORM', 'To the platform, with a role on all of it'],
		['Project', 'PROJECT', 'To one project, with a role in it'],
	],
	default: 'PLATFORM',
	description: 'What to invite the person to',
});

const emailField = text(
	'Email',
	'email',
	{
		required: true,
		placeholder: 'e.g. name@example.com',
		description: 'The email address of the person',
	},
	toEmail,
);

const changeRole = flag(
	'Change Existing Role',
	'changeExistingRole',
	'Whether to change the role of a person who already has another one, or was invited to the project with another one',
);

/** An address without a name or a comment, whose domain has a dot */
const ADDRESS = /^[^\s@,;:<>()[\]\\"]+@(?:[^\s@,;:<>()[\]\\".]+\.)+[^\s@,;:<>()[\]\\".]+$/;

/** The service accepts any text, also none (recorded). */
function toEmail(label: string, given: string): string {
	const email = cleanInput(given);
	if (ADDRESS.test(email)) return email;
	throw validationError(
		`${label} must be one email address, such as name@example.com, not ${describeValue(email)}`,
		`Change ${label}.`,
	);
}

const fields = {
	type,
	email: emailField,
	platformRole: shownFor(
		type,
		'PLATFORM',
		platformRoleField.with({ description: 'What the person may do on the whole platform' }),
	),
	project: shownFor(
		type,
		'PROJECT',
		newProject(
			'The team project to invite the person to. Nobody can be invited to a personal project.',
		),
	),
	// Not required: n8n would ask for it whenever Type is an expression, in Get Many as well.
	projectRole: shownFor(type, 'PROJECT', memberRole),
	options: options({ mayChange: changeRole }),
};

interface WantedInvitation {
	body: IDataObject & { email: string; projectId?: string };
	roleName: string;
	/** The role as an invitation has it; the response to a create lacks that of a project (recorded) */
	role: { platformRole: string } | { projectRole: IDataObject };
	/** The list that may have an invitation of the person already */
	list: ApiRequest;
	subject: ApiRequest['subject'];
}

async function invitationFor(
	client: ApiClient,
	{ type: to, email, platformRole, project, projectRole: given }: Values<typeof fields>,
): Promise<WantedInvitation> {
	const list = invitationsRequest(to);
	if (project === undefined || given === undefined) {
		const role = { platformRole: platformRole! };
		const body = { type: to, email, ...role };
		return { body, roleName: role.platformRole, role, list, subject: { noun: NOUN } };
	}
	const projectRole = await fetchRole(client, given, { isSentByName: true });
	const roleName = textOf(projectRole.name);
	return {
		// By name, because an ID is refused (recorded).
		body: { type: to, email, projectId: project.id, projectRole: roleName },
		roleName,
		role: { projectRole },
		list: inProject(list, project),
		subject: subjectInProject(NOUN, project),
	};
}

const isFor = (email: string) => (invitation: IDataObject) =>
	textOf(invitation.email).toLowerCase() === email.toLowerCase();

const fetchInvitations = async (client: ApiClient, { list }: WantedInvitation) =>
	await client.fetchList(list);

const CREATE_INVITATION: Endpoint = {
	method: 'POST',
	path: '/v1/user-invitations',
	feature: FEATURE,
	rules: [PERSONAL_PROJECT],
};

const withRole = (role: unknown): string => `with the role "${shortName(textOf(role))}"`;

const hasOtherRole = (who: string, role: unknown, { roleName }: WantedInvitation) =>
	refusal(
		`${who} ${withRole(role)}`,
		`To change the role to "${shortName(roleName)}", turn on the option ${changeRole.label}.`,
	);

/**
 * The record with the role that a user has already, on the platform or as a member of the project. An invitation by a
 * key changes the role at once (recorded).
 */
async function findHolder(
	{ client, showHint }: OperationContext,
	user: IDataObject,
	wanted: WantedInvitation,
	mayChange: boolean,
): Promise<IDataObject | undefined> {
	const { projectId } = wanted.body;
	await assertNotOwner(client, user, emailField.label);
	const isOfUser = ({ userId }: IDataObject) => userId === user.id;
	const holder =
		projectId === undefined ? user : (await fetchMembers(client, projectId)).find(isOfUser);
	const role = holder === undefined ? wanted.roleName : roleOf(holder);
	if (role !== wanted.roleName && !mayChange) {
		const place = projectId === undefined ? 'on the platform' : 'in the project';
		throw hasOtherRole(`${userLabel(user)} is already ${place}`, role, wanted);
	}
	if (user.status === 'INACTIVE') {
		showHint(
			`${userLabel(user)} is inactive and cannot sign in. To let the person in, set Status to Active with User > Update`,
			'inactive',
		);
	}
	return holder;
}

/**
 * The user whom an item invites. An admin of a project may invite to it, but up to 0.79 not list the users of the
 * platform: then its members say who has a role already, which is what the node must not change.
 */
async function findUser(
	client: ApiClient,
	{ body: { email, projectId } }: WantedInvitation,
): Promise<IDataObject | undefined> {
	const users = await fetchUsers(client).catch(async (error: unknown) => {
		const isRefused =
			isListRefused(error) && error.isRefusal && isStatus(error.httpStatus, 'forbidden');
		if (!isRefused || projectId === undefined) throw error;
		const members = await fetchMembers(client, projectId);
		return members.map(({ user }) => recordOf(user));
	});
	return users.find(isFor(email));
}

/** The record with the role that the person has now, unlike the lists that are read once for all items */
async function fetchHolder(
	client: ApiClient,
	{ body: { email, projectId } }: WantedInvitation,
): Promise<IDataObject | undefined> {
	if (projectId === undefined) return (await client.fetchList(LIST_USERS)).find(isFor(email));
	const members = await client.fetchList(inProject(LIST_MEMBERS, { id: projectId }));
	return members.find((member) => isNamed(email, member.id, emailOf(member)));
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
 * For an invitation that was found. Only the response that makes one with a link has it (recorded). An invitation by
 * a key has none, nor has one that the service sends by email (read in its source).
 */
function hintAtPending(context: OperationContext, { email, status, link }: IDataObject): void {
	const { client, showHint } = context;
	if (status !== 'PENDING' || link !== undefined) return;
	const who = `"${shortName(textOf(email))}"`;
	showHint(
		client.credentialKind === 'session'
			? `The output has no link for ${who}, who was invited before. Activepieces returns the link of an invitation only when it creates it, unless it sends it by email. For a new link, delete the invitation and create it again with Simplify off`
			: `${who} was invited before, and has not opened the link of that invitation. To let the person in without the link, delete the invitation and create it again`,
	);
}

async function invite(
	values: Values<typeof fields>,
	context: OperationContext,
): Promise<IDataObject> {
	const { client } = context;
	const { mayChange } = values.options;
	const wanted = await invitationFor(client, values);
	const { body, role, roleName, subject } = wanted;
	const accepted = (by: IDataObject): IDataObject => {
		const email = body.email.toLowerCase();
		const times = orNull(by, 'created', 'updated');
		return { ...body, ...role, email, status: 'ACCEPTED', ...times, id: null };
	};
	const findIn = (list: IDataObject[]) => list.filter(isFor(body.email)).at(-1);
	const invited = (invitation: IDataObject): IDataObject => {
		hintAtPending(context, invitation);
		return invitation;
	};
	let output = (found: IDataObject): IDataObject => found;
	const made = await client.makeChange({
		idempotency: {
			key: body,
			change: `"${shortName(body.email)}" was invited`,
			lookIn: 'the users and their invitations',
		},
		async find() {
			// An invitation by a key is gone as soon as a user has the role, also one of another platform (recorded).
			const now = await fetchHolder(client, wanted).catch(() => undefined);
			if (now !== undefined && roleOf(now) === roleName) return accepted(now);
			const found = findIn(await fetchInvitations(client, wanted));
			return found !== undefined && roleOf(found) === roleName ? invited(found) : undefined;
		},
		// Of several at once for one person, some get a 404, because another one has replaced theirs (recorded).
		madeByOther: ['conflict', 'notFound'],
		async send() {
			const user = await findUser(client, wanted);
			const holder = user && (await findHolder(context, user, wanted, mayChange));
			// The service would send another email or make another link (read in its source).
			if (holder !== undefined && roleOf(holder) === roleName) return accepted(holder);
			const invitations = await client.cached(
				`invitations to ${body.projectId ?? 'the platform'}`,
				async () => await fetchInvitations(client, wanted),
			);
			const existing = findIn(invitations);
			if (existing !== undefined && roleOf(existing) === roleName) return invited(existing);
			if (existing !== undefined) assertReplaceable(roleOf(existing), wanted, mayChange);
			output = (given) => {
				const invitation = { ...given, ...role };
				// For the next items: somebody who had another role has this one now, and there is no invitation any more.
				if (holder !== undefined && given.status === 'ACCEPTED') Object.assign(holder, role);
				else invitations.push(invitation);
				return invitation;
			};
			return await client.requestRecord({ endpoint: CREATE_INVITATION, body, subject });
		},
	});
	return output(made);
}

export const create = operation({
	name: 'Create',
	value: 'create',
	description: 'Invite a person to the platform or to a project',
	hint: 'With an API key, users get the role at once, and others when they sign up. With Sign-In they get a link.',
	toolDescription:
		'Invites a person to the Activepieces platform or to a project with a role, and returns the invitation. With an API key, somebody who is a user already gets the role at once. The role of somebody who has another one is not changed',
	endpoint: CREATE_INVITATION,
	fields,
	simplify: simplifyInvitation,
	record: invite,
});
