import type { IDataObject } from 'n8n-workflow';

import type { ApiResponse } from './response';
import { capitalize, inSeconds, nameAndId, plainText, shortName, unended } from './text';
import { describeValue, textOf } from './values';

/** Where a message appears, which decides what its reader can do. */
export type MessagePlace = 'node' | 'trigger' | 'locator' | 'optionList' | 'credentialTest';

/** The words of a message that differ by place. A word that a place lacks is left out. */
interface PlaceWords {
	again: string;
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
	proxyField: string;
	/** What helps when one of several projects cannot be read */
	leaveOut?: string;
	fewerPages?: string;
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

/** The kind of a credential: an API key, another text in its place, the session of a user, or a user who signs in. */
export type CredentialKind = 'apiKey' | 'otherKey' | 'signIn' | 'account';

/** The words of a message that differ by credential. */
interface CredentialWords {
	/** What every request contains: `API key` or `session` */
	credential: string;
	shortCredential: string;
	/** Whom the service allows to do something: the key, or the person */
	actor: string;
	user: string;
	hint: string;
	/** For a credential that the service itself does not accept, or not any more */
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

const CREDENTIAL_WORDS: Record<CredentialKind, CredentialWords> = {
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
	account: {
		credential: 'email and password',
		shortCredential: 'email and password',
		actor: 'user',
		user: 'user',
		hint: USER_HINT,
		expiredHint: USER_HINT,
	},
};

/** What to do about a Base URL that does not lead to the API. */
function baseUrlHint(baseUrl: string): string {
	const { origin, pathname } = new URL(baseUrl);
	const path = pathname === '/' ? '' : pathname;
	const end = `${path}/`.indexOf('/api/');
	const upToApi = `${end === -1 ? path : path.slice(0, end)}/api`;
	if (path === upToApi) {
		const hint = `Check that ${baseUrl}, the Base URL in the credential, is the URL of the API.`;
		return path === '/api' ? hint : `${hint} If it includes the path of a page, try ${origin}/api`;
	}
	const hint = `The Base URL in the credential should probably end in /api. Try ${origin}/api`;
	// A path is more likely that of a page of the web app than one under which Activepieces is served.
	return upToApi === '/api'
		? hint
		: `${hint}, or ${origin}${upToApi} if Activepieces is served under that path`;
}

export interface RequestSubject {
	/** The requested record or records, for example "folder" or "flows" */
	noun: string;
	/** Display name of the field with the record, for example "Folder" */
	field?: string;
	/** Display names of the fields, keyed by query parameter */
	labels?: Record<string, string>;
	newName?: string;
	delayedBy?: string;
	/** What contains the record, if a person named it by ID, for example the project of flows */
	within?: {
		noun: string;
		id: string;
		name?: string;
		/** How many of them are read; undefined when the person named this one */
		of?: number;
	};
}

/** What a message about a request may contain. The key is never part of it. */
export interface ErrorContext extends RequestSubject {
	method: string;
	path: string;
	/** Feature of a plan that the endpoint needs */
	feature?: string;
	baseUrl: string;
	credentialKind: CredentialKind;
	place: MessagePlace;
	proxyHost?: string;
	/** Whether the request calls a flow at its webhook */
	isCall?: boolean;
	/** The ID as the person entered it */
	id?: string;
}

/** The name of the field in `querystring/status/0 must be …`, `body/displayName Invalid input: …`. */
export const refusedField = (message = ''): string | undefined =>
	/^(?:querystring|body|params)(?:\/| must have required property ')([\w-]+)/.exec(message)?.[1];

/** A word or number from a server, shortened for a message. */
const wordOf = (value: unknown): string | undefined => shortName(textOf(value)) || undefined;

/** `folder "abc"`; `project "Sales" (def)` for the flows of a project; `flows` without an ID. */
function recordOf({ noun, id, within }: ErrorContext): string {
	if (within === undefined) return id === undefined ? noun : `${noun} "${shortName(id)}"`;
	const { name } = within;
	return name === undefined
		? `${within.noun} "${shortName(within.id)}"`
		: `${within.noun} ${nameAndId(name, within.id)}`;
}

/** Whether a request was for a list of the node that has filters. */
const hasFilters = ({ place, id, labels = {} }: ErrorContext): boolean =>
	place === 'node' && id === undefined && Object.keys(labels).length > 0;

/** What the person entered for the request, in the words of the place where the message appears. */
function inputOf(context: ErrorContext): string {
	const { place, method, credentialKind, field } = context;
	if (credentialKind === 'account') return 'Email and Password in the credential';
	// A change or a create has more fields than the one with the ID.
	const ownField = place === 'node' && method !== 'POST' ? field : undefined;
	const filters = hasFilters(context) ? 'the filters' : undefined;
	const names = [ownField, filters].filter((name) => name !== undefined);
	return names.length > 0 ? names.join(' and ') : PLACE_WORDS[place].input;
}

/**
 * Everything that a text may contain: of the request, of the place, of the credential, and of the response.
 * What is computed is computed when a text uses it.
 */
export function aboutRequest(context: ErrorContext, response?: ApiResponse) {
	const { noun, field, id, method, path, baseUrl, credentialKind, place, within, labels } = context;
	const { status, message, retryAfterMs, params } = response ?? { params: {} as IDataObject };
	const placeWords = PLACE_WORDS[place];
	const { instead, smaller } = placeWords;
	return {
		...context,
		...placeWords,
		...CREDENTIAL_WORDS[credentialKind],
		status: wordOf(status),
		location: response?.location,
		/** The field with the record, at the start of a sentence */
		get Field() {
			return capitalize(field ?? noun);
		},
		get record() {
			return recordOf(context);
		},
		get Record() {
			return capitalize(recordOf(context));
		},
		/** What was asked for, or what contains it */
		thing: (within ?? context).noun,
		/** ID of one of several projects, and its name */
		get project() {
			return within && nameAndId(within.name ?? within.id, within.id);
		},
		get shownId() {
			return describeValue(id);
		},
		host: new URL(baseUrl).host,
		get baseUrlHint() {
			return baseUrlHint(baseUrl);
		},
		hasFilters: hasFilters(context),
		get input() {
			return inputOf(context);
		},
		/** Which request contained a session; nothing for a key, which every request contains */
		sentWith: credentialKind === 'signIn' ? ` sent with ${method} ${path}` : '',
		/** What else to do when the server refuses the input: a sentence or nothing */
		orInstead: instead === undefined || credentialKind === 'account' ? '' : ` ${instead}`,
		/** What helps when a list takes too long: the start of an enumeration or nothing */
		orSmaller: smaller === undefined || method !== 'GET' || id !== undefined ? '' : `${smaller}, `,
		/** What the service says: a sentence or nothing */
		quoted: message ? `Activepieces says: ${unended(message)}. ` : '',
		/** What a proxy says: a sentence or nothing */
		proxyQuoted: message ? `It says: ${unended(message)}. ` : '',
		/** How long the service wants a pause: a sentence or nothing */
		get asksToWait() {
			if (retryAfterMs === undefined) return '';
			return `Activepieces asks you to wait ${inSeconds(Math.ceil(retryAfterMs / 1000) * 1000)}. `;
		},
		/** Display name of the field that the service refuses, or its own name for it */
		get refusedField() {
			const name = refusedField(message) ?? '';
			return labels !== undefined && Object.hasOwn(labels, name) ? labels[name] : `"${name}"`;
		},
		permission: wordOf(params.permission),
		retentionDays: wordOf(params.failedJobRetentionDays),
		/** The first line of the output of a trigger that could not be started: a sentence or nothing */
		get triggerOutput() {
			const [output] = textOf(params.standardError).trim().split('\n');
			const shown = unended(plainText(output, 200));
			return shown === '' ? '' : `Activepieces says: ${shown}. `;
		},
	};
}

export type About = ReturnType<typeof aboutRequest>;
