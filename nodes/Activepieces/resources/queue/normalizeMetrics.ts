import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';
import { textOf } from '../../transport/values/textOf';

const sum = (queues: IDataObject[], counter: string): number =>
	queues.reduce((total, queue) => total + (Number(textOf(queue[counter])) || 0), 0);

/** The queues that servers report from 0.80 on, each with its waiting and active jobs only. */
export function queuesOf(record: IDataObject): IDataObject[] | undefined {
	const queues: unknown = record.queues;
	return Array.isArray(queues) && queues.every(isRecord) ? queues : undefined;
}

/**
 * Returns `stats` in the same form for all releases. Counters that the service does not report are
 * missing instead of 0.
 *
 * @param counts of the jobs in each state, if the server reports them beside its queues
 * @returns undefined when the record contains no metrics
 */
export function normalizeMetrics(
	record: IDataObject,
	counts?: IDataObject,
): IDataObject | undefined {
	if (isRecord(record.stats)) return record;
	const queues = queuesOf(record);
	if (queues === undefined) return undefined;
	const stats = counts ?? { waiting: sum(queues, 'waiting'), active: sum(queues, 'active') };
	return { stats, queues };
}
