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
		message: 'No successful run was found within Lookback (Hours)',
		description:
			'Increase Lookback (Hours), or publish the n8n workflow (activate it in n8n 1). It starts when the next run succeeds.',
	},
});
