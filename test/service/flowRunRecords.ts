import type { SIZES } from './data';
import { publishedVersion } from './flowChanges';
import { madeAt, makeId, many, timestamp } from './ids';
import type { FlowRecord, FlowVersionRecord, ServiceData } from './records';
import type { ReleaseTraits } from './releases';

/** Every status of a run */
export const FLOW_RUN_STATUSES = [
	'FAILED',
	'QUOTA_EXCEEDED',
	'INTERNAL_ERROR',
	'PAUSED',
	'QUEUED',
	'RUNNING',
	'SUCCEEDED',
	'MEMORY_LIMIT_EXCEEDED',
	'TIMEOUT',
	'CANCELED',
	'LOG_SIZE_EXCEEDED',
] as const;

export type FlowRunStatus = (typeof FLOW_RUN_STATUSES)[number];

/** The step at which a run failed */
interface FailedStep {
	name: string;
	displayName: string;
	/** Missing if the recording was made without a worker */
	message?: string;
}

/** A run as stored; flowRunAnswers.ts has the responses of each release. */
export type FlowRunRecord = ReturnType<typeof makeFlowRun>;

/** The parameters of a new run; everything has a default. */
export interface FlowRunSeed {
	id: string;
	flow: FlowRecord;
	/** default the flow's newest version */
	version?: FlowVersionRecord;
	created: string;
	status?: FlowRunStatus;
	environment?: 'PRODUCTION' | 'TESTING';
	tags?: string[] | null;
	/** milliseconds from start to finish; default 2345 */
	duration?: number;
	/** default a step of its own for FAILED, null for every other status */
	failedStep?: FailedStep | null;
	archivedAt?: string | null;
	/** default false: without it the run's steps are empty */
	log?: boolean;
	/** false for runs of workers (har/enterprise-*, a/4); default true as in the recorded database */
	failParentOnFailure?: boolean;
}

const FAILED_STEP: FailedStep = {
	name: 'step_1',
	displayName: 'Send HTTP request',
	message: 'Request failed with status code 500',
};

/** A run with times, steps and failure that match its status. */
export function makeFlowRun(seed: FlowRunSeed, traits: ReleaseTraits) {
	const { id, flow, created, status = 'SUCCEEDED', duration = 2345, log = false } = seed;
	const { failedStep = status === 'FAILED' ? FAILED_STEP : null, version = flow.version } = seed;
	const isLate = traits.newRuns;
	const isStarted = status !== 'QUEUED' && !(status === 'RUNNING' && isLate);
	const resumeDateTime = timestamp(created, 3_600_000);
	// A canceled run has no finish, whether it was queued or paused (recorded).
	const isEnded = !['QUEUED', 'RUNNING', 'PAUSED', 'CANCELED'].includes(status);
	return {
		...madeAt(id, created),
		projectId: flow.projectId,
		flowId: flow.id,
		/** The version that it ran or will run */
		version,
		environment: seed.environment ?? 'PRODUCTION',
		status,
		tags: seed.tags ?? null,
		startTime: isStarted ? created : null,
		/** When a worker took it, which 0.85 and later return late */
		began: created,
		finishTime: isEnded ? timestamp(created, duration) : null,
		failedStep,
		archivedAt: seed.archivedAt ?? null,
		stepsCount: status === 'QUEUED' ? 0 : 2,
		logsFileId: log ? makeId(`${id}/log`) : null,
		pauseMetadata: (status === 'PAUSED' && !isLate
			? { type: 'DELAY', handlerId: null, resumeDateTime }
			: null) as Record<string, unknown> | null,
		failParentOnFailure: seed.failParentOnFailure ?? true,
		/** Outputs in the log file, by step name; empty without a log */
		steps: log ? loggedSteps(version, failedStep, traits) : {},
	};
}

interface Step {
	name?: string;
	type?: string;
	settings?: {
		pieceName?: string;
		input?: Record<string, unknown>;
		branches?: Array<{ branchName: string }>;
	};
	children?: Array<Step | null>;
	nextAction?: Step;
}

/** A step and those that run after it; a router takes its first branch. */
function* stepsThatRun(first: Step | undefined) {
	const waiting: Array<Step | null | undefined> = [first];
	while (waiting.length > 0) {
		const step = waiting.pop();
		if (!step) continue;
		yield step;
		waiting.push(step.nextAction, step.children?.[0]);
	}
}

/**
 * The output of a step. Of an AI router: packages/server/engine/src/lib/handler/ai-router-executor.ts, later
 * than 0.91.
 */
function outputOf({ settings = {}, type }: Step, { redactedOutputs }: ReleaseTraits) {
	if (type === 'AI_ROUTER') {
		const branches = (settings.branches ?? []).map(({ branchName }, i) => {
			return { branchName, branchIndex: i + 1, evaluation: i === 0 };
		});
		return { output: { branches, choice: branches[0].branchName } };
	}
	const isMarked = redactedOutputs && settings.pieceName === '@activepieces/piece-openai';
	if (!isMarked) return { output: { ok: true } };
	return { output: { ok: true, token: '**REDACTED**' }, sensitiveOutputPaths: ['token'] };
}

/**
 * The log of a run: the steps of its version, up to the one that failed.
 *
 * @param logged what the trigger logged, in place of an output
 */
export function loggedSteps(
	{ trigger }: Pick<FlowVersionRecord, 'trigger'>,
	failedStep: FailedStep | null,
	traits: ReleaseTraits,
	logged?: Record<string, unknown>,
): Record<string, unknown> {
	const first: Step = trigger;
	const output = { body: { order: 4711 } };
	const steps: Record<string, unknown> = {
		trigger: { type: first.type, status: 'SUCCEEDED', input: {}, output, ...logged },
	};
	const input = { url: 'https://example.test/hook' };
	for (const step of stepsThatRun(first.nextAction)) {
		if (step.name === failedStep?.name) break;
		const { type, settings = {} } = step;
		const { auth, ...values } = settings.input ?? {};
		// Connections are redacted (recorded).
		const logged = auth === undefined ? values : { ...values, auth: '**REDACTED**' };
		const done = { status: 'SUCCEEDED', ...outputOf(step, traits), duration: 12.5 };
		steps[String(step.name)] = { type, input: logged, ...done };
	}
	if (failedStep === null) return steps;
	const errorMessage = failedStep.message;
	const failed = { type: 'PIECE', status: 'FAILED', input, duration: 12.5, errorMessage };
	return { ...steps, [failedStep.name]: failed };
}

/** Twenty consecutive runs have these statuses: most succeed, and every kind of failure occurs. */
const STATUSES = [
	'SUCCEEDED FAILED SUCCEEDED SUCCEEDED FAILED RUNNING SUCCEEDED TIMEOUT SUCCEEDED INTERNAL_ERROR',
	'SUCCEEDED FAILED PAUSED QUOTA_EXCEEDED SUCCEEDED QUEUED SUCCEEDED MEMORY_LIMIT_EXCEEDED',
	'CANCELED SUCCEEDED',
].flatMap((statuses) => statuses.split(' ') as FlowRunStatus[]);

const FAILED_STEPS: FailedStep[] = [
	FAILED_STEP,
	{ name: 'step_2', displayName: 'Ask ChatGPT', message: 'Rate limit reached for gpt-4o' },
	{ name: 'step_3', displayName: 'Send Message To A Channel', message: 'channel_not_found' },
];

/** The newest generated run; each one before it is older by SPACING. */
const NEWEST = '2026-12-01T07:59:00.123Z';
const SPACING = 37_021;

/** Runs of the published flows in turn, the newest first; none without a published flow. */
export function makeFlowRuns(
	data: ServiceData,
	sizes: typeof SIZES,
	traits: ReleaseTraits,
): FlowRunRecord[] {
	const flows = data.flows.filter((flow) => flow.publishedVersionId !== null);
	if (flows.length === 0) return [];
	return many(sizes.flowRuns, (i) => {
		const flow = flows[i % flows.length];
		const status = STATUSES[i % STATUSES.length];
		const failed = status === 'FAILED';
		return makeFlowRun(
			{
				id: makeId('run', i),
				flow,
				version: publishedVersion(data, flow) ?? flow.version,
				created: timestamp(NEWEST, -i * SPACING),
				status,
				tags: i % 6 === 0 ? ['nightly', 'eu'] : null,
				duration: 200 + ((i * 7919) % 60_000),
				failedStep: failed ? FAILED_STEPS[Math.floor(i / 3) % FAILED_STEPS.length] : null,
				log: failed || status === 'SUCCEEDED',
			},
			traits,
		);
	});
}
