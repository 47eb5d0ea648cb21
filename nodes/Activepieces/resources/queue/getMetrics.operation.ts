import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import { toApiError } from '../../transport/errors/errorFor';
import { fetchProjects } from '../../transport/paging/projects';
import { expectRecord } from '../../transport/request/record';
import { requestIfPresent, sendRequest } from '../../transport/request/send';
import { isStatus } from '../../transport/response/httpStatus';
import { type ApiResponse, isSuccess } from '../../transport/response/response';
import type { Operation } from '../operation';
import { parseJobCounts } from './jobCounts';
import { normalizeMetrics, queuesOf } from './normalizeMetrics';
import { GET_JOB_COUNTS, GET_METRICS } from './requests';

/** Up to 0.74 a server wants a project with an API key and says so with this 409; any project will do. */
const wantsProject = ({ status, message }: ApiResponse): boolean =>
	isStatus(status, 'conflict') && /project id/i.test(message ?? '');

async function requestWithFirstProject(
	client: ApiClient,
	response: ApiResponse,
): Promise<ApiResponse> {
	const [project] = (await fetchProjects(client, 1)) ?? [];
	if (project === undefined) return response;
	return await sendRequest(client, { ...GET_METRICS, query: { projectId: project.id } });
}

/** If the credential may not read them, the queues' own counts are used. */
const isRefused = ({ status }: ApiResponse): boolean =>
	isStatus(status, 'unauthorized', 'paymentRequired', 'forbidden', 'notFound');

/**
 * Fetches the number of jobs in each state, from a server that reports it beside its queues.
 *
 * @throws {ActivepiecesError} when the server has the numbers and cannot return them, because missing
 * counters would mean something else
 */
async function fetchJobCounts(client: ApiClient): Promise<IDataObject | undefined> {
	const response = await requestIfPresent(client, GET_JOB_COUNTS);
	if (response === undefined || isRefused(response)) return undefined;
	const counts = isSuccess(response) ? parseJobCounts(response.body) : undefined;
	if (counts === undefined) throw toApiError(client, GET_JOB_COUNTS, response);
	return counts;
}

export const getMetrics: Operation = {
	name: 'Get Metrics',
	value: 'getMetrics',
	action: 'Get queue metrics',
	description: 'Get the number of jobs in the queues, by state',
	hint: 'Activepieces 0.80 to 0.86.2 and Cloud report only waiting and active jobs',
	toolDescription:
		'Returns the number of jobs in the Activepieces queues: stats.waiting and stats.active, and on some servers also stats.completed, stats.delayed, stats.failed and other states. Some servers also return queues, with the name, waiting and active jobs of each queue',
	endpoint: GET_METRICS,
	properties: [],
	async run({ client }) {
		let response = await sendRequest(client, GET_METRICS);
		if (wantsProject(response)) response = await requestWithFirstProject(client, response);
		const record = expectRecord(client, GET_METRICS, response);
		const counts = queuesOf(record) && (await fetchJobCounts(client));
		const metrics = normalizeMetrics(record, counts);
		if (metrics === undefined) throw toApiError(client, GET_METRICS, response);
		return [metrics];
	},
};
