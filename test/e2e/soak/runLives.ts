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
/** How long after the creation of its run a killed worker is replaced (recorded: 64, 68 and 145 s). */
const REPLACED_MS = { least: 64 * SECOND, most: 145 * SECOND };
/** From `finishTime` until the run appears in lists (recorded). */
const SHOWN_MS = { least: 16, most: 575 };

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

const random = (most: number) => Math.floor(Math.random() * most);
const between = ({ least, most }: { least: number; most: number }) => least + random(most - least);
const oneOf = <T>(values: T[]): T => values[random(values.length)];

/**
 * Lives of runs with the intervals of real servers (Enterprise 0.73 to 0.86, recorded). Each end is an
 * item of its event, including that of a retried run. A canceled run is not.
 */
export function createRunLives(service: Service, { later, whenSeen, record }: Surroundings) {
	const { live } = service;

	async function post(path: string, body: Record<string, unknown>) {
		const { status } = await call(service, path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return status < 300;
	}

	function end(life: FlowRunLife, outcome: Outcome) {
		life.finish(outcome === 'failed' ? oneOf(FAILURES) : 'SUCCEEDED');
		later(between(SHOWN_MS), () => {
			const { id } = life.show();
			record(EVENT_OF[outcome], id);
			if (outcome === 'failed' && random(3) === 0) {
				whenSeen(EVENT_OF.failed, id, () => retry(life));
			}
		});
	}

	/** Retries from the failed step: the run keeps its ID, its time of creation and its place in the list. */
	function retry(life: FlowRunLife) {
		const { id, projectId } = life.run;
		// While the service is down nobody can retry.
		void post(`/v1/flow-runs/${id}/retry`, { projectId, strategy: 'FROM_FAILED_STEP' }).then(
			(isQueued) => {
				if (isQueued) work(life, oneOf(['failed', 'succeeded']));
			},
			() => {},
		);
	}

	/** A worker takes the run and ends it some time later. */
	function work(life: FlowRunLife, outcome: Outcome, ms = random(SHORT_MS)) {
		later(random(SECOND), () => {
			life.start();
			later(ms, () => end(life, outcome));
		});
	}

	function pauseAndGoOn(life: FlowRunLife, outcome: Outcome) {
		life.start();
		later(random(SHORT_MS), () => {
			life.pause();
			later(random(PAUSE_MS), () => work(life, outcome));
		});
	}

	function pauseAndCancel(life: FlowRunLife) {
		const { id, projectId } = life.run;
		life.start().pause();
		later(random(PAUSE_MS), () => {
			void post('/v1/flow-runs/cancel', { projectId, flowRunIds: [id] }).catch(() => {});
		});
	}

	function loseWorker(life: FlowRunLife, outcome: Outcome) {
		life.start();
		later(random(SHORT_MS), () => {
			life.loseWorker();
			later(between(REPLACED_MS), () => work(life, outcome));
		});
	}

	return {
		/** Starts a run with this outcome, unless somebody cancels it. */
		begin(outcome: Outcome) {
			const life = live.flowRunLife(live.addFlowRun({ status: 'QUEUED' }).id);
			const kind = random(10);
			if (kind < 5) work(life, outcome);
			else if (kind < 6) work(life, outcome, random(LONG_MS));
			else if (kind < 8) pauseAndGoOn(life, outcome);
			else if (kind < 9) loseWorker(life, outcome);
			else pauseAndCancel(life);
		},
	};
}
