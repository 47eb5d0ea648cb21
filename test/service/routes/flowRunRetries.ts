import type { FastifyRequest } from 'fastify';

import type { Context } from '../context';
import { ApplicationError, entityNotFound, FrameworkError } from '../errors';
import { publishedVersion } from '../flowChanges';
import { failedRetry, newRun, retriedRun } from '../flowRunAnswers';
import { runsOfProject } from '../flowRunIndex';
import { cancel, isWaiting, queueAgain } from '../flowRunLife';
import { FLOW_RUN_STATUSES, type FlowRunRecord } from '../flowRunRecords';
import { makeId } from '../ids';
import { makeFlowRun } from '../makeFlowRun';
import type { ServiceData } from '../records';
import type { Fields } from '../schema';
import { type RunFilter, runFilter, runOfPath } from './flowRuns';

type Strategy = 'ON_LATEST_VERSION' | 'FROM_FAILED_STEP';

const RETENTION_DAYS = 30;
const DAY = 86_400_000;

const STRATEGY = {
	type: 'enum',
	values: ['ON_LATEST_VERSION', 'FROM_FAILED_STEP'],
	required: true,
} as const;

const CHOICE: Fields = {
	projectId: { type: 'string', required: true },
	flowRunIds: { type: 'ids' },
	excludeFlowRunIds: { type: 'ids' },
	status: { type: 'enums', values: FLOW_RUN_STATUSES as unknown as [string, ...string[]] },
	flowId: { type: 'ids' },
	createdAfter: { type: 'string' },
	createdBefore: { type: 'string' },
	failedStepName: { type: 'string' },
};

/** POST /v1/flow-runs/{id}/retry and, for many runs, /v1/flow-runs/retry, /cancel and /archive. */
export function flowRunRetryRoutes(context: Context): void {
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
		if (traits.retryRetention && time.now - Date.parse(run.created) > RETENTION_DAYS * DAY) {
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
			return retriedRun(run, traits);
		}
		const id = makeId(`${data.platformId}/retried run`, made++);
		const { environment } = run;
		const again = {
			...makeFlowRun(
				{
					id,
					...latest,
					created: now(),
					status: 'QUEUED',
					environment,
					failParentOnFailure: run.failParentOnFailure,
				},
				traits,
			),
			tags: [],
		};
		data.flowRuns = [again, ...data.flowRuns];
		return newRun(again, traits);
	}

	/** The runs that a bulk request lists, or its filters match, in the order of the list. */
	function chosenRuns(request: FastifyRequest) {
		const { platform } = auth.projectOfBody(request, 'WRITE_RUN');
		const { projectId, ...filter } = request.body as RunFilter & { projectId: string };
		const runs = runsOfProject(platform.flowRuns, projectId).filter(runFilter(filter));
		return { platform, runs };
	}

	route(
		'POST',
		'/v1/flow-runs/:id/retry',
		(request) => {
			const { data, run } = runOfPath(context, request, 'WRITE_RUN');
			const { strategy, projectId } = request.body as { strategy: Strategy; projectId: string };
			if (projectId !== run.projectId) {
				const message = 'Flow run not found';
				throw entityNotFound({ entityType: 'flow_run', entityId: run.id, message });
			}
			return retry(data, run, strategy);
		},
		{
			params: { id: { type: 'id' } },
			body: { strategy: STRATEGY, projectId: { type: 'string', required: true } },
		},
	);

	route(
		'POST',
		'/v1/flow-runs/retry',
		(request) => {
			const { platform, runs } = chosenRuns(request);
			const { strategy } = request.body as { strategy: Strategy };
			const failures: ApplicationError[] = [];
			const answers = runs.map((run) => {
				const error = refusal(platform, run, strategy);
				if (!error) return retry(platform, run, strategy);
				failures.push(error);
				return failedRetry(run, traits, error.errorCode);
			});
			// Earlier releases respond with the first failure, although the others were started.
			if (failures.length > 0 && !traits.retryRetention) throw failures[0];
			return answers;
		},
		{ body: { ...CHOICE, strategy: STRATEGY } },
	);

	route(
		'POST',
		'/v1/flow-runs/cancel',
		(request, reply) => {
			for (const run of chosenRuns(request).runs.filter(isWaiting)) {
				// Since 0.80 the job of a queued run is kept while no worker runs (har/enterprise-0.85, d/33).
				if (
					traits.retryRetention &&
					run.status === 'QUEUED' &&
					flowChanges.worker.state === 'stopped'
				) {
					const what = 'could not be removed because it is locked by another worker';
					throw new FrameworkError(500, `Job ${run.id} ${what}`);
				}
				cancel(run, now());
			}
			return reply.send();
		},
		{ body: { ...CHOICE, status: { type: 'enums', values: ['PAUSED', 'QUEUED'] } } },
	);

	route(
		'POST',
		'/v1/flow-runs/archive',
		(request, reply) => {
			for (const run of chosenRuns(request).runs) run.archivedAt = now();
			return reply.send();
		},
		{ body: CHOICE },
	);
}
