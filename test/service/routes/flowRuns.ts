import type { FastifyRequest } from 'fastify';

import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { ApplicationError, FrameworkError, refuseNul } from '../errors';
import { listedRun, wholeRun } from '../flowRunAnswers';
import { runsOfProject } from '../flowRunIndex';
import { FLOW_RUN_STATUSES, type FlowRunRecord } from '../flowRunRecords';
import { containsLike, every, paginate, when } from '../list';
import type { ServiceData } from '../records';
import type { Permission } from '../roles';
import { byCreatedAndId, byCreatedDescending } from '../runCursor';
import type { Fields } from '../schema';

/** The filters of a list of runs and of a bulk retry. */
export interface RunFilter {
	flowId?: string[];
	status?: string[];
	tags?: string[];
	createdAfter?: string;
	createdBefore?: string;
	failedStepName?: string;
	failedStepMessage?: string;
	flowRunIds?: string[];
	excludeFlowRunIds?: string[];
}

interface RunQuery extends RunFilter {
	projectId: string;
	includeArchived?: boolean;
	archived?: boolean;
}

/** Milliseconds of a bound, which is included; undefined without one. */
export function bound(text: string | undefined): number | undefined {
	if (text === undefined || text === '') return undefined;
	const time = Date.parse(text);
	if (Number.isNaN(time)) {
		const type = 'invalid input syntax for type timestamp with time zone';
		throw new FrameworkError(500, `${type}: "${text}"`, '22007');
	}
	return time;
}

/** An empty list of IDs filters nothing. */
const chosen = (list: string[] | undefined) => (list?.length ? new Set(list) : undefined);

/** The filters that lists and bulk retries share. */
export function runFilter(filter: RunFilter): (run: FlowRunRecord) => boolean {
	refuseNul(filter.failedStepName, filter.failedStepMessage, ...(filter.tags ?? []));
	return every<FlowRunRecord>(
		when(chosen(filter.flowId), (ids) => (run) => ids.has(run.flowId)),
		when(chosen(filter.status), (statuses) => (run) => statuses.has(run.status)),
		when(chosen(filter.tags), (tags) => (run) => run.tags?.some((tag) => tags.has(tag)) ?? false),
		when(chosen(filter.flowRunIds), (ids) => (run) => ids.has(run.id)),
		when(chosen(filter.excludeFlowRunIds), (ids) => (run) => !ids.has(run.id)),
		when(bound(filter.createdAfter), (time) => (run) => Date.parse(run.created) >= time),
		when(bound(filter.createdBefore), (time) => (run) => Date.parse(run.created) <= time),
		when(filter.failedStepName, (name) => (run) => run.failedStep?.name === name),
		when(filter.failedStepMessage, (text) => {
			const matches = containsLike(text);
			return ({ failedStep }) => failedStep?.message !== undefined && matches(failedStep.message);
		}),
	);
}

/** The run in the path, when the principal may see its project. */
export function runOfPath(
	{ auth, own, other }: Context,
	request: FastifyRequest,
	permission: Permission,
) {
	const { id } = request.params as { id: string };
	const find = (data: ServiceData) => data.flowRuns.find((row) => row.id === id);
	const missing = {
		entityType: 'flow_run',
		user: new ApplicationError(400, 'FLOW_RUN_NOT_FOUND', { id }),
	};
	const run = auth.rowOfPath(request, find(own) ?? find(other), missing, permission);
	return { data: own.flowRuns.includes(run) ? own : other, run };
}

/** GET /v1/flow-runs, /v1/flow-runs/{id} and, since 0.80, /v1/flow-runs/count-by-status. */
export function flowRunRoutes(context: Context): void {
	const { auth, route, traits } = context;
	const [first, ...others] = FLOW_RUN_STATUSES.filter(
		(status) => !traits.oldRuns || status !== 'LOG_SIZE_EXCEEDED',
	);
	const fields: Fields = {
		projectId: { type: 'string', required: true },
		flowId: { type: 'ids' },
		status: { type: 'enums', values: [first, ...others] },
		tags: { type: 'strings' },
		createdAfter: { type: 'string' },
		createdBefore: { type: 'string' },
		failedStepName: { type: 'string' },
		flowRunIds: { type: 'ids' },
		...(traits.oldRuns
			? { archived: { type: 'boolean' } }
			: { includeArchived: { type: 'boolean' } }),
		...(traits.failedStepMessages ? { failedStepMessage: { type: 'string' } } : {}),
	};

	const keep = (query: RunQuery) => {
		const passes = runFilter(query);
		const { archived, includeArchived = false } = query;
		const hidden = (run: FlowRunRecord) =>
			traits.oldRuns
				? archived !== undefined && archived !== (run.archivedAt !== null)
				: !includeArchived && run.archivedAt !== null;
		return (run: FlowRunRecord) => run.environment === 'PRODUCTION' && !hidden(run) && passes(run);
	};

	route(
		'GET',
		'/v1/flow-runs',
		(request) => {
			const { platform } = auth.projectOfQuery(request, 'READ_RUN');
			const query = request.query as RunQuery;
			const runs = runsOfProject(platform.flowRuns, query.projectId);
			const page = traits.exactRunCursor
				? paginate(runs, keep(query), pageRequest(request), byCreatedAndId(platform.micros))
				: paginate(runs, keep(query), pageRequest(request), byCreatedDescending);
			return { ...page, data: page.data.map((run) => listedRun(run, traits)) };
		},
		{ query: { ...fields, ...PAGE_FIELDS } },
	);

	if (traits.failedStepMessages) {
		route(
			'GET',
			'/v1/flow-runs/count-by-status',
			(request) => {
				const { platform } = auth.projectOfQuery(request, 'READ_RUN');
				const query = request.query as RunQuery;
				const counts = new Map<string, number>();
				for (const run of runsOfProject(platform.flowRuns, query.projectId).filter(keep(query))) {
					counts.set(run.status, (counts.get(run.status) ?? 0) + 1);
				}
				const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
				return { data: sorted.map(([status, count]) => ({ status, count })) };
			},
			{ query: fields },
		);
	}

	route(
		'GET',
		'/v1/flow-runs/:id',
		(request) => wholeRun(runOfPath(context, request, 'READ_RUN').run, traits),
		{ params: { id: { type: 'id' } } },
	);
}
