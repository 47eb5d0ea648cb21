import type { FailedStep, FlowRunRecord } from './flowRunRecords';
import type { ReleaseTraits } from './releases';

type Answer = Record<string, unknown>;

/** The order of the fields in responses. */
const FIELDS = {
	stored: [
		'id created updated projectId flowId flowVersionId environment logsFileId parentRunId',
		'failParentOnFailure status tags startTime triggeredBy finishTime timeline pauseMetadata',
		'failedStep archivedAt stepNameToTest stepsCount flowVersion',
	],
	old: [
		'id created updated projectId flowId failParentOnFailure flowVersionId status environment',
		'parentRunId tags flowVersion logsFileId startTime finishTime failedStep stepNameToTest',
		'archivedAt stepsCount',
	],
	new: [
		'id projectId flowId flowVersionId environment parentRunId failParentOnFailure status updated',
		'created tags steps',
	],
};

function answer(run: FlowRunRecord, order: keyof typeof FIELDS, others: Answer): Answer {
	const all: Answer = { ...run, flowVersionId: run.version.id, ...others };
	const names = FIELDS[order]
		.join(' ')
		.split(' ')
		.filter((name) => all[name] !== undefined);
	return Object.fromEntries(names.map((name) => [name, all[name]]));
}

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

/** A run that a retry has created, which is not complete yet. */
export function newRun(run: FlowRunRecord, { oldRuns }: ReleaseTraits): Answer {
	const others = oldRuns
		? { created: undefined, tags: undefined, steps: undefined }
		: { tags: [], steps: {} };
	return answer(run, 'new', { parentRunId: null, ...others });
}

/** A run of a bulk retry that could not be started. */
export function failedRetry(run: FlowRunRecord, traits: ReleaseTraits, errorCode: string): Answer {
	const stored = storedRun(run, traits);
	delete stored.flowVersion;
	return { ...stored, error: { errorCode, errorMessage: errorCode } };
}

/** A run as stored, such as one that a retry has queued again. */
export function storedRun(run: FlowRunRecord, traits: ReleaseTraits): Answer {
	return answer(run, 'stored', {
		parentRunId: null,
		triggeredBy: traits.oldRuns ? undefined : null,
		timeline: traits.runTimelines ? timelineOf(run) : undefined,
		failedStep: run.failedStep && told(run.failedStep, traits),
		stepNameToTest: null,
		flowVersion: run.version,
	});
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
	return answer(run, 'old', {
		parentRunId: '',
		tags: run.tags ?? [],
		flowVersion: { displayName: run.version.displayName },
		startTime: run.startTime ?? '',
		finishTime: run.finishTime ?? '',
		failedStep: run.failedStep ? told(run.failedStep, traits) : {},
		stepNameToTest: '',
	});
}
