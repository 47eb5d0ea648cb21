import type { ConnectionSettings } from '../http/exchange';
import type { ApiResponse } from '../http/response';
import { isWholeId } from '../ids';
import { capitalize, nameAndId, shortName, unended } from '../texts';
import { textOf } from '../values';

/* What a message has to know: of the request, and of where it came from; and the words for it. */

/**
 * Where a message appears, which decides what its reader can do: in the output of the node, as the answer of a tool to a
 * model, in n8n's log or executions, or in a list or a credential that a person has open.
 */
export type MessagePlace = 'node' | 'tool' | 'trigger' | 'editor';

/** The kind of a credential: an API key, the session of a user, or a user who signs in. */
export type CredentialKind = 'apiKey' | 'session' | 'signingIn';

export interface RequestSubject {
	/** The requested record or records, for example "folder" or "flows" */
	noun: string;
	/** Display name of the field with the record, for example "Folder" */
	field?: string;
	/** Display names of the fields, keyed by query parameter */
	labels?: Record<string, string>;
	/** What a worker or a flow takes time for, and what to do, if there is no response in time */
	delayedBy?: string;
	/** What contains the record, if a person named it by ID, for example the project of flows */
	container?: {
		noun: string;
		id: string;
		name?: string;
		/** How many of them are read; undefined when the person named this one */
		of?: number;
	};
}

export interface ErrorSource {
	baseUrl: string;
	credentialKind: CredentialKind;
	place: MessagePlace;
	settings?: ConnectionSettings;
	/** Those of the settings that are from n8n's Request Options, which override the credential's */
	requestOptionSettings?: ConnectionSettings;
	/** Whether Base URL is that of a server: it has responded in this run */
	hasResponded?: boolean;
}

/** What a message has to know of a request. */
export interface ErrorRequest {
	/** `feature` is that of a plan which the endpoint needs */
	endpoint: { method: string; path: string; feature?: string; worksOn073?: boolean };
	/** As the person entered it */
	id?: unknown;
	body?: object;
	subject: RequestSubject;
	/** Only for a call of a flow at its webhook */
	json?: string;
}

/** The path of Base URL, and the one of the API that it should have been. */
function pathsOf(baseUrl: string): { path: string; upToApi: string } {
	const { pathname } = new URL(baseUrl);
	const path = pathname === '/' ? '' : pathname;
	const end = `${path}/`.indexOf('/api/');
	return { path, upToApi: `${end === -1 ? path : path.slice(0, end)}/api` };
}

/** What decides which text applies, and which of its sentences; `wordsOf` has the words. */
export function factsOf(source: ErrorSource, request: ErrorRequest) {
	const { place } = source;
	const { labels = {} } = request.subject;
	const id = textOf(request.id).trim() || undefined;
	return {
		source,
		request,
		id,
		isCall: request.json !== undefined,
		/** Whether the request is for a list of the node that has filters */
		hasFilters: isOfItem(place) && id === undefined && Object.keys(labels).length > 0,
	};
}

export type Facts = ReturnType<typeof factsOf>;

/** The words of a message that differ by place. A word that a place lacks is left out. */
interface PlaceWords {
	again: string;
	lessOften: string;
	/** Where values are entered; `input` of `wordsOf` names the field, if one is known */
	fields: string;
	/** What helps when a list is too long, or takes too long */
	fewerRecords?: string;
}

const NODE_WORDS: PlaceWords = {
	again: 'Run the node again',
	lessOften:
		'Run the node less often, or set Batching under Request Options in the Settings tab of the node.',
	fields: 'the fields of the node',
	fewerRecords: 'use Limit, filters or a single project if the node has them',
};

const isOfItem = (place: MessagePlace) => place === 'node' || place === 'tool';

const PLACE_WORDS: Record<MessagePlace, PlaceWords> = {
	node: NODE_WORDS,
	tool: {
		...NODE_WORDS,
		again: 'Call the tool again',
		lessOften: 'Call the tool less often.',
		fields: 'the values that you gave',
	},
	trigger: {
		again: 'Try again, or wait for the next poll',
		lessOften: 'Set a longer interval in Poll Times.',
		fields: 'the fields of the trigger',
		fewerRecords: 'select a project or a flow if the trigger has these fields',
	},
	editor: {
		again: 'Try again',
		lessOften: 'Wait a moment, then try again.',
		fields: 'what you have entered',
	},
};

const KEY_HINT =
	'Check API Key in the credential. API keys begin with "sk-" and work only for the platform they were created on. You can create one in the platform admin console of Activepieces, under Security > API Keys. The Community edition has none: there, use an Activepieces Sign-In API credential.';
const USER_HINT =
	'Check Email in the credential, and what the user is allowed to do in Activepieces.';

const SESSION = {
	credential: 'session',
	shortCredential: 'session',
	/** Whom the service allows to do something: the key, or the person */
	actor: 'signed-in user',
	user: 'signed-in user',
	hint: USER_HINT,
	/** For a credential that the service itself does not accept, or not any more */
	expiredHint: `Activepieces accepted the email and password, but not the session. A proxy in front of Activepieces may change the Authorization header. ${USER_HINT}`,
};

/** The words of a message that differ by credential. */
const CREDENTIAL_WORDS: Record<CredentialKind, typeof SESSION> = {
	apiKey: {
		credential: 'API key',
		shortCredential: 'key',
		actor: 'API key',
		user: 'user of the API key',
		hint: KEY_HINT,
		expiredHint: KEY_HINT,
	},
	session: SESSION,
	signingIn: {
		...SESSION,
		credential: 'email and password',
		shortCredential: 'email and password',
		expiredHint: USER_HINT,
	},
};

function baseUrlHint(baseUrl: string): string {
	const { origin } = new URL(baseUrl);
	const { path, upToApi } = pathsOf(baseUrl);
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

/** Display name of a field, or the service's name for it. */
export const fieldLabel = (labels: Record<string, string>, name = ''): string =>
	Object.hasOwn(labels, name) ? labels[name] : `"${name}"`;

/** What an ID is: people and models also enter names. */
export const ID_FORM =
	'Activepieces IDs have 21 letters and digits; for a name, use By Name if there is one.';

/** What to do about a record that does not exist. People also enter a name, or an external ID. */
export function adviceIfMissing(noun: string, field: string, id: unknown): string {
	const given = textOf(id).trim();
	// Some fields take an email as well.
	const mayBeRight = isWholeId(given) || given.includes('@');
	const form = mayBeRight ? '' : `${ID_FORM} `;
	return `Check ${field}. ${form}The ${noun} may have been deleted, or may belong to another Activepieces server or platform.`;
}

/**
 * What several texts contain, of the request, of the place and of the credential, but never the key. What is
 * computed is computed when a text uses it.
 */
export function wordsOf(
	{ source, request, id, isCall, hasFilters }: Facts,
	response?: ApiResponse,
) {
	const { baseUrl, credentialKind, place } = source;
	const { settings: { proxy } = {}, requestOptionSettings: ownSettings = {} } = source;
	const { endpoint, subject } = request;
	const { noun, field, container, delayedBy } = subject;
	const { method, path, feature } = endpoint;
	const { message } = response ?? {};
	const isRead = method === 'GET' || credentialKind === 'signingIn';
	const words = PLACE_WORDS[place];
	const fieldOf = (label: string, setting: keyof ConnectionSettings) =>
		`${label} ${ownSettings[setting] === undefined ? 'in the credential' : 'under Request Options in the Settings tab of the node'}`;
	/** The container of a record that a person named, and its name if it is known */
	const containerName = container && nameAndId(container.name ?? container.id, container.id);
	const proxyHost = proxy && `${proxy.host}:${proxy.port}`;
	const proxyField = fieldOf('Proxy', 'proxy');
	const isList = method === 'GET' && id === undefined;
	return {
		...words,
		...CREDENTIAL_WORDS[credentialKind],
		...{ noun, field, feature, path, containerName, delayedBy, baseUrl },
		/** Whether another try changes nothing */
		isRead,
		endpoint: `${method} ${path}`,
		host: new URL(baseUrl).host,
		proxyField,
		/** Of a proxy that may be the reason: a sentence or nothing */
		alsoProxy: proxyHost ? ` Also check ${proxyField}: the proxy is ${proxyHost}.` : '',
		timeoutField: fieldOf('Timeout', 'timeoutMs'),
		sslField: fieldOf('Ignore SSL Issues', 'skipSslCertificateValidation'),
		/** Why the service takes longer than a proxy may wait; the time-out of a call is a field of the node */
		waitsFor: isCall ? undefined : delayedBy,
		/** What helps, beside a longer Timeout, when a list takes too long: the start of an enumeration or nothing */
		orLess: isList && words.fewerRecords !== undefined ? `${words.fewerRecords}, ` : '',
		/** `folder "abc"`; `project "Sales" (def)` for the flows of a project; `flows` without an ID */
		get record(): string {
			if (container === undefined) return id === undefined ? noun : `${noun} "${shortName(id)}"`;
			const isNamed = container.name !== undefined;
			return `${container.noun} ${isNamed ? containerName : `"${shortName(container.id)}"`}`;
		},
		get recordAtStart(): string {
			return capitalize(this.record);
		},
		/** What was asked for, or what contains it */
		thing: (container ?? subject).noun,
		get ifMissing(): string | undefined {
			return field && adviceIfMissing(this.thing, field, container?.id ?? id);
		},
		get baseUrlHint() {
			return baseUrlHint(baseUrl);
		},
		get input() {
			if (credentialKind === 'signingIn') return 'Email and Password in the credential';
			// A change or a create has more fields than the one with the ID.
			const ownField = isOfItem(place) && method !== 'POST' ? field : undefined;
			const names = [ownField, hasFilters ? 'the filters' : undefined];
			return names.filter((name) => name !== undefined).join(' and ') || words.fields;
		},
		/** Which request contained a session; nothing for a key, which every request contains */
		sentWith: credentialKind === 'session' ? ` sent with ${method} ${path}` : '',
		/** What the service says: a sentence or nothing */
		quoted: message ? `Activepieces says: ${unended(message)}. ` : '',
	};
}

export type Words = ReturnType<typeof wordsOf>;
