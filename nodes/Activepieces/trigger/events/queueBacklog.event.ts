import { fetchMetrics } from '../../resources/queue';
import { ActivepiecesError, validationError } from '../../transport/errors/error';
import { isRecord } from '../../transport/values';
import type { TriggerEvent } from '../event';

/** The number below which the alarm ends; null for "no longer above the threshold". */
function checkedClearAt(level: number | undefined, threshold: number): number | null {
	if (level === undefined) return null;
	if (level > threshold + 1) {
		throw validationError('Clear At is above Threshold', 'Change Clear At or Threshold.');
	}
	return level;
}

const fetchLevel = (async (context) => {
	const metric = context.value('metric');
	const threshold = context.value('threshold');
	const clearAt = checkedClearAt(context.value('clearAt'), threshold);
	const metrics = await fetchMetrics(context.client);
	const stats = isRecord(metrics.stats) ? metrics.stats : {};
	const count = stats[metric];
	if (typeof count !== 'number') {
		throw new ActivepiecesError({
			message: `This Activepieces server does not report ${metric} jobs`,
			description: `It reports ${Object.keys(stats).join(', ')}. Choose one of them in Metric.`,
		});
	}
	return { metric, count, threshold, clearAt, stats };
}) satisfies TriggerEvent['example'];

export const queueBacklog: TriggerEvent = {
	name: 'Queue Backlog',
	value: 'queueBacklog',
	description: 'When the number of jobs in the queue rises above a threshold',
	watchedFields: ['metric', 'threshold', 'clearAt'],
	async poll(context, state, isStale) {
		const level = await fetchLevel(context);
		const { count, threshold, clearAt } = level;
		const isAbove = count > threshold;
		const isClear = clearAt === null ? !isAbove : count < clearAt;
		// A state that may be older than the last poll does not show that the alarm was returned for this backlog.
		const wasGiven = state?.isAlarmGiven === true && !isStale;
		const isDue = isAbove && !wasGiven;
		const isStart = typeof state?.isAlarmGiven !== 'boolean';
		const isAlarmGiven = isDue || (wasGiven && !isClear);
		return { items: isDue && !isStart ? [level] : [], state: { isAlarmGiven } };
	},
	// There is always a number of jobs, which shows the fields even if it is low.
	example: fetchLevel,
};
