import type { Context } from './context';
import { FlowRunLife } from './flowRunLife';
import { makeFlowRun, type FlowRunRecord } from './flowRunRecords';
import { makeId } from './ids';
import type { FlowRecord, FlowVersionRecord } from './records';

/** Runs flows that are called, with settings that a test may change. */
export class Webhooks {
	/** How long a call waits for the flow's response; the service's default is 30, the recordings used 6 */
	timeoutSeconds = 30;
	/** How many times faster than recorded workers are */
	speed = 100;
	/** How runs end, by the flow's ID; by default they succeed */
	readonly ends = new Map<string, 'fails' | 'isSlow'>();
	private readonly running = new Set<Promise<void>>();
	/** Inputs of flows that ran, in the order of arrival */
	readonly runs: Array<{ flowId: string; version: 'published' | 'draft'; body: unknown }> = [];

	/** Large outputs, by the ID of their file */
	readonly files = new Map<string, unknown>();

	/** Adds work of workers until it is done. */
	follow(run: Promise<void>): void {
		this.running.add(run);
		void run.then(() => this.running.delete(run));
	}

	/** Resolves when no worker has anything to do any more. */
	async settled(): Promise<void> {
		await Promise.all(this.running);
	}
}

/**
 * Milliseconds that workers took, medians of 20 calls (recorded in three releases, parts a to c): from the call
 * to the run, to its start, to its end, and until the end was visible.
 */
const RECORDED = { made: 320, started: 20, startedLate: 610, ran: 380, shown: 30 };

interface CalledRun {
	flow: FlowRecord;
	version: FlowVersionRecord;
	isSync: boolean;
	/** Test runs, of drafts, are in no list */
	isTest: boolean;
	end: 'succeeds' | 'fails' | 'isSlow';
	/** Its log, if it succeeds */
	steps: Record<string, unknown>;
}

/** How workers process calls: each run is QUEUED, RUNNING, and ends. */
export function createCalledRuns(context: Context) {
	const { flowChanges, own, now, time, traits, waits, webhooks } = context;
	let made = 0;
	const wait = async (ms: number) => await waits.after(ms / webhooks.speed);

	function make({ flow, version, isTest }: CalledRun): FlowRunRecord {
		const id = makeId(`${own.platformId}/called`, ++made);
		const seed = { id, flow, version, created: now(), status: 'QUEUED' as const, tags: [] };
		const run = makeFlowRun({ ...seed, failParentOnFailure: false }, traits);
		if (!isTest) own.flowRuns = [run, ...own.flowRuns];
		return run;
	}

	async function work(called: CalledRun, reachEnd: () => void): Promise<void> {
		// The run of a sync call exists at once, others when a worker takes them.
		let run = called.isSync ? make(called) : undefined;
		if (flowChanges.worker.state === 'stopped' || !(await wait(RECORDED.made))) return;
		run ??= make(called);
		if (!(await wait(traits.newRuns ? RECORDED.startedLate : RECORDED.started))) return;
		const life = new FlowRunLife(run, traits, time).start();
		// Up to 0.79 a run that goes on has no steps yet (recorded).
		if (traits.newRuns) run.steps = { trigger: called.steps.trigger };
		if (called.end === 'isSlow' || !(await wait(RECORDED.ran))) return;
		reachEnd();
		life.finish(called.end === 'fails' ? 'FAILED' : 'SUCCEEDED', called.steps);
		await wait(RECORDED.shown);
		life.show();
	}

	/** Starts a run; resolves when its last step is complete, or when no worker goes on with it. */
	return async (called: CalledRun): Promise<void> =>
		await new Promise((resolve) => {
			webhooks.follow(work(called, resolve).finally(resolve));
		});
}
