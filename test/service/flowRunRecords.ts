import type { makeFlowRun } from './makeFlowRun';

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
export type FlowRunRecord = ReturnType<typeof makeFlowRun>;
