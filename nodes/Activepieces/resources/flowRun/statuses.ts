import type { INodePropertyOptions } from 'n8n-workflow';

/** The statuses of a run, under the names that the web app of Activepieces gives them. */
export const runStatuses: INodePropertyOptions[] = [
	{ name: 'Canceled', value: 'CANCELED' },
	{ name: 'Failed', value: 'FAILED' },
	{ name: 'Internal Error', value: 'INTERNAL_ERROR' },
	{
		name: 'Log Size Exceeded',
		value: 'LOG_SIZE_EXCEEDED',
		description: 'Not available on Activepieces 0.73',
	},
	{ name: 'Memory Limit Exceeded', value: 'MEMORY_LIMIT_EXCEEDED' },
	{ name: 'Paused', value: 'PAUSED' },
	{ name: 'Queued', value: 'QUEUED' },
	{ name: 'Quota Exceeded', value: 'QUOTA_EXCEEDED' },
	{ name: 'Running', value: 'RUNNING' },
	{ name: 'Succeeded', value: 'SUCCEEDED' },
	{ name: 'Timeout', value: 'TIMEOUT' },
];

/** The statuses of a run that has failed, on any release. */
export const FAILED_STATUSES = [
	'FAILED',
	'INTERNAL_ERROR',
	'LOG_SIZE_EXCEEDED',
	'MEMORY_LIMIT_EXCEEDED',
	'QUOTA_EXCEEDED',
	'TIMEOUT',
];

/** Statuses that only newer releases know; 0.73 refuses a list of runs that asks for one (recorded). */
export const NEWER_STATUSES = ['LOG_SIZE_EXCEEDED'];

/** Those of a run that has failed with which every release can be asked for runs. */
export const FAILED_ON_ALL_RELEASES = FAILED_STATUSES.filter(
	(status) => !NEWER_STATUSES.includes(status),
);

/** Statuses of a run that waits, which can be canceled; no other run can (recorded). */
export const WAITING_STATUSES = ['PAUSED', 'QUEUED'];

/** Statuses of a run that is not over. */
const UNFINISHED_STATUSES = [...WAITING_STATUSES, 'RUNNING'];

/** Whether a run is still to come, under way or waiting. */
export const isUnfinished = (status: unknown): boolean =>
	UNFINISHED_STATUSES.some((unfinished) => unfinished === status);

/** Whether a run waits for its turn, or for what it was paused for. */
export const isWaiting = (status: unknown): boolean =>
	WAITING_STATUSES.some((waiting) => waiting === status);

/** Whether a run has failed, on any release. */
export const hasFailed = (status: unknown): boolean =>
	FAILED_STATUSES.some((failed) => failed === status);
