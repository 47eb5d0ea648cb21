import { runEvent } from '../eventKinds/runEvent';

export const flowRunSucceeded = runEvent({
	name: 'Flow Run Succeeded',
	value: 'flowRunSucceeded',
	description: 'When a flow run succeeds, including after a retry',
	fields: ['projectId', 'flowId', 'simplify', 'options.lookbackHours', 'options.maxItems'],
	watched: ['projectId', 'flowId'],
	// Many runs succeed, and each poll reads all within this period.
	defaults: { lookbackHours: 1 },
	getStatuses: () => ['SUCCEEDED'],
	noExample: {
		message: 'No run has succeeded within Lookback',
		description:
			'Choose a longer Lookback, or publish the n8n workflow (in n8n 1: activate it): it starts with the next run that succeeds.',
	},
});
