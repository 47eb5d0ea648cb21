import type { FastifyRequest } from 'fastify';
import type { z } from 'zod/v4';

import { BY_ID, locate, type Context } from '../context';
import { byCreatedAndId, byCreatedDescending } from '../cursor';
import { ApplicationError, entityNotFound, FrameworkError } from '../errors';
import { publishedVersion } from '../flowChanges';
import { runsOfProject } from '../flowIndex';
import { listedRun, newRun, storedRun, wholeRun } from '../flowRunAnswers';
import { cancel, isWaiting, queueAgain } from '../flowRunLife';
import { FLOW_RUN_STATUSES, makeFlowRun, type FlowRunRecord } from '../flowRunRecords';
import { makeId } from '../ids';
import { createdBetween, equal, every, oneOfThese, paged, paginate } from '../list';
import type { ServiceData } from '../records';
import type { Permission } from '../roles';
import { id, list, oneOf, required, shape, text } from '../schema';

const RETENTION_DAYS = 30;
const DAY = 86_400_000;

/** The filters that lists and bulk requests share. */
const COMMON = {
	projectId: required(text),
	flowRunIds: list(id),
	status: list(oneOf(FLOW_RUN_STATUSES)),
	flowId: list(id),
	createdAfter: text,
	createdBefore: text,
	failedStepName: text,
};
const LIST = paged({ ...COMMON, tags: list(text) });
const COUNTS = shape({ projectId: required(text), createdAfter: text, createdBefore: text });
const STRATEGY = { strategy: required(oneOf(['ON_LATEST_VERSION', 'FROM_FAILED_STEP'])) };
const RETRY = shape({ ...STRATEGY, projectId: required(text) });
const CHOICE = shape(COMMON);
const RETRIES = CHOICE.extend(STRATEGY);
const CANCELS = CHOICE.extend({ status: list(oneOf(['PAUSED', 'QUEUED'])) });

type Strategy = z.infer<typeof RETRY>['strategy'];
type RunFilter = Partial<z.infer<typeof LIST>>;

/** An empty list of IDs filters nothing. */
const chosen = (ids: string[] | undefined) => (ids?.length ? ids : undefined);

const runFilter = (filter: RunFilter) =>
	every<FlowRunRecord>(
		oneOfThese(chosen(filter.flowId), (run) => run.flowId),
		oneOfThese(chosen(filter.status), (run) => run.status),
		oneOfThese(chosen(filter.tags), (run) => run.tags),
		oneOfThese(chosen(filter.flowRunIds), (run) => run.id),
		createdBetween(filter.createdAfter, filter.createdBefore),
		equal(filter.failedStepName, (run) => run.failedStep?.name),
	);

/** The run in the path, when the principal may see its project. */
function runOfPath(context: Context, request: FastifyRequest, permission: Permission) {
	const { id } = request.params as { id: string };
	const { data, row } = locate(context, ({ flowRuns }) => flowRuns, id);
	return { data, run: context.auth.rowOfPath(request, row, 'flow_run', permission) };
}

/** GET /v1/flow-runs and /v1/flow-runs/{id}. */
export function flowRunRoutes(context: Context): void {
	const { auth, route, traits } = context;

	const keep = (filter: RunFilter) =>
		every<FlowRunRecord>(
			(run) => run.environment === 'PRODUCTION' && run.archivedAt === null,
			runFilter(filter),
		);

	route('GET', '/v1/flow-runs', { query: LIST }, (request) => {
		const { platform } = auth.namedProject(request, 'READ_RUN');
		const runs = runsOfProject(platform.flowRuns, request.query.projectId);
		const page = traits.newRuns
			? paginate(request, runs, keep(request.query), byCreatedAndId(platform.micros))
			: paginate(request, runs, keep(request.query), byCreatedDescending);
		return { ...page, data: page.data.map((run) => listedRun(run, traits)) };
	});

	// Before, the path is read as the ID of a run (har/enterprise-g5, g/167 and g/171).
	if (traits.newRuns) {
		route('GET', '/v1/flow-runs/count-by-status', { query: COUNTS }, (request) => {
			const { platform } = auth.namedProject(request, 'READ_RUN');
			const runs = runsOfProject(platform.flowRuns, request.query.projectId);
			const counts = new Map<string, number>();
			for (const { status } of runs.filter(keep(request.query))) {
				counts.set(status, (counts.get(status) ?? 0) + 1);
			}
			return { data: [...counts].map(([status, count]) => ({ status, count })) };
		});
	}

	route('GET', '/v1/flow-runs/:id', BY_ID, (request) =>
		wholeRun(runOfPath(context, request, 'READ_RUN').run, traits),
	);
}

/** POST /v1/flow-runs/{id}/retry and, for many runs, /v1/flow-runs/retry, /cancel and /archive. */
export function flowRunChangeRoutes(context: Context): void {
	const { auth, flowChanges, now, route, time, traits } = context;
	let made = 0;

	const published = (data: ServiceData, run: FlowRunRecord) => {
		const flow = data.flows.find(({ id }) => id === run.flowId);
		const version = flow && publishedVersion(data, flow);
		return version ? { flow, version } : undefined;
	};

	/** Why a run cannot be retried; its status is not checked. */
	function refusal(data: ServiceData, run: FlowRunRecord, strategy: Strategy) {
		if (traits.retryNeedsCredits) {
			return new ApplicationError(402, 'QUOTA_EXCEEDED', { metric: 'credits' });
		}
		if (traits.newRuns && time.now - Date.parse(run.created) > RETENTION_DAYS * DAY) {
			return new ApplicationError(410, 'FLOW_RUN_RETRY_OUTSIDE_RETENTION', {
				flowRunId: run.id,
				failedJobRetentionDays: RETENTION_DAYS,
			});
		}
		if (strategy === 'ON_LATEST_VERSION' && !published(data, run)) {
			return entityNotFound({ entityId: run.flowId, entityType: 'FlowVersion' });
		}
		return undefined;
	}

	/** Queues a run again, or a new one in its place. */
	function retry(data: ServiceData, run: FlowRunRecord, strategy: Strategy) {
		const error = refusal(data, run, strategy);
		if (error) throw error;
		const latest = strategy === 'ON_LATEST_VERSION' ? published(data, run) : undefined;
		if (!latest) {
			queueAgain(run, traits, now());
			return storedRun(run, traits);
		}
		const { environment, failParentOnFailure } = run;
		const seed = { environment, failParentOnFailure, status: 'QUEUED' as const, tags: [] };
		const id = makeId(`${data.platformId}/retried run`, made++);
		const again = makeFlowRun({ id, ...latest, ...seed, created: now() }, traits);
		data.flowRuns = [again, ...data.flowRuns];
		return newRun(again);
	}

	/** The runs that a bulk request lists, or its filters match, in the order of the list. */
	function chosenRuns(request: FastifyRequest & { body: z.infer<typeof CHOICE> }) {
		const { platform } = auth.namedProject(request, 'WRITE_RUN');
		const { projectId, ...filter } = request.body;
		const runs = runsOfProject(platform.flowRuns, projectId).filter(runFilter(filter));
		return { platform, runs };
	}

	route('POST', '/v1/flow-runs/:id/retry', { ...BY_ID, body: RETRY }, (request) => {
		const { data, run } = runOfPath(context, request, 'WRITE_RUN');
		const { strategy, projectId } = request.body;
		if (projectId === run.projectId) return retry(data, run, strategy);
		const message = 'Flow run not found';
		throw entityNotFound({ entityType: 'flow_run', entityId: run.id, message });
	});

	route('POST', '/v1/flow-runs/cancel', { body: CANCELS }, (request, reply) => {
		// Since 0.80 the job of a queued run is kept while no worker runs (har/enterprise-0.85, d/33).
		const isKept = traits.newRuns && flowChanges.worker.state === 'stopped';
		for (const run of chosenRuns(request).runs.filter(isWaiting)) {
			if (isKept && run.status === 'QUEUED') {
				const what = 'could not be removed because it is locked by another worker';
				throw new FrameworkError(500, `Job ${run.id} ${what}`);
			}
			cancel(run, now());
		}
		return reply.send();
	});

	// The node does not send these two. The recordings list the runs that they have started and hidden.
	route('POST', '/v1/flow-runs/retry', { body: RETRIES }, (request) => {
		const { platform, runs } = chosenRuns(request);
		const { strategy } = request.body;
		return runs
			.filter((run) => !refusal(platform, run, strategy))
			.map((run) => retry(platform, run, strategy));
	});

	route('POST', '/v1/flow-runs/archive', { body: CHOICE }, (request, reply) => {
		for (const run of chosenRuns(request).runs) run.archivedAt = now();
		return reply.send();
	});
}
