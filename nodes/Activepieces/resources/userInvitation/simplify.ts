import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';

/** The fields of an invitation that a person reads. Missing fields are null. */
export function simplifyInvitation(invitation: IDataObject): IDataObject {
	const projectRole = isRecord(invitation.projectRole) ? invitation.projectRole : {};
	return {
		id: invitation.id ?? null,
		email: invitation.email ?? null,
		status: invitation.status ?? null,
		type: invitation.type ?? null,
		projectId: invitation.projectId ?? null,
		role: invitation.platformRole ?? projectRole.name ?? null,
		created: invitation.created ?? null,
		updated: invitation.updated ?? null,
	};
}
