import { type IDataObject, updateDisplayOptions } from 'n8n-workflow';

import { choices, optionsField, textField } from '../../descriptions/fields';
import { locatorField } from '../../descriptions/locator';
import { getOption, parameterError, toFilledText, toText } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import type { ApiRequest } from '../../transport/client/request';
import { fetchList } from '../../transport/lists/pages';
import { inProject } from '../../transport/lists/projects';
import { cleanInput } from '../../transport/text';
import { textOf } from '../../transport/values';
import { getProjectForNew, projectForNew, subjectInProject } from '../project/project';
import { fetchRole, getRole, memberRoleField } from '../projectMember/projectMember';
import { platformRoleField } from '../user/user';
import { invitationsRequest } from './userInvitation';

const NOUN = 'user invitation';

const invitationProject = projectForNew(
	'The team project to invite the person to. Nobody can be invited to a personal project.',
);

export const emailField = textField('Email', 'email', {
	required: true,
	placeholder: 'e.g. name@example.com',
	description: 'The email address of the person',
});

const typeField = optionsField('Type', 'type', {
	options: choices(
		['Platform', 'PLATFORM', 'To the platform, with a role on all of it'],
		['Project', 'PROJECT', 'To one project, with a role in it'],
	),
	default: 'PLATFORM',
	description: 'What to invite the person to',
});

export const invitationFields = [
	typeField,
	emailField,
	...updateDisplayOptions({ show: { type: ['PLATFORM'] } }, [
		{ ...platformRoleField, description: 'What the person may do on the whole platform' },
	]),
	...updateDisplayOptions({ show: { type: ['PROJECT'] } }, [
		locatorField(invitationProject),
		// Not required: n8n would ask for it whenever Type is an expression, in Get Many as well.
		memberRoleField,
	]),
];

/** An address without a name or a comment, whose domain has a dot */
const ADDRESS = /^[^\s@,;:<>()[\]\\"]+@(?:[^\s@,;:<>()[\]\\".]+\.)+[^\s@,;:<>()[\]\\".]+$/;

/** The service accepts any text, also none (recorded). */
function toEmail(value: unknown): string {
	const { displayName: label } = emailField;
	const email = toFilledText(
		label,
		cleanInput(toText(label, value ?? '')),
		'Enter the email address.',
	);
	if (ADDRESS.test(email)) return email;
	throw parameterError(label, 'one email address, such as name@example.com', email);
}

export interface WantedInvitation {
	body: IDataObject & { email: string; projectId?: string };
	roleName: string;
	/** The role as an invitation has it; the response to a create lacks that of a project (recorded) */
	role: { platformRole: string } | { projectRole: IDataObject };
	/** The list that may have an invitation of the person already */
	list: ApiRequest;
	subject: ApiRequest['subject'];
}

export async function readInvitation(context: OperationContext): Promise<WantedInvitation> {
	const type = getOption(context, typeField);
	const email = toEmail(context.get('email', ''));
	const list = invitationsRequest(type);
	if (type === 'PLATFORM') {
		const roleName = getOption(context, platformRoleField);
		const role = { platformRole: roleName };
		return { body: { type, email, ...role }, roleName, role, list, subject: { noun: NOUN } };
	}
	const given = getRole(context);
	const project = await getProjectForNew(context, invitationProject);
	const projectRole = await fetchRole(context.client, given, { isSentByName: true });
	const roleName = textOf(projectRole.name);
	return {
		// By name, because an ID is refused (recorded).
		body: { type, email, projectId: project.id, projectRole: roleName },
		roleName,
		role: { projectRole },
		list: inProject(list, project),
		subject: subjectInProject(NOUN, project),
	};
}

export const isFor = (email: string) => (invitation: IDataObject) =>
	textOf(invitation.email).toLowerCase() === email.toLowerCase();

export const fetchInvitations = async (client: ApiClient, { list }: WantedInvitation) =>
	await fetchList(client, list);
