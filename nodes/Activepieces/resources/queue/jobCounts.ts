import type { IDataObject } from 'n8n-workflow';

/** A line is `bullmq_job_count{queue="workerJobs", state="failed"} 3`, possibly with more labels. */
const METRIC = 'bullmq_job_count{';

/** A line of the service has about 70 characters. */
const MAX_LINE = 1000;

/** Matches the next label and the comma after it. A value may contain any character, escaped. */
const LABEL = /\s*(\w+)="((?:[^"\\]|\\.)*)"\s*,?/y;
const END = /\s*\}\s+(\d+)/y;

/**
 * Parses the state and the number from a line that begins with the metric. It reads one label after the
 * other: a pattern for the whole line would try a long line again from each label.
 */
function parseLine(line: string): { state: string; count: number } | undefined {
	let position = METRIC.length;
	let state = '';
	for (;;) {
		LABEL.lastIndex = position;
		const label = LABEL.exec(line);
		if (label === null) break;
		if (label[1] === 'state') state = label[2];
		position = LABEL.lastIndex;
	}
	END.lastIndex = position;
	const end = END.exec(line);
	return end === null || !/^[\w-]+$/.test(state) ? undefined : { state, count: Number(end[1]) };
}

/**
 * The number of jobs in each state, of all queues together, from the metrics that the service exports
 * for Prometheus.
 *
 * @returns undefined when there are none
 */
export function parseJobCounts(text: unknown): IDataObject | undefined {
	if (typeof text !== 'string') return undefined;
	const counts = new Map<string, number>();
	// Searches from match to match, because a text can have more lines than an array can hold.
	for (let at = text.indexOf(METRIC); at >= 0; at = text.indexOf(METRIC, at + METRIC.length)) {
		if (at > 0 && text[at - 1] !== '\n') continue;
		const [line] = text.slice(at, at + MAX_LINE).split('\n', 1);
		const parsed = parseLine(line);
		if (parsed === undefined) continue;
		counts.set(parsed.state, (counts.get(parsed.state) ?? 0) + parsed.count);
	}
	return counts.size === 0 ? undefined : Object.fromEntries(counts);
}
