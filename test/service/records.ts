import type { AuditEventRecord } from './auditEvents';
import type { FlowRunRecord } from './flowRunRecords';
import type { RecordMaker } from './make';
import type { makeField, makeRow, makeTable } from './makeTables';
import { installedPieces } from './pieces';
import type { defaultRoles } from './roles';

/** The service's records in responses. Fields with `?` are missing in some releases. */
export type ProjectRecord = ReturnType<RecordMaker['project']>;
/** A folder as stored; its counts are added to responses. */
export type FolderRecord = ReturnType<RecordMaker['folder']>;
export type FlowRecord = ReturnType<RecordMaker['flow']>;
export type FlowVersionRecord = FlowRecord['version'];
export type ConnectionRecord = ReturnType<RecordMaker['connection']>;
export type VariableRecord = ReturnType<RecordMaker['variable']>;
export type InvitationRecord = ReturnType<RecordMaker['invitation']>;
export type TemplateRecord = ReturnType<RecordMaker['template']>;
export type RoleRecord = ReturnType<typeof defaultRoles>[number];
export type MemberRecord = ReturnType<RecordMaker['projectMember']>;
export type UserRecord = ReturnType<typeof RecordMaker.admin>;
export type FieldRecord = ReturnType<typeof makeField>;
export type TableRecord = ReturnType<typeof makeTable>;
/** A row as stored; the names of its columns are added to responses. */
export type TableRow = ReturnType<typeof makeRow>;

export const FEATURES = [
	'apiKeysEnabled',
	'auditLogEnabled',
	'environmentsEnabled',
	'globalConnectionsEnabled',
	'managePiecesEnabled',
	'manageTemplatesEnabled',
	'projectRolesEnabled',
	'ssoEnabled',
] as const;

/** The counters of a server with a few jobs, as releases up to 0.79 report them. */
const QUEUE = {
	active: 0,
	delayed: 2,
	prioritized: 1,
	waiting: 3,
	'waiting-children': 0,
	completed: 0,
	failed: 0,
	paused: 0,
};

export const emptyPlatform = (make: RecordMaker) => ({
	platformId: make.admin.platformId,
	admin: make.admin,
	/** All users of the platform, the admin first */
	users: [make.admin, make.member()] as UserRecord[],
	/** the default roles, and the platform's own */
	roles: make.roles() as RoleRecord[],
	/** roles in projects of people who neither own them nor are admins */
	members: [] as MemberRecord[],
	/** how people may sign in, when the plan has ssoEnabled (read in the source, not recorded) */
	signIn: { emailAuthEnabled: true, allowedAuthDomains: null as string[] | null },
	projects: [] as ProjectRecord[],
	folders: [] as FolderRecord[],
	flows: [] as FlowRecord[],
	flowRuns: [] as FlowRunRecord[],
	/** those that the platform shares with its projects */
	connections: [] as ConnectionRecord[],
	/** those of one project each */
	projectConnections: [] as ConnectionRecord[],
	/** of projects, the oldest first; their values are kept nowhere */
	variables: [] as VariableRecord[],
	/**
	 * The only installed version of each. For triggers of other pieces every version is installed, and for
	 * connections none.
	 */
	pieces: installedPieces(),
	/** the actions of pieces that published flows must have; the stand-in has one set for all projects */
	requiredActions: { mode: 'ANY' as 'ANY' | 'ALL', actions: {} as Record<string, string[]> },
	templates: [] as TemplateRecord[],
	invitations: [] as InvitationRecord[],
	/** the audit log, newest first */
	auditEvents: [] as AuditEventRecord[],
	/** The newest first */
	tables: [] as TableRecord[],
	/** Columns of all tables, the oldest first */
	fields: [] as FieldRecord[],
	/** Rows of all tables, the oldest first */
	tableRows: [] as TableRow[],
	queue: { ...QUEUE },
	/** versions of flows before the latest one, the newest first, by flow id */
	olderVersions: new Map<string, FlowVersionRecord[]>(),
	/** microseconds below the millisecond, by id: of a flow's `updated`, of a run's `created`; PostgreSQL keeps them, answers do not */
	micros: new Map<string, number>(),
});

/**
 * Everything in one platform. A test may change or replace the arrays; flows and runs are indexed by
 * array, so a changed one takes effect when its array is replaced (`data.flows = [...]`).
 */
export type ServiceData = ReturnType<typeof emptyPlatform>;

export function removeProject(data: ServiceData, id: string): void {
	const without = <Row extends { projectId: string | null }>(rows: Row[]) =>
		rows.filter(({ projectId }) => projectId !== id);
	data.projects = data.projects.filter((project) => project.id !== id);
	data.folders = without(data.folders);
	data.flows = without(data.flows);
	data.flowRuns = without(data.flowRuns);
	data.invitations = without(data.invitations);
	data.variables = without(data.variables);
	data.members = without(data.members);
	data.tables = without(data.tables);
	data.fields = without(data.fields);
	data.tableRows = without(data.tableRows);
	data.projectConnections = data.projectConnections.filter(
		({ projectIds }) => !projectIds.includes(id),
	);
}
