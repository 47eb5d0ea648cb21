import type { RecordMaker } from './make';
import type { AuditEventRecord } from './auditEvents';
import type { FlowRunRecord } from './flowRunRecords';
import type {
	ConnectionRecord,
	FieldRecord,
	FlowRecord,
	FlowVersionRecord,
	FolderRecord,
	InvitationRecord,
	ProjectRecord,
	ServiceData,
	TableRecord,
	TableRow,
	TemplateRecord,
	UserRecord,
} from './records';
import type { RoleName } from './roles';

export const FEATURES = [
	'apiKeysEnabled',
	'auditLogEnabled',
	'eventStreamingEnabled',
	'globalConnectionsEnabled',
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
	/** roles in projects of people who neither own them nor are admins */
	members: [] as Array<{ userId: string; projectId: string; role: RoleName }>,
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
	/** published versions of flows whose latest version is a newer draft, by flow id */
	published: new Map<string, FlowVersionRecord>(),
	/** microseconds below the millisecond, by id: of a flow's `updated`, of a run's `created`; PostgreSQL keeps them, answers do not */
	micros: new Map<string, number>(),
});

/** Removes a project with all that is in it. */
export function removeProject(data: ServiceData, id: string): void {
	const without = <Row extends { projectId: string | null }>(rows: Row[]) =>
		rows.filter(({ projectId }) => projectId !== id);
	data.projects = data.projects.filter((project) => project.id !== id);
	data.folders = without(data.folders);
	data.flows = without(data.flows);
	data.flowRuns = without(data.flowRuns);
	data.invitations = without(data.invitations);
	data.tables = without(data.tables);
	data.fields = without(data.fields);
	data.tableRows = without(data.tableRows);
	data.projectConnections = data.projectConnections.filter(
		({ projectIds }) => !projectIds.includes(id),
	);
}
