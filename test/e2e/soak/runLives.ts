import type { Service } from '../../service';
import { call } from '../../service/client';
import type { FlowRunLife } from '../../service/flowRunLife';

type End = Parameters<FlowRunLife['finish']>[0];
type Outcome = 'failed' | 'succeeded';

const SECOND = 1000;
/** From the start of a run to its end. Real runs may take ten minutes. */
const SHORT_MS = 5 * SECOND;
const LONG_MS = 600 * SECOND;
/** A pause takes days on a real server, with the same steps. */
const PAUSE_MS = 300 * SECOND;

const FAILURES: End[] = ['FAILED', 'FAILED', 'FAILED', 'INTERNAL_ERROR', 'TIMEOUT'];
const EVENT_OF = { failed: 'flowRunFailed', succeeded: 'flowRunSucceeded' };

/** What the lives of runs need from the generator. */
interface Surroundings {
	/** Runs it later, at the time that the service then has; never once everything is stopped */
	later(ms: number, work: () => void): void;
	/** Runs it when every watcher has received what happened to the record */
	whenSeen(event: string, id: string, work: () => void): void;
	record(event: string, id: string): void;
}

export const random = (most: number) => Math.floor(Math.random() * most);
export const between = (least: number, most: number) => least + random(most - least);
export const oneOf = <T>(values: T[]): T => values[random(values.length)];

/**
 * Lives of runs with the intervals of real servers (Enterprise 0.73 to 0.86, recorded). Each end is an
 * item of its event, including that of a retried run. A canceled run is not.
 */
export function createRunLives(service: Service, { later, whenSeen, record }: Surroundings) {
	const { live } = service;

	/** Whether the request was accepted; while the service is down nobody can send one. */
	async function post(path: string, body: Record<string, unknown>): Promise<boolean> {
		const headers = { 'content-type': 'application/json' };
		const sent = call(service, path, { method: 'POST', headers, body: JSON.stringify(body) });
		return await sent.then(
			({ status }) => status < 300,
			() => false,
		);
	}

	function end(life: FlowRunLife, outcome: Outcome) {
		life.finish(outcome === 'failed' ? oneOf(FAILURES) : 'SUCCEEDED');
		// From `finishTime` until the run appears in lists (recorded).
		later(between(16, 575), () => {
			const { id } = life.show();
			record(EVENT_OF[outcome], id);
			if (outcome === 'failed' && random(3) === 0) {
				whenSeen(EVENT_OF.failed, id, () => void retry(life));
			}
		});
	}

	/** Retries from the failed step: the run keeps its ID, its time of creation and its place in the list. */
	async function retry(life: FlowRunLife) {
		const { id, projectId } = life.run;
		const body = { projectId, strategy: 'FROM_FAILED_STEP' };
		const isQueued = await post(`/v1/flow-runs/${id}/retry`, body);
		if (isQueued) work(life, oneOf(['failed', 'succeeded']));
	}

	/** A worker takes the run and ends it some time later. */
	function work(life: FlowRunLife, outcome: Outcome, ms = random(SHORT_MS)) {
		later(random(SECOND), () => {
			life.start();
			later(ms, () => end(life, outcome));
		});
	}

	const LIVES: Array<(life: FlowRunLife, outcome: Outcome) => void> = [
		work,
		work,
		work,
		function long(life, outcome) {
			work(life, outcome, random(LONG_MS));
		},
		function pauseAndGoOn(life, outcome) {
			life.start();
			later(random(SHORT_MS), () => {
				life.pause();
				later(random(PAUSE_MS), () => work(life, outcome));
			});
		},
		function loseWorker(life, outcome) {
			life.start();
			later(random(SHORT_MS), () => {
				life.loseWorker();
				// How long after the creation of its run a killed worker is replaced (recorded: 64, 68 and 145 s).
				later(between(64 * SECOND, 145 * SECOND), () => work(life, outcome));
			});
		},
		function pauseAndCancel(life) {
			const { id, projectId } = life.start().pause().run;
			later(random(PAUSE_MS), () => {
				void post('/v1/flow-runs/cancel', { projectId, flowRunIds: [id] });
			});
		},
	];

	return {
		/** Starts a run with this outcome, unless somebody cancels it. */
		begin(outcome: Outcome) {
			const life = live.flowRunLife(live.addFlowRun({ status: 'QUEUED' }).id);
			oneOf(LIVES)(life, outcome);
		},
	};
}
