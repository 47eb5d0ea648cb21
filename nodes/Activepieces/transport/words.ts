/** Where a message appears, which decides what its reader can do. */
export type MessagePlace = 'node' | 'trigger' | 'locator' | 'optionList' | 'credentialTest';

/** The words of a message that differ by place. A word that a place lacks is left out. */
interface PlaceWords {
	/** How to try again */
	again: string;
	/** What helps when the server wants fewer requests */
	lessOften: string;
	/** What helps, beside a longer Timeout, when the response of a list takes too long */
	smaller?: string;
	/** What helps when the server refuses a value whose field it names */
	changeField?: string;
	/** What the person entered */
	input: string;
	/** What else to do when the server refuses it */
	instead?: string;
	/** What to do when a list cannot be read */
	withoutList?: string;
	/** Where the proxy is entered */
	proxyField: string;
	/** What helps when one of several projects cannot be read */
	leaveOut?: string;
	/** What helps when a list has too many pages */
	fewerPages?: string;
	/** What helps when a list has too many records */
	fewerRecords?: string;
	/** The part of a run to which the maximum number of records applies */
	perItem?: string;
}

const PROXY_OF_CREDENTIAL = 'Proxy in the credential';

export const PLACE_WORDS: Record<MessagePlace, PlaceWords> = {
	node: {
		again: 'Run the node again',
		lessOften:
			'Run the node less often, or set Batching under Request Options in the Settings tab of the node.',
		smaller: 'use Limit or filters if the node has them',
		changeField: 'Change that field',
		input: 'the fields of the node',
		proxyField: `${PROXY_OF_CREDENTIAL}, or under Request Options in the Settings tab of the node`,
		leaveOut: 'To skip it, list the other projects one by one by setting Project.',
		fewerPages:
			'Use Limit, filters or a larger Page Size if the node has them, so that it needs fewer pages',
		fewerRecords: 'Use Limit or filters, or use a separate input item for each project',
		perItem: 'accepts for one input item',
	},
	trigger: {
		again: 'Try again, or wait for the next poll',
		lessOften: 'Set a longer interval in Poll Times.',
		input: 'the fields of the trigger',
		proxyField: PROXY_OF_CREDENTIAL,
		leaveOut: 'To leave it out, use a trigger for each of the other projects.',
		fewerRecords: 'Select a project or a flow in the trigger, if it has these fields',
	},
	locator: {
		again: 'Open the list again',
		lessOften: 'Wait a moment, then open the list again.',
		smaller: 'switch to By ID and enter the ID',
		input: 'the search text',
		instead: 'You can also switch to By ID and enter the ID.',
		withoutList: 'Switch to By ID and enter the ID instead.',
		// The trigger also has locators, and no Request Options.
		proxyField: `${PROXY_OF_CREDENTIAL}, or under Request Options if the node has them`,
	},
	optionList: {
		again: 'Refresh the list',
		lessOften: 'Wait a moment, then refresh the list.',
		smaller: 'enter the values with an expression',
		input: 'the Project field',
		instead: 'You can also enter the values with an expression.',
		withoutList: 'Enter the values with an expression instead.',
		proxyField: `${PROXY_OF_CREDENTIAL}, or under Request Options in the Settings tab of the node`,
	},
	credentialTest: {
		again: 'Test the credential again',
		lessOften: 'Wait a moment, then test the credential again.',
		input: 'the fields of the credential',
		proxyField: PROXY_OF_CREDENTIAL,
	},
};

/** The fields that a sign-in sends */
export const SIGN_IN_INPUT = 'Email and Password in the credential';

/** The kind of a credential: an API key, another text in its place, or a user. */
export type CredentialKind = 'apiKey' | 'otherKey' | 'signIn';

/** The words of a message that differ by credential. */
interface CredentialWords {
	/** What every request contains: `API key` or `session` */
	credential: string;
	/** The same, shorter */
	shortCredential: string;
	/** Whom the service allows to do something: the key, or the person */
	actor: string;
	user: string;
	hint: string;
	/** For a credential that is not accepted, or not any more */
	expiredHint: string;
}

const KEY_HINT =
	'Check API Key in the credential. API keys begin with "sk-" and work only for the platform they were created on. You can create one in the platform admin console of Activepieces, under Security > API Keys.';
const USER_HINT =
	'Check Email in the credential, and what the user is allowed to do in Activepieces.';

const API_KEY: CredentialWords = {
	credential: 'API key',
	shortCredential: 'key',
	actor: 'API key',
	user: 'user of the API key',
	hint: KEY_HINT,
	expiredHint: KEY_HINT,
};

export const CREDENTIAL_WORDS: Record<CredentialKind, CredentialWords> = {
	apiKey: API_KEY,
	otherKey: {
		...API_KEY,
		// Every edition accepts the session token of its web app in place of a key (recorded).
		expiredHint:
			'The value of API Key in the credential does not begin with "sk-", as API keys do. If it is a session token, it may have expired (after seven days). Create an API key in the platform admin console of Activepieces, under Security > API Keys. For the Community edition, which has no API keys, use an Activepieces Sign-In API credential instead.',
	},
	signIn: {
		credential: 'session',
		shortCredential: 'session',
		actor: 'signed-in user',
		user: 'signed-in user',
		hint: USER_HINT,
		expiredHint: `Activepieces accepted the email and password, but not the session. A proxy in front of Activepieces may change the Authorization header. ${USER_HINT}`,
	},
};

/** What to do about a Base URL that does not lead to the API */
export const BASE_URL_HINTS = {
	endsInApi:
		'Check that {baseUrl}, the Base URL in the credential, is the URL of the API.[ If it includes the path of a page, try {atRoot}]',
	endsElsewhere:
		'The Base URL in the credential should probably end in /api. Try {atRoot}[, or {underPath} if Activepieces is served under that path]',
} as const;
