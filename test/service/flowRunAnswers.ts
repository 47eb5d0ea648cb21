import type { FailedStep, FlowRunRecord } from './flowRunRecords';
import type { ReleaseTraits } from './releases';

type Answer = Record<string, unknown>;

export function listedRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	if (traits.oldRuns) return oldRun(run, traits);
	// The query joins the version, so its columns are repeated.
	const flat = Object.entries(run.version).map(([key, value]) => [`flowVersion_${key}`, value]);
	const { displayName } = run.version;
	return { ...storedRun(run, traits), ...Object.fromEntries(flat), displayName };
}

/** GET /v1/flow-runs/{id}. */
export function wholeRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	return { ...(traits.oldRuns ? oldRun(run, traits) : storedRun(run, traits)), steps: run.steps };
}

/** A run that a retry has queued again, as stored. */
export function retriedRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	return storedRun(run, traits);
}

/** A run that a retry has created, which is not complete yet. */
export function newRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	const { id, projectId, flowId, version, environment, status, created, updated } = run;
	return {
		id,
		projectId,
		flowId,
		flowVersionId: version.id,
		environment,
		parentRunId: null,
		failParentOnFailure: run.failParentOnFailure,
		status,
		updated,
		...(traits.oldRuns ? {} : { created, tags: [], steps: {} }),
	};
}

/** A run of a bulk retry that could not be started. */
export function failedRetry(run: FlowRunRecord, traits: ReleaseTraits, errorCode: string): Answer {
	const stored = storedRun(run, traits);
	delete stored.flowVersion;
	return { ...stored, error: { errorCode, errorMessage: errorCode } };
}

function storedRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	const { version, failedStep } = run;
	return {
		id: run.id,
		created: run.created,
		updated: run.updated,
		projectId: run.projectId,
		flowId: run.flowId,
		flowVersionId: version.id,
		environment: run.environment,
		logsFileId: run.logsFileId,
		parentRunId: null,
		failParentOnFailure: run.failParentOnFailure,
		status: run.status,
		tags: run.tags,
		startTime: run.startTime,
		...(traits.oldRuns ? {} : { triggeredBy: null }),
		finishTime: run.finishTime,
		...(traits.runTimelines ? { timeline: timelineOf(run) } : {}),
		pauseMetadata: run.pauseMetadata,
		failedStep: failedStep && told(failedStep, traits),
		archivedAt: run.archivedAt,
		stepNameToTest: null,
		stepsCount: run.stepsCount,
		flowVersion: version,
	};
}

/** 0.73 has no messages, in any response. */
function told({ name, displayName, message }: FailedStep, traits: ReleaseTraits): Answer {
	return traits.oldRuns || message === undefined
		? { name, displayName }
		: { name, message, displayName };
}

/** One leg for each time that a worker had it; before the end nothing is recorded. */
function timelineOf({ created, startTime, finishTime }: FlowRunRecord): Answer | null {
	if (startTime === null || finishTime === null) return null;
	const leg = (name: string, from: string, to: string) => ({
		name,
		durationMs: Math.max(0, Date.parse(to) - Date.parse(from)),
	});
	return { legs: [[leg('QUEUE', created, startTime), leg('RUN', startTime, finishTime)]] };
}

/** 0.73's serializer turns a null text, object or list into "", {} or []. */
function oldRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	return {
		id: run.id,
		created: run.created,
		updated: run.updated,
		projectId: run.projectId,
		flowId: run.flowId,
		failParentOnFailure: run.failParentOnFailure,
		flowVersionId: run.version.id,
		status: run.status,
		environment: run.environment,
		parentRunId: '',
		tags: run.tags ?? [],
		flowVersion: { displayName: run.version.displayName },
		logsFileId: run.logsFileId,
		startTime: run.startTime ?? '',
		finishTime: run.finishTime ?? '',
		failedStep: run.failedStep ? told(run.failedStep, traits) : {},
		stepNameToTest: '',
		archivedAt: run.archivedAt,
		stepsCount: run.stepsCount,
	};
}
