import { madeAt, makeId } from './ids';
import type { ProjectRecord, RoleRecord, ServiceData, UserRecord } from './records';
import type { ReleaseTraits } from './releases';

/** The permissions that routes require of users who are not admins of the platform. */
export type Permission =
	| 'UPDATE_FLOW_STATUS'
	| `${'READ' | 'WRITE'}_${'APP_CONNECTION' | 'FLOW' | 'INVITATION' | 'PROJECT_MEMBER'}`
	| `${'READ' | 'WRITE'}_${'RUN' | 'TABLE' | 'VARIABLE'}`;

/** The default roles of all releases, as recorded, with what 0.92 adds. */
const PERMISSIONS = {
	Admin:
		'READ_APP_CONNECTION WRITE_APP_CONNECTION READ_FLOW WRITE_FLOW UPDATE_FLOW_STATUS READ_PROJECT_MEMBER WRITE_PROJECT_MEMBER WRITE_INVITATION READ_INVITATION WRITE_PROJECT_RELEASE READ_PROJECT_RELEASE READ_RUN WRITE_RUN WRITE_ALERT READ_ALERT WRITE_PROJECT READ_PROJECT WRITE_FOLDER READ_FOLDER READ_TABLE WRITE_TABLE READ_MCP WRITE_MCP READ_KNOWLEDGE_BASE WRITE_KNOWLEDGE_BASE READ_VARIABLE WRITE_VARIABLE READ_AGENT WRITE_AGENT PUBLISH_SENSITIVE_FLOW_ACCESS',
	Editor:
		'READ_APP_CONNECTION WRITE_APP_CONNECTION READ_FLOW WRITE_FLOW UPDATE_FLOW_STATUS READ_PROJECT_MEMBER READ_INVITATION WRITE_PROJECT_RELEASE READ_PROJECT_RELEASE READ_RUN WRITE_RUN READ_PROJECT WRITE_FOLDER READ_FOLDER READ_TABLE WRITE_TABLE READ_MCP WRITE_MCP READ_KNOWLEDGE_BASE WRITE_KNOWLEDGE_BASE READ_VARIABLE WRITE_VARIABLE READ_AGENT WRITE_AGENT',
	Viewer:
		'READ_APP_CONNECTION READ_FLOW READ_PROJECT_MEMBER READ_INVITATION READ_PROJECT READ_RUN READ_FOLDER READ_TABLE READ_MCP READ_KNOWLEDGE_BASE READ_VARIABLE READ_AGENT',
};

/** The roles that all platforms have. */
export function defaultRoles({ old, newFields, laterRoles }: ReleaseTraits) {
	const isKnown = (permission: string) =>
		(newFields || !/_(KNOWLEDGE_BASE|VARIABLE)$/.test(permission)) &&
		(laterRoles || !/_(AGENT|ACCESS)$/.test(permission));
	return Object.entries(PERMISSIONS).map(([name, permissions]) => ({
		...madeAt(makeId(`role/${name}`), '2026-01-01T07:00:00.299Z', '2026-01-01T07:00:00.832Z'),
		name,
		permissions: permissions.split(' ').filter(isKnown),
		type: 'DEFAULT' as 'DEFAULT' | 'CUSTOM',
		platformId: (old ? '' : null) as string | null,
	}));
}

/** The role of a name, in any letter case. */
export const roleNamed = (roles: RoleRecord[], name: string) =>
	roles.find((role) => role.name.toLowerCase() === name.toLowerCase());

/** The role of a person in a project: its owner and the platform's admins may do everything. */
export function roleIn(
	project: ProjectRecord,
	platform: ServiceData,
	user: UserRecord,
): RoleRecord | undefined {
	const isAdmin = user.platformRole === 'ADMIN' && project.platformId === user.platformId;
	if (project.ownerId === user.id || isAdmin) return roleNamed(platform.roles, 'Admin');
	const member = platform.members.find(
		(row) => row.userId === user.id && row.projectId === project.id,
	);
	return platform.roles.find(({ id }) => id === member?.projectRoleId);
}
