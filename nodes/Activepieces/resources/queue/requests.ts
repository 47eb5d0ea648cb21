import type { ApiRequest } from '../../transport/request/request';

const subject = { noun: 'queue metrics' };

export const GET_METRICS: ApiRequest = {
	method: 'GET',
	path: '/v1/queue-metrics',
	// Since 0.80 (recorded).
	movedTo: { path: '/v1/worker-machines/queue-metrics' },
	subject,
};

/**
 * Returns the number of jobs in each state, as text: since 0.86.3, not on Cloud (read in the service's
 * source).
 */
export const GET_JOB_COUNTS: ApiRequest = {
	method: 'GET',
	path: '/v1/worker-machines/queue-metrics/prometheus',
	subject,
};
