import type { IDataObject } from 'n8n-workflow';

/** PLACEHOLDER until resources/userInvitation/simplify.ts is there. */
export function simplifyInvitation(invitation: IDataObject): IDataObject {
	return {
		id: invitation.id ?? null,
		email: invitation.email ?? null,
		type: invitation.type ?? null,
		status: invitation.status ?? null,
		projectId: invitation.projectId ?? null,
		created: invitation.created ?? null,
	};
}
