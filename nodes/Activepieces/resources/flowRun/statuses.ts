import type { INodePropertyOptions } from 'n8n-workflow';

/** The statuses of a run, with the names that the web app of Activepieces uses. */
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

/** The statuses of a failed run, in any release. */
export const FAILED_STATUSES = [
	'FAILED',
	'INTERNAL_ERROR',
	'LOG_SIZE_EXCEEDED',
	'MEMORY_LIMIT_EXCEEDED',
	'QUOTA_EXCEEDED',
	'TIMEOUT',
];

/** Statuses that only newer releases know; 0.73 refuses a list of runs with these statuses (recorded). */
export const NEWER_STATUSES = ['LOG_SIZE_EXCEEDED'];

/** The statuses of a failed run that every release accepts in a list. */
export const FAILED_ON_ALL_RELEASES = FAILED_STATUSES.filter(
	(status) => !NEWER_STATUSES.includes(status),
);

/** The statuses of a waiting run. Only such runs can be canceled (recorded). */
export const WAITING_STATUSES = ['PAUSED', 'QUEUED'];

/** Statuses of a run that is not complete. */
const UNFINISHED_STATUSES = [...WAITING_STATUSES, 'RUNNING'];

/** Whether a run is waiting or in progress. */
export const isUnfinished = (status: unknown): boolean =>
	UNFINISHED_STATUSES.some((unfinished) => unfinished === status);

/** Whether a run is waiting for its turn, or for the end of a pause. */
export const isWaiting = (status: unknown): boolean =>
	WAITING_STATUSES.some((waiting) => waiting === status);

/** Whether a run has failed, in any release. */
export const hasFailed = (status: unknown): boolean =>
	FAILED_STATUSES.some((failed) => failed === status);
