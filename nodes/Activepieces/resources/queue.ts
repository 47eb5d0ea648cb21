import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client';
import { toApiError } from '../transport/errorFor';
import { isStatus } from '../transport/httpStatus';
import { fetchProjects } from '../transport/projects';
import type { ApiRequest } from '../transport/request';
import { type ApiResponse, isSuccess } from '../transport/response';
import { expectRecord, requestIfPresent, sendRequest } from '../transport/send';
import { isRecord, textOf } from '../transport/values';
import type { Operation, Resource } from './operation';

const subject = { noun: 'queue metrics' };

const GET_METRICS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/queue-metrics',
		// Since 0.80 (recorded).
		movedTo: { path: '/v1/worker-machines/queue-metrics' },
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

/** A line is `bullmq_job_count{queue="workerJobs", state="failed"} 3`, possibly with more labels. */
const METRIC = 'bullmq_job_count{';

/** A line of the service has about 70 characters. */
const MAX_LINE = 1000;

/** Matches the next label and the comma after it. A value may contain any character, escaped. */
const LABEL = /\s*(\w+)="((?:[^"\\]|\\.)*)"\s*,?/y;
const END = /\s*\}\s+(\d+)/y;

/**
 * Parses the state and the number from a line that begins with the metric. It reads one label after the
 * other: a pattern for the whole line would try a long line again from each label.
 */
function parseLine(line: string): { state: string; count: number } | undefined {
	let position = METRIC.length;
	let state = '';
	for (;;) {
		LABEL.lastIndex = position;
		const label = LABEL.exec(line);
		if (label === null) break;
		if (label[1] === 'state') state = label[2];
		position = LABEL.lastIndex;
	}
	END.lastIndex = position;
	const end = END.exec(line);
	return end === null || !/^[\w-]+$/.test(state) ? undefined : { state, count: Number(end[1]) };
}

/**
 * The number of jobs in each state, of all queues together, from the metrics that the service exports
 * for Prometheus.
 *
 * @returns undefined when there are none
 */
export function parseJobCounts(text: unknown): IDataObject | undefined {
	if (typeof text !== 'string') return undefined;
	const counts = new Map<string, number>();
	// Searches from match to match, because a text can have more lines than an array can hold.
	for (let at = text.indexOf(METRIC); at >= 0; at = text.indexOf(METRIC, at + METRIC.length)) {
		if (at > 0 && text[at - 1] !== '\n') continue;
		const [line] = text.slice(at, at + MAX_LINE).split('\n', 1);
		const parsed = parseLine(line);
		if (parsed === undefined) continue;
		counts.set(parsed.state, (counts.get(parsed.state) ?? 0) + parsed.count);
	}
	return counts.size === 0 ? undefined : Object.fromEntries(counts);
}

const sum = (queues: IDataObject[], counter: string): number =>
	queues.reduce((total, queue) => total + (Number(textOf(queue[counter])) || 0), 0);

/** The queues that servers report from 0.80 on, each with its waiting and active jobs only. */
function queuesOf(record: IDataObject): IDataObject[] | undefined {
	const queues: unknown = record.queues;
	return Array.isArray(queues) && queues.every(isRecord) ? queues : undefined;
}

/**
 * Returns `stats` in the same form for all releases. Counters that the service does not report are
 * missing instead of 0.
 *
 * @param counts of the jobs in each state, if the server reports them beside its queues
 * @returns undefined when the record contains no metrics
 */
function normalizeMetrics(record: IDataObject, counts?: IDataObject): IDataObject | undefined {
	if (isRecord(record.stats)) return record;
	const queues = queuesOf(record);
	if (queues === undefined) return undefined;
	const stats = counts ?? { waiting: sum(queues, 'waiting'), active: sum(queues, 'active') };
	return { stats, queues };
}

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

export async function fetchMetrics(client: ApiClient): Promise<IDataObject> {
	let response = await sendRequest(client, GET_METRICS);
	if (wantsProject(response)) response = await requestWithFirstProject(client, response);
	const record = expectRecord(client, GET_METRICS, response);
	const counts = queuesOf(record) && (await fetchJobCounts(client));
	const metrics = normalizeMetrics(record, counts);
	if (metrics === undefined) throw toApiError(client, GET_METRICS, response);
	return metrics;
}

const getMetrics: Operation = {
	name: 'Get Metrics',
	value: 'getMetrics',
	action: 'Get queue metrics',
	description: 'Get the number of jobs in the queues, by state',
	hint: 'Activepieces 0.80 to 0.86.2 and Cloud report only waiting and active jobs',
	toolDescription:
		'Returns the number of jobs in the Activepieces queues: stats.waiting and stats.active, and on some servers also stats.completed, stats.delayed, stats.failed and other states. Some servers also return queues, with the name, waiting and active jobs of each queue',
	endpoint: GET_METRICS.endpoint,
	properties: [],
	run: async ({ client }) => [await fetchMetrics(client)],
};

export const queue: Resource = {
	name: 'Queue',
	value: 'queue',
	operations: [getMetrics],
};
