import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/api/client';
import type { ApiRequest } from '../transport/client/request';
import { isStatus, isSuccess, type ApiResponse } from '../transport/http/response';
import { isRecord, textOf } from '../transport/values';
import { itemsOperation, type Resource } from './operation';

const subject = { noun: 'queue metrics' };

const GET_METRICS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/queue-metrics',
		// Since 0.80 (recorded).
		otherPath: { path: '/v1/worker-machines/queue-metrics' },
		worksOn073: true,
	},
	subject,
};

/**
 * Returns the number of jobs in each state, as text: since 0.86.3, not on Cloud (read in the service's
 * source).
 */
const GET_JOB_COUNTS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/worker-machines/queue-metrics/prometheus' },
	subject,
};

/** `bullmq_job_count{queue="workerJobs", state="failed"} 3`, possibly with more labels */
const JOB_COUNT = /^bullmq_job_count\{(.*)\}[ \t]/;

const STATE = /\bstate="([\w-]+)"/;

/** The number of jobs in each state, of all queues together; undefined when there are none. */
function parseJobCounts(text: unknown): IDataObject | undefined {
	const counts = new Map<string, number>();
	for (const line of textOf(text).split('\n')) {
		const found = JOB_COUNT.exec(line);
		if (found === null) continue;
		const [start, labels] = found;
		const [, state] = STATE.exec(labels) ?? [];
		const count = Number.parseInt(line.slice(start.length), 10);
		if (state !== undefined && count >= 0) counts.set(state, (counts.get(state) ?? 0) + count);
	}
	return counts.size === 0 ? undefined : Object.fromEntries(counts);
}

const sum = (queues: IDataObject[], counter: string): number =>
	queues.reduce((total, queue) => total + (Number(textOf(queue[counter])) || 0), 0);

/** Up to 0.74 a server wants a project with an API key and says so with this 409; any project will do. */
const wantsProject = ({ status, message }: ApiResponse): boolean =>
	isStatus(status, 'conflict') && /project id/i.test(message ?? '');

async function requestWithFirstProject(client: ApiClient, response: ApiResponse) {
	const [project] = (await client.fetchProjects(1)) ?? [];
	if (project === undefined) return response;
	return await client.request({ ...GET_METRICS, query: { projectId: project.id } });
}

/** If the credential may not read them, the queues' own counts are used. */
const isRefused = ({ status }: ApiResponse): boolean =>
	isStatus(status, 'unauthorized', 'paymentRequired', 'forbidden', 'notFound');

/**
 * The number of jobs in each state, if the server reports it beside its queues.
 *
 * @throws {ActivepiecesError} when the server has the numbers and cannot return them, because missing
 * counters would mean something else
 */
async function fetchJobCounts(client: ApiClient): Promise<IDataObject | undefined> {
	const response = await client.requestIfPresent(GET_JOB_COUNTS);
	if (response === undefined || isRefused(response)) return undefined;
	const counts = isSuccess(response) ? parseJobCounts(response.body) : undefined;
	if (counts === undefined) throw client.errorFor(GET_JOB_COUNTS, response);
	return counts;
}

/**
 * Returns `stats` in the same form for all releases. Counters that the service does not report are
 * missing instead of 0.
 */
export async function fetchMetrics(client: ApiClient): Promise<IDataObject> {
	let response = await client.request(GET_METRICS);
	if (wantsProject(response)) response = await requestWithFirstProject(client, response);
	const record = client.expectRecord(GET_METRICS, response);
	if (isRecord(record.stats)) return record;
	// From 0.80 on, each queue with its waiting and active jobs only.
	const queues: unknown = record.queues;
	if (!Array.isArray(queues) || !queues.every(isRecord)) {
		throw client.errorFor(GET_METRICS, response);
	}
	const counts = await fetchJobCounts(client);
	const stats = counts ?? { waiting: sum(queues, 'waiting'), active: sum(queues, 'active') };
	return { stats, queues };
}

const getMetrics = itemsOperation({
	name: 'Get Metrics',
	value: 'getMetrics',
	action: 'Get queue metrics',
	description: 'Get the number of jobs in the queues, by state',
	hint: 'Activepieces 0.80 to 0.86.2 and Cloud report only waiting and active jobs',
	toolDescription:
		'Returns the number of jobs in the Activepieces queues: stats.waiting and stats.active, and on some servers also stats.completed, stats.delayed, stats.failed and other states. Some servers also return queues, with the name, waiting and active jobs of each queue',
	endpoint: GET_METRICS.endpoint,
	fields: {},
	items: async (_values, { client }) => [await fetchMetrics(client)],
});

export const queue: Resource = { name: 'Queue', value: 'queue', operations: [getMetrics] };
