import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/response';

const sum = (queues: IDataObject[], counter: string): number =>
	queues.reduce((total, queue) => total + (Number(queue[counter]) || 0), 0);

/**
 * Gives `stats` whichever release answered. Releases from 0.80 on report only waiting and active
 * jobs, per queue; counters that the service does not report are absent rather than 0.
 *
 * @returns undefined when the record holds no metrics
 */
export function normalizeMetrics(record: IDataObject): IDataObject | undefined {
	if (isRecord(record.stats)) return record;
	const queues: unknown = record.queues;
	if (!Array.isArray(queues) || !queues.every(isRecord)) return undefined;
	return { stats: { waiting: sum(queues, 'waiting'), active: sum(queues, 'active') }, queues };
}
