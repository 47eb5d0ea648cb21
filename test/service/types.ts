/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import type { IncomingHttpHeaders } from 'node:http';
import type { ReleaseTraits } from './releases';

import type { Clock } from './clock';
import type { FlowWorker } from './flowChanges';
import type { LiveChanges } from './liveChanges';
import type { ServiceData } from './records';
import type { Account } from './sessions';
import type { Webhooks } from './webhooks';

/**
 * A release that the stand-in can imitate. 0.75 represents 0.74 to 0.76 and was only read in the
 * service's source; the others are compared with recordings.
 */
export type Release = '0.73' | '0.75' | '0.79' | '0.85' | '0.86';

export type Edition = 'enterprise' | 'community';

/** The features of a plan that the routes here check, with the service's names. */
export interface Plan {
	apiKeysEnabled: boolean;
	auditLogEnabled: boolean;
	eventStreamingEnabled: boolean;
	globalConnectionsEnabled: boolean;
	manageTemplatesEnabled: boolean;
	projectRolesEnabled: boolean;
	ssoEnabled: boolean;
}

/** Sizes of generated data; everything has a default. */
export interface DataSizes {
	/** team projects, beside the personal one that everybody has; default 3; Enterprise only */
	projects?: number;
	/** in all, spread over the projects; default 30 */
	flows?: number;
	/** default 4 */
	foldersPerProject?: number;
	/** shared by the platform; default 25 */
	connections?: number;
	/** of each project; default 2 */
	connectionsPerProject?: number;
	/** default 12 */
	templates?: number;
	/** default 12: PLATFORM and PROJECT types, PENDING and ACCEPTED */
	invitations?: number;
	/** default 2, with four columns each */
	tablesPerProject?: number;
	/** rows of each table; default 12 */
	recordsPerTable?: number;
	/** action steps of each flow, nested by nextAction; default 3 */
	steps?: number;
	/** default 5: events of the audit log, newest first */
	auditEvents?: number;
	/** all connections created within one second, to show the service's own row loss */
	sameSecond?: boolean;
	/** people on the platform, with a personal project each; default and least 2: admin and member */
	users?: number;
	/** runs of the published flows in turn, in every status; default 0 */
	flowRuns?: number;
	/** all runs created within one second; default 37 s apart */
	flowRunsSameSecond?: boolean;
}

export interface ServiceOptions {
	/** default '0.85' */
	release?: Release;
	/** 'recorded' reproduces the data set behind the recordings; otherwise sizes (deterministic data) */
	data?: 'recorded' | DataSizes;
	/** default 'enterprise'; 'community' has no API keys, no global connections and no own templates */
	edition?: Edition;
	/** flags that differ from the edition's: all on in Enterprise, all off in Community */
	plan?: Partial<Plan>;
	/** ms since 1970, for the end of tokens and the rate limit of signing in; default Date.now */
	clock?: () => number;
	/** default false; GET /v1/worker-machines/queue-metrics/prometheus, as read in the source of 0.86.3 */
	prometheus?: boolean;
	/** What differs from the release, such as what later ones do */
	traits?: Partial<ReleaseTraits>;
	/** default false; all projects are sensitive, as read in the service's source at 0.92 */
	sensitiveProjects?: boolean;
	/**
	 * The response of Activepieces Cloud to a server that requests public templates: the catalog, filtered;
	 * nothing, because the server has no TEMPLATES_SOURCE_URL; 500, because it cannot reach Activepieces Cloud; or
	 * the 404 of Activepieces Cloud passed on with status 200, because the path does not exist there any more.
	 * Default 'catalogue' in 0.75, else 'unreachable'.
	 */
	templatesSource?: 'catalogue' | 'none' | 'unreachable' | 'gone';
	/** Routes to leave out, e.g. `['GET /v1/projects', 'GET /v1/user-invitations']` */
	without?: string[];
	/** default 0 (a free port); always on 127.0.0.1 */
	port?: number;
	/** default a fixed key of the real format */
	apiKey?: string;
	/** Uses HTTPS with a self-signed certificate */
	tls?: boolean;
}

/** One request as it arrived; `status` is 0 until the response (and stays 0 after a reset). */
export interface RecordedRequest {
	method: string;
	/** as sent, e.g. /api/v1/flows?limit=1 */
	url: string;
	/** without query and without /api */
	path: string;
	query: Record<string, unknown>;
	headers: IncomingHttpHeaders;
	/** the parsed body, undefined without one */
	body: unknown;
	status: number;
}

/** The effect of a fault on a request. */
export type FaultKind =
	| {
			status: number;
			shape?: 'application' | 'framework' | 'html';
			code?: string;
			message?: string;
			params?: Record<string, unknown>;
			headers?: Record<string, string>;
	  }
	/** ms before the normal response */
	| { delay: number }
	/** no response before this many requests have been in flight at once */
	| { untilInFlight: number }
	/** socket destroyed */
	| { reset: 'beforeHeaders' | 'inBody' }
	/** headers at once, the rest of the body after ms */
	| { slowBody: number }
	/** 200, JSON cut in the middle; content-length consistent unless the body ends with the connection */
	| { truncated: true; unframed?: true }
	/** 200 text/html web page */
	| { html: true }
	/** 200 application/json with an empty body */
	| { empty: true }
	/** 204 */
	| { noContent: true }
	/** this value JSON-encoded, or the string as it is when contentType is given; default with 200 */
	| { body: unknown; contentType?: string; status?: number }
	/**
	 * 200 with the result of a function of the request, JSON-encoded; it also receives how often it was
	 * applied, from 1
	 */
	| { answers: (request: RecordedRequest, n: number) => unknown }
	/** default 302 */
	| { redirect: string; status?: number }
	/** the normal page with another `next`; a function receives how often it was applied, from 1 */
	| { next: string | null | ((n: number) => string | null) }
	/** Maximum number of records on a page, whatever the limit */
	| { pageCap: number };

/** A fault and the requests it applies to. */
export interface Fault {
	/** default any */
	method?: string;
	/** matched against the path without /api: the whole text or a pattern; default any */
	path?: string | RegExp;
	/** only requests about this project, by `projectId` of the query; default any */
	projectId?: string;
	/** Number of matching requests that succeed first; default 0 */
	after?: number;
	/** How often it applies; default always */
	times?: number;
	/** The service carries out the request first; only its response is late, lost or another one; default false */
	done?: boolean;
	kind: FaultKind;
}

/** Valid and invalid credentials of the first platform. */
export interface Tokens {
	admin: string;
	/** session of a user with platformRole MEMBER */
	member: string;
	/** With a valid signature, but expired */
	expired: string;
	/** With an invalid signature */
	garbled: string;
	/** Of a session that a new password ended */
	revoked: string;
	deletedUser: string;
	/** In the format of an API key, but unknown */
	wrongKey: string;
}

/** A running stand-in. */
export interface Service {
	readonly release: Release;
	readonly edition: Edition;
	/** http://127.0.0.1:port, or https:// */
	readonly origin: string;
	/** origin + /api */
	readonly baseUrl: string;
	/** 'sk-' and 61 alphanumerics */
	readonly apiKey: string;
	/** a valid key of another platform on the same server */
	readonly otherPlatformKey: string;
	/** session token of the platform's admin */
	readonly userToken: string;
	/** A credential of each kind with a different response */
	readonly tokens: Tokens;
	/** The records of the first platform: deletes and updates change them */
	readonly data: ServiceData;
	/** every request in order of arrival */
	readonly requests: RecordedRequest[];
	readonly connections: { opened: number; peak: number };
	/** requests being handled */
	readonly inFlight: { now: number; peak: number };
	/** The accounts that can sign in, with their passwords; a test may change or add them */
	readonly accounts: Account[];
	/** Ends all sessions, as if they had expired: 401 from now on. */
	expireTokens(): void;
	/** Ends all sessions, as a new password does: 403 SESSION_EXPIRED from now on. */
	revokeTokens(): void;
	/** the plan's flags; a test may change them */
	readonly plan: Plan;
	/** Dates the changes: they are a second apart unless its `step` says otherwise */
	readonly time: Clock;
	/** Carries out changes of flows; with 'stopped' they wait */
	readonly worker: FlowWorker;
	/** Runs flows that are called */
	readonly webhooks: Webhooks;
	/** Changes by other people: new runs, flows, users and so on */
	readonly live: LiveChanges;
	/** Up to 0.79: carries out every change of a flow that is in progress, as far as the worker allows. */
	settleFlowChanges(): void;
	fault(fault: Fault): void;
	/** Calls back whenever a fault makes a request hang, for tests that do not wait for a time-out. */
	onHang(listener: () => void): void;
	/** Removes all faults. */
	clearFaults(): void;
	/** Empties requests and peaks. */
	clearRequests(): void;
	/** Ends at once, even with open keep-alive sockets and pending slow responses. */
	close(): Promise<void>;
}
