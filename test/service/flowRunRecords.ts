import type { FlowVersionRecord } from './records';

/** Every status of a run; 0.73 does not know the last one. */
export const FLOW_RUN_STATUSES = [
	'FAILED',
	'QUOTA_EXCEEDED',
	'INTERNAL_ERROR',
	'PAUSED',
	'QUEUED',
	'RUNNING',
	'SUCCEEDED',
	'MEMORY_LIMIT_EXCEEDED',
	'TIMEOUT',
	'CANCELED',
	'LOG_SIZE_EXCEEDED',
] as const;

export type FlowRunStatus = (typeof FLOW_RUN_STATUSES)[number];

/** The step a run failed at; 0.73 does not tell its message. */
export interface FailedStep {
	name: string;
	displayName: string;
	/** of a worker from 0.79 on; none where a recording was made without one */
	message?: string;
}

/** A run as stored; what a release answers of it is in flowRunAnswers.ts. */
export interface FlowRunRecord {
	id: string;
	created: string;
	updated: string;
	projectId: string;
	flowId: string;
	/** the version it ran, or is to run */
	version: FlowVersionRecord;
	environment: 'PRODUCTION' | 'TESTING';
	status: FlowRunStatus;
	tags: string[] | null;
	startTime: string | null;
	/** when a worker took it, which answers of 0.85 and later tell late */
	began?: string;
	finishTime: string | null;
	failedStep: FailedStep | null;
	archivedAt: string | null;
	stepsCount: number;
	logsFileId: string | null;
	pauseMetadata: Record<string, unknown> | null;
	/** false of those that workers had (next-*.har, a/4), true of those put into the recorded database */
	failParentOnFailure: boolean;
	/** what the log file tells, by step name; empty without one */
	steps: Record<string, unknown>;
}

/** Statuses that end a run. */
export function isFinished(status: FlowRunStatus): boolean {
	return status !== 'QUEUED' && status !== 'RUNNING' && status !== 'PAUSED';
}
