/** Where a message is read, which decides what its reader can do. */
export type MessagePlace = 'node' | 'trigger' | 'locator' | 'credentialTest';

interface Advice {
	/** How to try once more, as the begin of a sentence */
	again: string;
	/** What helps when the server wants fewer requests */
	lessOften: string;
	/** What helps beside a longer Timeout when an answer takes too long, with a comma behind it */
	smaller: string;
}

export const ADVICE: Record<MessagePlace, Advice> = {
	node: {
		again: 'Run the node again',
		lessOften:
			'Run the node less often, or set Batching in its Settings tab under Request Options.',
		smaller: 'use Limit or filters where the node has them, ',
	},
	trigger: {
		again: 'Wait for the next poll',
		lessOften: 'Set longer intervals in Poll Times.',
		smaller: '',
	},
	locator: {
		again: 'Open the list again',
		lessOften: 'Wait a moment, then open the list again.',
		smaller: 'enter the ID with By ID, ',
	},
	credentialTest: {
		again: 'Test the credential again',
		lessOften: 'Wait a moment, then test the credential again.',
		smaller: '',
	},
};
