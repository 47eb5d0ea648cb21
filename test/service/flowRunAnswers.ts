import type { FailedStep, FlowRunRecord } from './flowRunRecords';
import type { ReleaseTraits } from './releases';

type Answer = Record<string, unknown>;

export function listedRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	if (traits.old) return oldRun(run, traits);
	// The query joins the version, so its columns are repeated.
	const flat = Object.entries(run.version).map(([key, value]) => [`flowVersion_${key}`, value]);
	const { displayName } = run.version;
	return { ...storedRun(run, traits), ...Object.fromEntries(flat), displayName };
}

export function wholeRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	return { ...(traits.old ? oldRun(run, traits) : storedRun(run, traits)), steps: run.steps };
}

/** A run that a retry has created, which is not complete yet. */
export function newRun(run: FlowRunRecord, { old }: ReleaseTraits): Answer {
	const { id, projectId, flowId, version, environment, failParentOnFailure, status } = run;
	return {
		...{ id, projectId, flowId, flowVersionId: version.id, environment, parentRunId: null },
		...{ failParentOnFailure, status, updated: run.updated },
		...(old ? {} : { created: run.created, tags: [], steps: {} }),
	};
}

/** A run as stored, such as one that a retry has queued again. */
export function storedRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	return {
		...run,
		...{ version: undefined, began: undefined, steps: undefined },
		flowVersionId: run.version.id,
		parentRunId: null,
		triggeredBy: traits.old ? undefined : null,
		timeline: traits.runTimelines ? timelineOf(run) : undefined,
		failedStep: run.failedStep && told(run.failedStep, traits),
		stepNameToTest: null,
		flowVersion: run.version,
	};
}

/** 0.73 has no messages, in any response. */
function told({ name, displayName, message }: FailedStep, traits: ReleaseTraits): Answer {
	return { name, displayName, message: traits.old ? undefined : message };
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
		...storedRun(run, traits),
		pauseMetadata: undefined,
		parentRunId: '',
		tags: run.tags ?? [],
		flowVersion: { displayName: run.version.displayName },
		startTime: run.startTime ?? '',
		finishTime: run.finishTime ?? '',
		failedStep: run.failedStep ? told(run.failedStep, traits) : {},
		stepNameToTest: '',
	};
}
