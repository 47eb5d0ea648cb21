import type { AuditEventRecord } from './auditEvents';
import type { FlowRunRecord } from './flowRunRecords';
import type { RoleName } from './roles';

/** What every record has. */
interface Stored {
	id: string;
	created: string;
	updated: string;
}

/** The service's records in responses. Fields with `?` are missing in some releases. */
export interface ProjectRecord extends Stored {
	ownerId: string;
	displayName: string;
	platformId: string;
	type: 'PERSONAL' | 'TEAM';
	icon: { color: string };
	releasesEnabled: boolean;
	plan: Record<string, unknown>;
	analytics: Record<string, number>;
	maxConcurrentJobs: number | null;
	externalId: string | null;
	metadata: Record<string, unknown> | null;
	poolId?: null;
}

/** A folder as stored; its counts are added to responses. */
export interface FolderRecord extends Stored {
	displayName: string;
	projectId: string;
	displayOrder: number;
	externalId?: string;
}

export interface FlowVersionRecord extends Stored {
	flowId: string;
	displayName: string;
	trigger: Record<string, unknown>;
	updatedBy: string | null;
	valid: boolean;
	schemaVersion: string;
	agentIds: string[];
	state: 'DRAFT' | 'LOCKED';
	connectionIds: string[];
	backupFiles: Record<string, string> | null;
	notes?: unknown[];
}

export interface FlowRecord extends Stored {
	projectId: string;
	externalId: string;
	ownerId?: string | null;
	folderId: string | null;
	status: 'ENABLED' | 'DISABLED';
	publishedVersionId: string | null;
	metadata: Record<string, unknown> | null;
	/** The change in progress, or one of its status that never ended */
	operationStatus: 'NONE' | 'ENABLING' | 'DISABLING' | 'DELETING';
	timeSavedPerRun: number | null;
	templateId?: string | null;
	createdBy?: null;
	version: FlowVersionRecord;
	triggerSource?: {
		schedule: { type: 'CRON_EXPRESSION'; cronExpression: string; timezone: string } | null;
	};
}

export interface UserRecord extends Stored {
	email: string;
	firstName: string;
	lastName: string;
	status: 'ACTIVE' | 'INACTIVE';
	platformRole: 'ADMIN' | 'MEMBER';
	externalId: string | null;
	platformId: string;
}

export type ConnectionStatus = 'ACTIVE' | 'MISSING' | 'ERROR';

export interface ConnectionRecord extends Stored {
	externalId: string;
	displayName: string;
	type: string;
	pieceName: string;
	projectIds: string[];
	platformId: string;
	scope: 'PLATFORM' | 'PROJECT';
	status: ConnectionStatus;
	ownerId: string;
	owner: UserRecord;
	metadata: Record<string, unknown> | null;
	flowIds: string[];
	pieceVersion: string;
	preSelectForNewProjects?: boolean;
	usingSecretManager?: boolean;
}

/** Up to 0.73 (`template`, text tags) and since 0.74 (`flows`, tag objects). */
export interface TemplateRecord extends Stored {
	name: string;
	summary?: string;
	description: string;
	type: 'PLATFORM' | 'PROJECT' | 'CUSTOM' | 'SHARED' | 'OFFICIAL';
	platformId: string | null;
	projectId?: string | null;
	status?: 'PUBLISHED';
	template?: Record<string, unknown>;
	flows?: Array<Record<string, unknown>>;
	tables?: null;
	tags: Array<string | { title: string; color: string; icon: string }>;
	blogUrl: string | null;
	metadata: null;
	author?: string;
	categories?: string[];
	pieces: string[];
}

export interface InvitationRecord extends Stored {
	email: string;
	status: 'PENDING' | 'ACCEPTED';
	type: 'PLATFORM' | 'PROJECT';
	platformId: string;
	platformRole: 'ADMIN' | 'MEMBER' | null;
	projectId: string | null;
	projectRoleId: string | null;
	projectRole: Record<string, unknown> | null;
}

export interface TableRecord extends Stored {
	name: string;
	folderId?: null;
	projectId: string;
	externalId: string;
	status: null;
	trigger: null;
}

/** A column of a table. */
export interface FieldRecord extends Stored {
	name: string;
	type: 'TEXT' | 'NUMBER' | 'DATE' | 'STATIC_DROPDOWN';
	tableId: string;
	projectId: string;
	externalId: string;
	data: { options: Array<{ value: string }> } | null;
}

/** A row as stored; the names of its columns are added to responses. */
export interface TableRow extends Stored {
	tableId: string;
	projectId: string;
	/** by ID of the column */
	cells: Record<string, { value: string; created: string; updated: string }>;
}

/** Jobs per state, as releases up to 0.79 report them. */
export interface QueueStats {
	active: number;
	delayed: number;
	prioritized: number;
	waiting: number;
	'waiting-children': number;
	completed: number;
	failed: number;
	paused: number;
}

/**
 * Everything in one platform. A test may change or replace the arrays; flows and runs are indexed by
 * array, so a changed one takes effect when its array is replaced (`data.flows = [...]`).
 */
export interface ServiceData {
	platformId: string;
	admin: UserRecord;
	/** All users of the platform, the admin first */
	users: UserRecord[];
	/** roles in projects of people who neither own them nor are admins */
	members: Array<{ userId: string; projectId: string; role: RoleName }>;
	/** how people may sign in, when the plan has ssoEnabled (read in the source, not recorded) */
	signIn: { emailAuthEnabled: boolean; allowedAuthDomains: string[] | null };
	projects: ProjectRecord[];
	folders: FolderRecord[];
	flows: FlowRecord[];
	flowRuns: FlowRunRecord[];
	/** those that the platform shares with its projects */
	connections: ConnectionRecord[];
	/** those of one project each */
	projectConnections: ConnectionRecord[];
	templates: TemplateRecord[];
	invitations: InvitationRecord[];
	/** the audit log, newest first */
	auditEvents: AuditEventRecord[];
	/** The newest first */
	tables: TableRecord[];
	/** Columns of all tables, the oldest first */
	fields: FieldRecord[];
	/** Rows of all tables, the oldest first */
	tableRows: TableRow[];
	queue: QueueStats;
	/** published versions of flows whose latest version is a newer draft, by flow id */
	published: Map<string, FlowVersionRecord>;
	/** microseconds below the millisecond, by id: of a flow's `updated`, of a run's `created`; PostgreSQL keeps them, answers do not */
	micros: Map<string, number>;
}
