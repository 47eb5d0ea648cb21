import type { Context } from './context';
import { FlowRunLife } from './flowRunLife';
import type { FlowRunRecord } from './flowRunRecords';
import { makeId } from './ids';
import { makeFlowRun } from './makeFlowRun';
import type { FlowRecord, FlowVersionRecord } from './records';

/**
 * Milliseconds that workers took, medians of 20 calls (recorded in next-0.73, next-0.79 and next-0.85,
 * parts a to c): from the call to the run, to its start, to its end, and until the end was visible.
 */
const RECORDED = { made: 320, started: 20, startedLate: 610, ran: 380, shown: 30 };

/** How many times faster time passes here */
const SPEED = 100;

export interface CalledRun {
	flow: FlowRecord;
	version: FlowVersionRecord;
	isSync: boolean;
	/** Test runs, of drafts, are in no list */
	isTest: boolean;
	end: 'succeeds' | 'fails' | 'isSlow';
}

/** How workers process calls: each run is QUEUED, RUNNING, and ends. */
export function createCalledRuns({
	own,
	now,
	time,
	traits,
	waits,
	webhooks,
}: Pick<Context, 'own' | 'now' | 'time' | 'traits' | 'waits' | 'webhooks'>) {
	let made = 0;
	const wait = async (ms: number) => await waits.after(ms / SPEED);

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
		if (!webhooks.hasWorker || !(await wait(RECORDED.made))) return;
		run ??= make(called);
		if (!(await wait(traits.lateStartTimes ? RECORDED.startedLate : RECORDED.started))) return;
		const life = new FlowRunLife(run, traits, time).start();
		if (called.end === 'isSlow' || !(await wait(RECORDED.ran))) return;
		reachEnd();
		life.finish(called.end === 'fails' ? 'FAILED' : 'SUCCEEDED');
		await wait(RECORDED.shown);
		life.show();
	}

	/**
	 * Starts a run.
	 *
	 * @returns resolves when its last step is complete, or when no worker will process it further
	 */
	return async (called: CalledRun): Promise<void> =>
		await new Promise((resolve) => {
			webhooks.follow(work(called, resolve).finally(resolve));
		});
}
