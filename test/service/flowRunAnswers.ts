import type { FlowRunRecord } from './flowRunRecords';
import type { ReleaseTraits } from './releases';

type Answer = Record<string, unknown>;

export function listedRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	// The query joins the version, so its columns are repeated.
	const flat = Object.entries(run.version).map(([key, value]) => [`flowVersion_${key}`, value]);
	const { displayName } = run.version;
	return { ...storedRun(run, traits), ...Object.fromEntries(flat), displayName };
}

export function wholeRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	return { ...storedRun(run, traits), steps: run.steps };
}

/** A run that a retry has created, which is not complete yet. */
export function newRun(run: FlowRunRecord): Answer {
	const { id, projectId, flowId, version, environment, failParentOnFailure, status } = run;
	return {
		...{ id, projectId, flowId, flowVersionId: version.id, environment, parentRunId: null },
		...{ failParentOnFailure, status, created: run.created, updated: run.updated },
		...{ tags: [], steps: {} },
	};
}

/** A run as stored, such as one that a retry has queued again. */
export function storedRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	return {
		...run,
		...{ version: undefined, began: undefined, steps: undefined },
		flowVersionId: run.version.id,
		parentRunId: null,
		triggeredBy: null,
		timeline: traits.runTimelines ? timelineOf(run) : undefined,
		stepNameToTest: null,
		flowVersion: run.version,
	};
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
