/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import type { Service } from '../../service';
import { call } from '../../service/client';
import type { FlowRunLife } from '../../service/flowRunLife';
import { HAPPENINGS } from '../../service/happenings';

/** More jobs than these are a backlog. */
export const BACKLOG_THRESHOLD = 1000;

/** How long a connection is broken, or the queue is full: several polls. */
const LEVEL_MS = 20_000;
/**
 * The minimum time for which a connection works again, or the queue is empty: longer than an outage and
 * a restart, because a change that is reverted between two polls is not noticed.
 */
const QUIET_MS = 180_000;

const FAILURES = ['FAILED', 'INTERNAL_ERROR', 'TIMEOUT'] as const;

export const EVENTS = [...Object.keys(HAPPENINGS), 'queueBacklog'];

const random = (most: number) => Math.floor(Math.random() * most);
const between = (least: number, most: number) => least + random(most - least);
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)];
const countOf = (values: string[], value: string) => values.filter((each) => each === value).length;

/**
 * Lets all events occur at random times, in parallel.
 *
 * @param given the items that each n8n has received of an event so far; what is visible at poll times
 * only changes again when all have seen it
 */
export function createEventGenerator(service: Service, given: (event: string) => string[][]) {
	const { data, live, time } = service;
	/** How far the clock of the service is ahead of the machine's */
	const ahead = time.now - Date.now();
	const made = new Map<string, string[]>(EVENTS.map((event) => [event, []]));
	/** Connections that have not worked long enough to break again */
	const resting = new Set<string>();
	let isQueueResting = false;
	let isStopped = false;
	/** What was due since `hold` */
	let held: Array<() => void> | undefined;

	/** Times at which something happened to a record, by its ID */
	const times = new Map<string, string[]>();

	function record(event: string, id: string): void {
		made.get(event)?.push(id);
		times.set(id, [...(times.get(id) ?? []), new Date().toISOString()]);
	}

	/** Whether everything that happened to a record was returned. */
	const isSeen = (event: string, id: string) => {
		const count = countOf(made.get(event) ?? [], id);
		return given(event).every((ids) => countOf(ids, id) >= count);
	};

	function later(ms: number, work: () => void): void {
		const act = () => {
			if (isStopped) return;
			// The clock of the service stands still between changes.
			time.advance(Math.max(0, ahead + Date.now() - time.now));
			work();
		};
		setTimeout(() => {
			if (held === undefined) act();
			else held.push(act);
		}, ms);
	}

	/** Repeats the check until every watcher has received it. */
	function whenSeen(event: string, id: string, work: () => void): void {
		later(LEVEL_MS, () => {
			if (isSeen(event, id)) work();
			else whenSeen(event, id, work);
		});
	}

	/** A worker takes a run and ends it, sometimes minutes later. Each end is an item of its event. */
	function work(life: FlowRunLife, event: string): void {
		later(random(1000), () => {
			life.start();
			later(random(5) === 0 ? random(600_000) : random(5000), () => {
				life.finish(event === 'flowRunSucceeded' ? 'SUCCEEDED' : oneOf(FAILURES));
				// From `finishTime` until the run appears in lists (recorded).
				later(between(16, 575), () => {
					const { id } = life.show();
					record(event, id);
					if (event === 'flowRunFailed' && random(3) === 0) {
						whenSeen(event, id, () => void retry(life));
					}
				});
			});
		});
	}

	/** Retries from the failed step: the run keeps its ID, its time of creation and its place in the list. */
	async function retry(life: FlowRunLife): Promise<void> {
		const { id, projectId } = life.run;
		const retried = call(service, `/v1/flow-runs/${id}/retry`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ projectId, strategy: 'FROM_FAILED_STEP' }),
		});
		// While the service is down nobody can retry.
		const isQueued = await retried.then(
			({ status }) => status < 300,
			() => false,
		);
		if (isQueued) work(life, oneOf(['flowRunFailed', 'flowRunSucceeded']));
	}

	const startRun = (event: string) =>
		work(live.flowRunLife(live.addFlowRun({ status: 'QUEUED' }).id), event);

	function switchFlow(): void {
		const isAtRest = (id: string) => isSeen('flowStatusChanged', id) && isSeen('flowPublished', id);
		const { id, status } = oneOf(
			data.flows.filter((each) => each.publishedVersionId !== null && isAtRest(each.id)),
		);
		live.setFlowStatus(id, status === 'ENABLED' ? 'DISABLED' : 'ENABLED');
		record('flowStatusChanged', id);
	}

	function breakConnection(): void {
		const event = 'connectionNeedsAttention';
		const connections = random(2) === 0 ? data.connections : data.projectConnections;
		const working = connections.filter(({ id, status }) => status === 'ACTIVE' && !resting.has(id));
		if (working.length === 0) return;
		const { id } = live.setConnectionStatus(oneOf(working).id, 'ERROR');
		record(event, id);
		resting.add(id);
		whenSeen(event, id, () => {
			live.setConnectionStatus(id, 'ACTIVE');
			later(QUIET_MS, () => resting.delete(id));
		});
	}

	function backUp(): void {
		if (isQueueResting) return;
		isQueueResting = true;
		// A unique number, to recognize it.
		const jobs = BACKLOG_THRESHOLD + 1 + (made.get('queueBacklog')?.length ?? 0);
		live.setQueue({ waiting: jobs });
		record('queueBacklog', String(jobs));
		whenSeen('queueBacklog', String(jobs), () => {
			live.setQueue({ waiting: 0 });
			later(QUIET_MS, () => (isQueueResting = false));
		});
	}

	const happen: Record<string, (event: string) => void> = {
		flowRunFailed: startRun,
		flowRunSucceeded: startRun,
		flowStatusChanged: switchFlow,
		connectionNeedsAttention: breakConnection,
		queueBacklog: backUp,
	};

	function occur(event: string): void {
		if (event in happen) happen[event](event);
		else {
			const { happen, also = [] } = HAPPENINGS[event];
			const id = happen(service);
			for (const each of [event, ...also]) record(each, id);
		}
		next(event);
	}

	const next = (event: string) => later(between(2000, 20_000), () => occur(event));

	return {
		made: (event: string): string[] => made.get(event) ?? [],
		/** A record, and the times at which something happened to it */
		describe: (id: string): string => `${id} (${times.get(id)?.join(', ')})`,
		start() {
			time.step = 1;
			live.setQueue({ waiting: 0, prioritized: 0 });
			EVENTS.forEach(next);
		},
		/** Lets nothing happen until `release`, which makes up for it. */
		hold: () => (held = []),
		release() {
			const due = held ?? [];
			held = undefined;
			for (const act of due) act();
		},
		stop: () => (isStopped = true),
	};
}
