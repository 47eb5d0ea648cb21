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

/** The step at which a run failed; 0.73 does not return its message. */
export interface FailedStep {
	name: string;
	displayName: string;
	/** Of a worker from 0.79 on; missing if the recording was made without one */
	message?: string;
}

/** A run as stored; flowRunAnswers.ts has the responses of each release. */
export interface FlowRunRecord {
	id: string;
	created: string;
	updated: string;
	projectId: string;
	flowId: string;
	/** The version that it ran or will run */
	version: FlowVersionRecord;
	environment: 'PRODUCTION' | 'TESTING';
	status: FlowRunStatus;
	tags: string[] | null;
	startTime: string | null;
	/** When a worker took it, which 0.85 and later return late */
	began?: string;
	finishTime: string | null;
	failedStep: FailedStep | null;
	archivedAt: string | null;
	stepsCount: number;
	logsFileId: string | null;
	pauseMetadata: Record<string, unknown> | null;
	/**
	 * false for runs that workers processed (har/enterprise-*, a/4), true for those inserted into the recorded
	 * database
	 */
	failParentOnFailure: boolean;
	/** Outputs in the log file, by step name; empty without a log */
	steps: Record<string, unknown>;
}
