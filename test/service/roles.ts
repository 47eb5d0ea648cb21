import type { ProjectRecord, ServiceData, UserRecord } from './records';

const VIEWER = [
	'READ_APP_CONNECTION',
	'READ_FLOW',
	'READ_RUN',
	'READ_INVITATION',
	'READ_TABLE',
	'READ_VARIABLE',
] as const;
const OPERATOR = [...VIEWER, 'UPDATE_FLOW_STATUS', 'WRITE_RUN'] as const;

/** The permissions that routes require of users who are not admins of the platform. */
export type Permission =
	| (typeof OPERATOR)[number]
	| 'WRITE_APP_CONNECTION'
	| 'WRITE_FLOW'
	| 'WRITE_INVITATION'
	| 'WRITE_TABLE'
	| 'WRITE_VARIABLE';

/** Of the roles in the recordings */
export const PERMISSIONS = { Viewer: VIEWER, Operator: OPERATOR } as const;

export type RoleName = keyof typeof PERMISSIONS;

/** The role of a person in a project: its owner and the platform's admins may do everything. */
export function roleIn(
	project: ProjectRecord,
	platform: ServiceData,
	user: UserRecord,
): RoleName | 'Admin' | undefined {
	const isAdmin = user.platformRole === 'ADMIN' && project.platformId === user.platformId;
	if (project.ownerId === user.id || isAdmin) return 'Admin';
	return platform.members.find((row) => row.userId === user.id && row.projectId === project.id)
		?.role;
}
