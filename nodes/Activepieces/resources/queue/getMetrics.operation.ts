import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { sendIfPresent, sendWithFallback } from '../../transport/movedEndpoints';
import { fetchProjects } from '../../transport/paging/projects';
import type { Endpoint } from '../../transport/endpoint';
import type { ApiRequest } from '../../transport/request';
import { type ApiResponse, isSuccess } from '../../transport/response';
import { expectRecord, toApiError } from '../../transport/send';
import type { Operation } from '../operation';
import { parseJobCounts } from './jobCounts';
import { normalizeMetrics, queuesOf } from './normalizeMetrics';

const endpoint: Endpoint = { method: 'GET', path: '/v1/queue-metrics' };

const subject = { noun: 'queue metrics' };

/** Releases up to 0.74 want a project with an API key and say so with this 409; any will do. */
const wantsProject = ({ status, message }: ApiResponse): boolean =>
	status === 409 && /project id/i.test(message ?? '');

async function sendWithFirstProject(
	client: ApiClient,
	request: ApiRequest,
	response: ApiResponse,
): Promise<ApiResponse> {
	const [project] = (await fetchProjects(client, 1)) ?? [];
	if (project === undefined) return response;
	return await sendWithFallback(client, { ...request, query: { projectId: project.id } });
}

/** Since 0.86.3, not on Cloud: all states of a job, as text (read in the service's source). */
const countsRequest: ApiRequest = {
	method: 'GET',
	path: '/v1/worker-machines/queue-metrics/prometheus',
	subject,
};

/** Statuses for those who may not read it: the queues' own counts are used then. */
const REFUSED_STATUSES = [401, 402, 403, 404];

/**
 * The jobs in each state, from a server that tells them apart from its queues.
 *
 * @throws {ActivepiecesError} when it has them and cannot give them, since absent counters would say
 * something else
 */
async function fetchJobCounts(client: ApiClient): Promise<IDataObject | undefined> {
	const response = await sendIfPresent(client, countsRequest);
	if (response === undefined || REFUSED_STATUSES.includes(response.status)) return undefined;
	const counts = isSuccess(response) ? parseJobCounts(response.body) : undefined;
	if (counts === undefined) throw toApiError(client, countsRequest, response);
	return counts;
}

export const getMetrics: Operation = {
	name: 'Get Metrics',
	value: 'getMetrics',
	action: 'Get queue metrics',
	description: 'Get how many jobs are waiting, active and so on',
	hint: 'Activepieces 0.80 to 0.86.2, and the cloud, report only waiting and active jobs',
	endpoint,
	properties: [],
	async run({ client }) {
		const request: ApiRequest = { ...endpoint, subject };
		let response = await sendWithFallback(client, request);
		if (wantsProject(response)) response = await sendWithFirstProject(client, request, response);
		const record = expectRecord(client, request, response);
		const counts = queuesOf(record) && (await fetchJobCounts(client));
		const metrics = normalizeMetrics(record, counts);
		if (metrics === undefined) throw toApiError(client, request, response);
		return [metrics];
	},
};
