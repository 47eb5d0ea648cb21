import type { RecordMaker } from './make';
import type { emptyPlatform } from './platform';

/** What every record has. */
interface Stored {
	id: string;
	created: string;
	updated: string;
}

/** The service's records in responses. Fields with `?` are missing in some releases. */
export type ProjectRecord = ReturnType<RecordMaker['project']>;
/** A folder as stored; its counts are added to responses. */
export type FolderRecord = ReturnType<RecordMaker['folder']>;
export type FlowRecord = ReturnType<RecordMaker['flow']>;
export type FlowVersionRecord = FlowRecord['version'];
export type ConnectionRecord = ReturnType<RecordMaker['connection']>;
export type InvitationRecord = ReturnType<RecordMaker['invitation']>;

export interface UserRecord extends Stored {
	email: string;
	firstName: string;
	lastName: string;
	status: 'ACTIVE' | 'INACTIVE';
	platformRole: 'ADMIN' | 'MEMBER';
	externalId: string | null;
	platformId: string;
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

/**
 * Everything in one platform. A test may change or replace the arrays; flows and runs are indexed by
 * array, so a changed one takes effect when its array is replaced (`data.flows = [...]`).
 */
export type ServiceData = ReturnType<typeof emptyPlatform>;
