import { textOf } from '../../transport/values';
import { flowEvent } from '../eventKinds/flowEvent';

export const flowPublished = flowEvent({
	name: 'Flow Published',
	value: 'flowPublished',
	description: 'When a version of a flow is published',
	// Up to 0.73 null is an empty text.
	watchedValue: ({ publishedVersionId }) => textOf(publishedVersionId),
	isEvent: (version) => version !== '',
	noExample: {
		message: 'No flow is published',
		description:
			'Publish a flow in Activepieces and try again, or publish the n8n workflow (activate it in n8n 1) and then publish a flow.',
	},
});
