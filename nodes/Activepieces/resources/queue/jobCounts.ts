import type { IDataObject } from 'n8n-workflow';

/** `bullmq_job_count{queue="workerJobs", state="failed"} 3`; more labels may come with it. */
const LINE = /^bullmq_job_count\{(?:[^}]*,)?\s*state="([\w-]+)"[^}]*\}\s+(\d+)/gm;

/**
 * The number of jobs in each state, of all queues together, from the lines that the service gives to
 * Prometheus.
 *
 * @returns undefined when there are none
 */
export function parseJobCounts(text: unknown): IDataObject | undefined {
	if (typeof text !== 'string') return undefined;
	const counts = new Map<string, number>();
	for (const [, state, count] of text.matchAll(LINE)) {
		counts.set(state, (counts.get(state) ?? 0) + Number(count));
	}
	return counts.size === 0 ? undefined : Object.fromEntries(counts);
}
