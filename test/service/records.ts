import type { RecordMaker } from './make';
import type { makeField, makeRow, makeTable } from './makeTables';
import type { emptyPlatform } from './platform';

/** The service's records in responses. Fields with `?` are missing in some releases. */
export type ProjectRecord = ReturnType<RecordMaker['project']>;
/** A folder as stored; its counts are added to responses. */
export type FolderRecord = ReturnType<RecordMaker['folder']>;
export type FlowRecord = ReturnType<RecordMaker['flow']>;
export type FlowVersionRecord = FlowRecord['version'];
export type ConnectionRecord = ReturnType<RecordMaker['connection']>;
export type InvitationRecord = ReturnType<RecordMaker['invitation']>;

export type UserRecord = ReturnType<typeof RecordMaker.admin>;
/** A column of a table. */
export type FieldRecord = ReturnType<typeof makeField>;
export type TableRecord = ReturnType<typeof makeTable>;
/** A row as stored; the names of its columns are added to responses. */
export type TableRow = ReturnType<typeof makeRow>;

/** Up to 0.73 (`template`, text tags) and since 0.74 (`flows`, tag objects). */
export interface TemplateRecord {
	id: string;
	created: string;
	updated: string;
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

/**
 * Everything in one platform. A test may change or replace the arrays; flows and runs are indexed by
 * array, so a changed one takes effect when its array is replaced (`data.flows = [...]`).
 */
export type ServiceData = ReturnType<typeof emptyPlatform>;
