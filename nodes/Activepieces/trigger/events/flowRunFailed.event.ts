import { splitList } from '../../descriptions/parameters';
import { validationError } from '../../transport/error';
import type { EventContext } from '../event';
import { runEvent } from '../eventKinds/runEvent';

function getStatuses({ getParameter }: EventContext): string[] {
	const statuses = splitList('Statuses', getParameter('statuses', []));
	if (statuses.length === 0) {
		throw validationError('No status is chosen', 'Choose at least one in Statuses.');
	}
	return statuses;
}

export const flowRunFailed = runEvent({
	name: 'Flow Run Failed',
	value: 'flowRunFailed',
	description: 'When a flow run fails, including when it fails again after a retry',
	fields: [
		'projectId',
		'flowId',
		'statuses',
		'simplify',
		'options.lookbackHours',
		'options.maxItems',
	],
	watched: ['projectId', 'flowId', 'statuses'],
	getStatuses,
	noExample: {
		message: 'No failed run was found within Lookback (Hours)',
		description:
			'Choose more statuses, increase Lookback (Hours), or publish the n8n workflow (activate it in n8n 1). It starts when the next run fails.',
	},
});
