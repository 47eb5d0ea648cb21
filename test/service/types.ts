/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import type { IncomingHttpHeaders } from 'node:http';

import type { SIZES } from './data';
import type { FEATURES } from './records';
import type { ReleaseTraits } from './releases';
import type { Sessions } from './sessions';

/**
 * A release that the stand-in can imitate. 0.75 represents 0.74 to 0.76; it and 0.92 were only read in the
 * service's source. The others are compared with recordings.
 */
export type Release = '0.73' | '0.75' | '0.79' | '0.85' | '0.86' | '0.92';

export type Edition = 'enterprise' | 'community';

/** The features of a plan that the routes here check, with the service's names. */
export type Plan = Record<(typeof FEATURES)[number], boolean>;

/** Sizes of generated data, each with a default. */
export type DataSizes = Partial<typeof SIZES>;

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
	/**
	 * The public templates of Activepieces Cloud: the server passes on its 404 with status 200, because the path
	 * does not exist there any more; by default it does not reach Activepieces Cloud
	 */
	templatesSource?: 'gone';
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

/** The effect of a fault on a request: what precedes, changes or replaces the normal response. */
export interface FaultKind {
	/** What happens when the request has arrived; it is awaited, before the other effects */
	before?: () => Promise<void> | void;
	/** Responds with it: of the service, of its framework, or with the web page of a proxy */
	status?: number;
	shape?: 'application' | 'framework' | 'html';
	code?: string;
	message?: string;
	params?: Record<string, unknown>;
	headers?: Record<string, string>;
	/** Responds with 413 to a larger body, in bytes; with `shape: 'html'` a proxy does */
	maxBody?: number;
	/** 200 text/html web page */
	html?: true;
	/** 200 application/json with an empty body */
	empty?: true;
	/** 204 */
	noContent?: true;
	/** Responds with this value JSON-encoded, or with the string as it is when contentType is given */
	body?: unknown;
	contentType?: string;
	/** default with 302 */
	redirect?: string;
	/** The `body` for a request; it also receives how often it was applied, from 1 */
	answers?: (request: RecordedRequest, n: number) => unknown;
	/** ms before the normal response */
	delay?: number;
	/** no response before this many requests have been in flight at once */
	untilInFlight?: number;
	/** socket destroyed */
	reset?: 'beforeHeaders' | 'inBody';
	/** headers at once, the rest of the body after ms */
	slowBody?: number;
	/** 200, JSON cut in the middle; content-length consistent unless the body ends with the connection */
	truncated?: true;
	unframed?: true;
	/** the normal page with another `next` */
	next?: string | null;
	/** Maximum number of records on a page, whatever the limit */
	pageCap?: number;
}

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
export type Tokens = ReturnType<Sessions['tokensOf']>;
