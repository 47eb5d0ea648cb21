import type { IDataObject } from 'n8n-workflow';

import { toPositiveInteger } from '../../descriptions/parameters';
import { getMetrics } from '../../resources/queue/getMetrics.operation';
import { ActivepiecesError, validationError } from '../../transport/errors/activepiecesError';
import { isRecord } from '../../transport/isRecord';
import type { EventContext, TriggerEvent } from '../event';

interface Level extends IDataObject {
	metric: string;
	count: number;
	threshold: number;
	clearAt: number | null;
	stats: IDataObject;
}

function getThreshold({ getParameter }: EventContext): number {
	const value = getParameter('threshold');
	return Number(value) === 0 ? 0 : toPositiveInteger('Threshold', value);
}

/** Below which number the alarm is over; nothing for "no longer above the threshold". */
function getClearAt({ getParameter }: EventContext, threshold: number): number | null {
	const value = getParameter('options.clearAt', '');
	if (value === '' || value === null) return null;
	const clearAt = toPositiveInteger('Clear At', value);
	if (clearAt > threshold + 1) {
		throw validationError('Clear At is above Threshold', 'Change Clear At or Threshold.');
	}
	return clearAt;
}

async function readLevel(context: EventContext): Promise<Level> {
	const metric = String(context.getParameter('metric', 'waiting'));
	const threshold = getThreshold(context);
	const clearAt = getClearAt(context, threshold);
	const [metrics] = await getMetrics.run(context);
	const stats = isRecord(metrics.stats) ? metrics.stats : {};
	const count = stats[metric];
	if (typeof count !== 'number') {
		throw new ActivepiecesError({
			message: `This Activepieces server does not report ${metric} jobs`,
			description: `It reports ${Object.keys(stats).join(', ')}. Choose one of them in Metric.`,
		});
	}
	return { metric, count, threshold, clearAt, stats };
}

export const queueBacklog: TriggerEvent = {
	name: 'Queue Backlog',
	value: 'queueBacklog',
	description: 'When more jobs wait in the queue than a threshold',
	fields: ['metric', 'threshold', 'options.clearAt'],
	watched: ['metric', 'threshold', 'options.clearAt'],
	isState: ({ isAlarmGiven }) => typeof isAlarmGiven === 'boolean',
	async look(context, state) {
		const level = await readLevel(context);
		const { count, threshold, clearAt } = level;
		const isAbove = count > threshold;
		const isClear = clearAt === null ? !isAbove : count < clearAt;
		// A state that may be older than the last poll does not say that the alarm was given for this backlog.
		const wasGiven = state !== undefined && state.isAlarmGiven === true && !context.isStale;
		const isDue = state !== undefined && isAbove && !wasGiven;
		return {
			occurrences: isDue
				? [{ id: level.metric, time: 0, version: String(count), json: level }]
				: [],
			remember: (given) => ({
				isAlarmGiven:
					given.length > 0 || (wasGiven && !isClear) || (state === undefined && isAbove),
			}),
		};
	},
	// There is always a level, and it shows the fields also while it is low.
	example: async (context) => await readLevel(context),
	noExample: { message: 'The queue has no metrics', description: 'Run the node again.' },
};
