import { ApplicationError, notAllowed } from './errors';
import type { ProjectRecord, ServiceData, UserRecord } from './records';

/** The permissions that routes require of users who are not admins of the platform. */
export type Permission =
	| 'READ_APP_CONNECTION'
	| 'WRITE_APP_CONNECTION'
	| 'READ_FLOW'
	| 'WRITE_FLOW'
	| 'UPDATE_FLOW_STATUS'
	| 'READ_RUN'
	| 'WRITE_RUN'
	| 'READ_INVITATION'
	| 'WRITE_INVITATION'
	| 'READ_TABLE'
	| 'WRITE_TABLE';

/** A role that comes with the service. */
export type RoleName = 'Editor' | 'Operator' | 'Viewer';

const VIEWER: Permission[] = [
	'READ_APP_CONNECTION',
	'READ_FLOW',
	'READ_RUN',
	'READ_INVITATION',
	'READ_TABLE',
];
const OPERATOR: Permission[] = [...VIEWER, 'UPDATE_FLOW_STATUS', 'WRITE_RUN'];
const EDITOR: Permission[] = [...OPERATOR, 'WRITE_APP_CONNECTION', 'WRITE_FLOW', 'WRITE_TABLE'];

const PERMISSIONS: Record<RoleName, Permission[]> = {
	Viewer: VIEWER,
	Operator: OPERATOR,
	Editor: EDITOR,
};

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

/**
 * @param makeRole the record of a role in responses
 * @throws ApplicationError 403 when a person has no permission in a project
 */
export function assertRole(
	project: ProjectRecord,
	platform: ServiceData,
	user: UserRecord,
	permission: Permission | undefined,
	makeRole: (name: RoleName, permissions: string[]) => Record<string, unknown>,
): void {
	const role = roleIn(project, platform, user);
	const subject = { userId: user.id, projectId: project.id };
	if (role === undefined) throw notAllowed({ message: 'No role found for the user', ...subject });
	if (role === 'Admin' || permission === undefined) return;
	const permissions = PERMISSIONS[role];
	if (permissions.includes(permission)) return;
	const projectRole = makeRole(role, permissions);
	throw new ApplicationError(403, 'PERMISSION_DENIED', { ...subject, projectRole, permission });
}
