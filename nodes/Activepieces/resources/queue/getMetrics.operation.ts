import type { ApiClient } from '../../transport/client';
import { sendWithFallback } from '../../transport/movedEndpoints';
import { listProjects } from '../../transport/paging/projects';
import type { ApiRequest, Endpoint } from '../../transport/request';
import type { ApiResponse } from '../../transport/response';
import { expectRecord, toApiError } from '../../transport/send';
import type { Operation } from '../operation';
import { normalizeMetrics } from './normalizeMetrics';

const endpoint: Endpoint = { method: 'GET', path: '/v1/queue-metrics' };

/** Releases up to 0.74 want a project with an API key and say so with this 409; any will do. */
const wantsProject = ({ status, message }: ApiResponse): boolean =>
	status === 409 && /project id/i.test(message ?? '');

async function sendWithFirstProject(
	client: ApiClient,
	request: ApiRequest,
	response: ApiResponse,
): Promise<ApiResponse> {
	const [project] = (await listProjects(client, 1)) ?? [];
	if (project === undefined) return response;
	return await sendWithFallback(client, { ...request, query: { projectId: project.id } });
}

export const getMetrics: Operation = {
	name: 'Get Metrics',
	value: 'getMetrics',
	action: 'Get queue metrics',
	description: 'Get how many jobs are waiting, active and so on',
	hint: 'Activepieces 0.80 and later report only waiting and active jobs',
	endpoint,
	properties: [],
	async run({ client }) {
		const request: ApiRequest = { ...endpoint, subject: { noun: 'queue metrics' } };
		let response = await sendWithFallback(client, request);
		if (wantsProject(response)) response = await sendWithFirstProject(client, request, response);
		const metrics = normalizeMetrics(expectRecord(client, request, response));
		if (metrics === undefined) throw toApiError(client, request, response);
		return [metrics];
	},
};
