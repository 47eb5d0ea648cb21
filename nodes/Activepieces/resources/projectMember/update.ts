import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/request';
import { requestRecord } from '../../transport/client/record';
import { toId } from '../../transport/id';
import { recordOperation } from '../recordOperation';
import { FEATURE } from '../userInvitation/userInvitation';
import {
	fetchMembers,
	fetchRole,
	findMember,
	getRole,
	memberFields,
	memberRoleField,
	simplifyMember,
} from './projectMember';

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

export const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Change the role of a member in a project',
	toolDescription:
		'Immediately changes the role of the member with the given ID or email in an Activepieces project and returns the member',
	endpoint: UPDATE_MEMBER,
	properties: [...memberFields, { ...memberRoleField, required: true }],
	simplify: simplifyMember,
	async record(context, { output }) {
		const { client } = context;
		const given = getRole(context);
		const target = await findMember(
			context,
			() =>
				'To invite the person with another role, use User Invitation → Create with Change Existing Role.',
		);
		const role = await fetchRole(client, given, { isSentByName: true });
		const body = { role: role.name };
		const member = await requestRecord(client, { endpoint: UPDATE_MEMBER, ...target, body });
		const isWhole = ['email', 'role', 'status'].some((name) => output.has(name));
		return isWhole ? await withUser(client, member, role) : member;
	},
});
