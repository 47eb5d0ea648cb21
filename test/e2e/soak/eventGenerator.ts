/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import type { Service } from '../../service';
import { alsoOccurs, RECORD_EVENTS } from '../support/triggerEvents';

/** More jobs than these are a backlog. */
export const BACKLOG_THRESHOLD = 1000;

/**
 * The minimum time for which the queue is empty: longer than an outage and a restart, because a change
 * that is reverted between two polls is not noticed.
 */
const QUIET_MS = 180_000;

export const EVENTS = [...Object.keys(RECORD_EVENTS), 'queueBacklog'];

/**
 * Lets all events occur at random times, in parallel.
 *
 * @param given the items that each n8n has received of an event so far; a backlog only ends when all
 * have seen it
 */
export function createEventGenerator(service: Service, given: (event: string) => string[][]) {
	const { data, live, time } = service;
	/** How far the clock of the service is ahead of the machine's */
	const ahead = time.now - Date.now();
	const made = new Map<string, string[]>(EVENTS.map((event) => [event, []]));
	let emptySince = 0;
	let isStopped = false;

	const record = (event: string, id: string) => made.get(event)?.push(id);

	/** Fills the queue, or empties it. */
	function changeQueue(): void {
		const { waiting } = data.queue;
		if (waiting === 0) {
			if (Date.now() - emptySince < QUIET_MS) return;
			// A unique number, to recognize it.
			const jobs = BACKLOG_THRESHOLD + 1 + (made.get('queueBacklog')?.length ?? 0);
			live.setQueue({ waiting: jobs });
			record('queueBacklog', String(jobs));
		} else if (given('queueBacklog').every((jobs) => jobs.includes(String(waiting)))) {
			live.setQueue({ waiting: 0 });
			emptySince = Date.now();
		}
	}

	function occur(event: string): void {
		if (isStopped) return;
		// The clock of the service stands still between changes.
		time.advance(Math.max(0, ahead + Date.now() - time.now));
		if (event === 'queueBacklog') changeQueue();
		else {
			const id = RECORD_EVENTS[event](service);
			for (const each of [event, ...alsoOccurs(event)]) record(each, id);
		}
		next(event);
	}

	function next(event: string): void {
		setTimeout(() => occur(event), 2000 + Math.random() * 18_000);
	}

	return {
		made: (event: string): string[] => made.get(event) ?? [],
		start() {
			time.step = 1;
			live.setQueue({ waiting: 0, prioritized: 0 });
			EVENTS.forEach(next);
		},
		stop: () => (isStopped = true),
	};
}
