import type { ConnectionSettings } from '../http/exchange';
import { textOf } from '../values';

/* What a message has to know: of the request, and of where it came from. `words.ts` puts it into words. */

/**
 * Where a message appears, which decides what its reader can do: in the output of the node, in n8n's log or
 * executions, or in a list or a credential that a person has open.
 */
export type MessagePlace = 'node' | 'trigger' | 'editor';

/** The kind of a credential: an API key, another text in its place, the session of a user, or a user who signs in. */
export type CredentialKind = 'apiKey' | 'otherKey' | 'session' | 'signingIn';

export interface RequestSubject {
	/** The requested record or records, for example "folder" or "flows" */
	noun: string;
	/** Display name of the field with the record, for example "Folder" */
	field?: string;
	/** Display names of the fields, keyed by query parameter */
	labels?: Record<string, string>;
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
	endpoint: { method: string; path: string; feature?: string };
	/** As the person entered it */
	id?: unknown;
	body?: object;
	subject: RequestSubject;
	/** Only for a call of a flow at its webhook */
	json?: string;
}

/** The path of Base URL, and the one of the API that it should have been. */
export function pathsOf(baseUrl: string): { path: string; upToApi: string } {
	const { pathname } = new URL(baseUrl);
	const path = pathname === '/' ? '' : pathname;
	const end = `${path}/`.indexOf('/api/');
	return { path, upToApi: `${end === -1 ? path : path.slice(0, end)}/api` };
}

/** What decides which text applies, and which of its sentences. What is said of it is in `words.ts`. */
export function factsOf(source: ErrorSource, request: ErrorRequest) {
	const { place, baseUrl } = source;
	const { labels = {} } = request.subject;
	const id = textOf(request.id).trim() || undefined;
	const { path, upToApi } = pathsOf(baseUrl);
	return {
		source,
		request,
		id,
		isCall: request.json !== undefined,
		/** Whether the request is for a list of the node that has filters */
		hasFilters: place === 'node' && id === undefined && Object.keys(labels).length > 0,
		isProxyUserSent: source.settings?.proxy?.auth !== undefined,
		/** Whether Base URL ends like that of an API */
		isBaseUrlOfApi: path === upToApi,
	};
}

export type Facts = ReturnType<typeof factsOf>;
