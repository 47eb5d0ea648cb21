/** Where a message is read, which decides what its reader can do. */
export type MessagePlace = 'node' | 'trigger' | 'locator' | 'optionList' | 'credentialTest';

interface Advice {
	/** How to try once more, as the begin of a sentence */
	again: string;
	/** What helps when the server wants fewer requests */
	lessOften: string;
	/** What helps beside a longer Timeout when an answer takes too long, with a comma behind it */
	smaller: string;
	/** What the person has entered there */
	input: string;
	/** What else to do when the server does not take it, as a sentence with a space before it */
	instead: string;
	/** What to do in place of choosing from a list that cannot be read, as a sentence */
	withoutList: string;
	/** Where the address of a proxy is entered */
	proxyField: string;
}

const PROXY_OF_CREDENTIAL = 'Proxy in the credential';

export const ADVICE: Record<MessagePlace, Advice> = {
	node: {
		again: 'Run the node again',
		lessOften:
			'Run the node less often, or set Batching in its Settings tab under Request Options.',
		smaller: 'use Limit or filters where the node has them, ',
		input: 'the fields of the node',
		instead: '',
		withoutList: '',
		proxyField: `${PROXY_OF_CREDENTIAL}, or in the node under Request Options`,
	},
	trigger: {
		again: 'Wait for the next poll',
		lessOften: 'Set longer intervals in Poll Times.',
		smaller: '',
		input: 'the fields of the trigger',
		instead: '',
		withoutList: '',
		proxyField: PROXY_OF_CREDENTIAL,
	},
	locator: {
		again: 'Open the list again',
		lessOften: 'Wait a moment, then open the list again.',
		smaller: 'enter the ID with By ID, ',
		input: 'the text you search for',
		instead: ' You can also enter the ID with By ID.',
		withoutList: 'Enter the ID with By ID instead.',
		// The trigger has locators as well, and no Request Options.
		proxyField: `${PROXY_OF_CREDENTIAL}, or under Request Options where the node has them`,
	},
	optionList: {
		again: 'Refresh the list',
		lessOften: 'Wait a moment, then refresh the list.',
		smaller: 'give the values with an expression, ',
		input: 'the field Project',
		instead: ' You can also give the values with an expression.',
		withoutList: 'Give the values with an expression instead.',
		proxyField: `${PROXY_OF_CREDENTIAL}, or in the node under Request Options`,
	},
	credentialTest: {
		again: 'Test the credential again',
		lessOften: 'Wait a moment, then test the credential again.',
		smaller: '',
		input: 'the fields of the credential',
		instead: '',
		withoutList: '',
		proxyField: PROXY_OF_CREDENTIAL,
	},
};
