import type { Clock } from './clock';
import { loggedSteps, type FlowRunRecord, type FlowRunStatus } from './flowRunRecords';
import { makeId, timestamp } from './ids';
import type { ReleaseTraits } from './releases';

/** Recorded ones were cut off at 591 to 650 characters. */
const CUT = 623;

const STACK = '\n    at emit (node:internal/child_process:989:14)'.repeat(14);

/**
 * The error of a throwing code step, as a worker of the release writes it (har/enterprise-*, part d).
 * The log has the whole text in every release.
 */
function codeFailure({ newRuns }: ReleaseTraits, trigger: unknown) {
	const name = 'step_1';
	const thrown = 'Error: Boom: the order has no customer';
	const errorMessage = newRuns
		? JSON.stringify({ __apErrorVersion: 1, message: thrown, raw: `Error: ${thrown}${STACK}` })
		: `${thrown}${STACK}`;
	const isCut = newRuns && errorMessage.length > CUT;
	const message = isCut ? `${errorMessage.slice(0, CUT - 1)}…` : errorMessage;
	return {
		failedStep: { name, displayName: 'Check the order', message },
		steps: {
			trigger,
			[name]: { type: 'CODE', status: 'FAILED', input: {}, duration: 1.9, errorMessage },
		},
	};
}

/**
 * How workers process one run, step by step: a test says when, and the clock of the service dates it.
 * All of it is recorded (har/enterprise-*, part d) unless noted. `created` and the place
 * in the list never change.
 */
export class FlowRunLife {
	/** An end that no response shows yet */
	private end?: () => void;

	constructor(
		readonly run: FlowRunRecord,
		private readonly traits: ReleaseTraits,
		private readonly clock: Clock,
	) {}

	/** A worker takes it: for the first time, after a retry, after a pause, or after another worker was killed. */
	start(): this {
		const { run, traits } = this;
		const at = this.clock.tick();
		run.status = 'RUNNING';
		run.updated = at;
		run.began = at;
		run.tags ??= [];
		// From 0.85 on responses have no start before the run ends or pauses.
		if (!traits.newRuns) run.startTime ??= at;
		return this;
	}

	pause(): this {
		const { run, traits } = this;
		run.status = 'PAUSED';
		run.updated = this.clock.tick();
		run.startTime ??= run.began ?? run.created;
		run.logsFileId ??= makeId(`${run.id}/log`);
		run.stepsCount = 1;
		const resumeDateTime = new Date(Date.parse(run.updated) + 3_600_000).toUTCString();
		run.pauseMetadata = traits.newRuns ? null : { type: 'DELAY', resumeDateTime };
		return this;
	}

	/** The worker is done now; responses and lists show it only after `show()` (16 to 575 ms). */
	finish(status: FlowRunStatus, steps = loggedSteps(this.run.version, null, this.traits)): this {
		const { run, traits } = this;
		const finishTime = this.clock.tick();
		this.end = () => {
			run.status = status;
			run.startTime ??= run.began ?? run.created;
			run.finishTime = finishTime;
			run.updated = timestamp(finishTime, 13);
			run.logsFileId ??= status === 'FAILED' || status === 'SUCCEEDED' ? makeId(run.id) : null;
			// Other ends add none, and keep that of the attempt before: of INTERNAL_ERROR recorded at 0.79, of
			// SUCCEEDED flows/flow-run/flow-runs-queue.ts at 0.79 to 0.86, which stores only what a worker sends.
			if (status === 'FAILED') Object.assign(run, codeFailure(traits, steps.trigger));
			if (status === 'SUCCEEDED') Object.assign(run, { steps });
		};
		return this;
	}

	/** Makes the end visible. */
	show(): FlowRunRecord {
		this.end?.();
		this.end = undefined;
		return this.run;
	}
}

/** Queues a run again from its failed step: its old values stay visible until it ends again. */
export function queueAgain(run: FlowRunRecord, traits: ReleaseTraits, at: string): void {
	run.status = 'QUEUED';
	run.updated = at;
	// Up to 0.79 the times of the attempt before stay.
	if (!traits.newRuns) return;
	run.startTime = at;
	run.finishTime = null;
}

/** Whether a run can be canceled: others stay unchanged, and no response says so. */
export const isWaiting = ({ status }: FlowRunRecord): boolean =>
	status === 'PAUSED' || status === 'QUEUED';

/** A waiting run is canceled: it never gets a finish time. */
export function cancel(run: FlowRunRecord, at: string): void {
	run.status = 'CANCELED';
	run.updated = at;
}
