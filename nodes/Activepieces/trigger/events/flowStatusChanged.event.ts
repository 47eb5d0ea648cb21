import { textOf } from '../../transport/values';
import { flowEvent } from '../eventKinds/flowEvent';

export const flowStatusChanged = flowEvent({
	name: 'Flow Status Changed',
	value: 'flowStatusChanged',
	description: 'When a flow is enabled or disabled',
	// A new flow is disabled.
	watchedValue: ({ status }) => (status === 'DISABLED' ? '' : textOf(status)),
	noExample: {
		message: 'There are no flows yet',
		description: 'Create a flow in Activepieces and enable it.',
	},
});
