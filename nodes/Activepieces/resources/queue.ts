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
const LABELS = /\s*(\w+)="((?:[^"\\]|\\.)*)"\s*,?/gy;

/**
 * Parses the state and the number from what follows the metric in its line. It reads one label after the
 * other: a pattern for the whole line would try a long line again from each label.
 */
function parseLine(line: string) {
	let end = 0;
	let state = '';
	for (const [label, name, value] of line.matchAll(LABELS)) {
		if (name === 'state') state = value;
		end += label.length;
	}
	const [, count] = /^\s*\}\s+(\d+)/.exec(line.slice(end)) ?? [];
	if (count === undefined || !/^[\w-]+$/.test(state)) return undefined;
	return { state, count: Number(count) };
}

/** The number of jobs in each state, of all queues together; undefined when there are none. */
export function parseJobCounts(text: unknown): IDataObject | undefined {
	if (typeof text !== 'string') return undefined;
	const counts = new Map<string, number>();
	// Searches from match to match, because a text can have more lines than an array can hold.
	for (let at = text.indexOf(METRIC); at >= 0; at = text.indexOf(METRIC, at + METRIC.length)) {
		if (at > 0 && text[at - 1] !== '\n') continue;
		const [line] = text.slice(at + METRIC.length, at + MAX_LINE).split('\n', 1);
		const parsed = parseLine(line);
		if (parsed === undefined) continue;
		counts.set(parsed.state, (counts.get(parsed.state) ?? 0) + parsed.count);
	}
	return counts.size === 0 ? undefined : Object.fromEntries(counts);
}

const sum = (queues: IDataObject[], counter: string): number =>
	queues.reduce((total, queue) => total + (Number(textOf(queue[counter])) || 0), 0);

/** Up to 0.74 a server wants a project with an API key and says so with this 409; any project will do. */
const wantsProject = ({ status, message }: ApiResponse): boolean =>
	isStatus(status, 'conflict') && /project id/i.test(message ?? '');

async function requestWithFirstProject(client: ApiClient, response: ApiResponse) {
	const [project] = (await fetchProjects(client, 1)) ?? [];
	if (project === undefined) return response;
	return await sendRequest(client, { ...GET_METRICS, query: { projectId: project.id } });
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
	const response = await requestIfPresent(client, GET_JOB_COUNTS);
	if (response === undefined || isRefused(response)) return undefined;
	const counts = isSuccess(response) ? parseJobCounts(response.body) : undefined;
	if (counts === undefined) throw toApiError(client, GET_JOB_COUNTS, response);
	return counts;
}

/**
 * Returns `stats` in the same form for all releases. Counters that the service does not report are
 * missing instead of 0.
 */
export async function fetchMetrics(client: ApiClient): Promise<IDataObject> {
	let response = await sendRequest(client, GET_METRICS);
	if (wantsProject(response)) response = await requestWithFirstProject(client, response);
	const record = expectRecord(client, GET_METRICS, response);
	if (isRecord(record.stats)) return record;
	// From 0.80 on, each queue with its waiting and active jobs only.
	const queues: unknown = record.queues;
	if (!Array.isArray(queues) || !queues.every(isRecord)) {
		throw toApiError(client, GET_METRICS, response);
	}
	const counts = await fetchJobCounts(client);
	const stats = counts ?? { waiting: sum(queues, 'waiting'), active: sum(queues, 'active') };
	return { stats, queues };
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

export const queue: Resource = { name: 'Queue', value: 'queue', operations: [getMetrics] };
