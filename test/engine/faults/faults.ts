import type { Fault, FaultKind } from '../../service';
import { ROUTE_MISSING } from '../harness/routeMissing';
import type { Method } from './columns';

/** One row of the matrix: what the service does instead of answering as it should. */
export interface Row {
	area: 'statuses' | 'bodies' | 'connections';
	name: string;
	/** Also for operations that share their code with another one */
	isForAll?: true;
	/** The same in several forms, for example both shapes of an error; each is tried in each cell */
	kinds: FaultKind[];
	/** Once the service has done what it was asked; only its answer is another one */
	done?: boolean;
	/** What comes does not say whether it was done, so an operation that can look does so */
	isInDoubt?: true;
	/** Methods for which the request is sent again; none when left out */
	repeated?: readonly Method[];
	/** Methods that need nothing of what is amiss */
	harmless?: readonly Method[];
	/** What the message says */
	says: RegExp;
}

const ALL: readonly Method[] = ['GET', 'DELETE', 'POST'];
const NOT_POST: readonly Method[] = ['GET', 'DELETE'];

/** One status for each kind of message (`messageKind.ts`), and what is said to it. */
const STATUSES: Array<[status: number, says: RegExp]> = [
	[400, /did not accept the request|refused the request/],
	[401, /did not accept the API key|in front of Activepieces refused/],
	[402, /plan/],
	[403, /not allowed to|in front of Activepieces refused/],
	[404, /not found|has no .+ endpoint|web page|in front of Activepieces responded/],
	[409, /HTTP 409/],
	[413, /larger than the server accepts/],
	[500, /could not process the request/],
];

/** Answers that a proxy in front of the service gives as a web page. */
const PAGES = [403, 404, 502];

/** The statuses that are repeated, for which methods, and what is said when that does not help. */
const TRANSIENT: Array<[status: number, repeated: readonly Method[], says: RegExp]> = [
	[408, NOT_POST, /HTTP 408/],
	[425, ALL, /HTTP 425/],
	[429, ALL, /too many requests/],
	[502, NOT_POST, /not available behind its proxy/],
	[504, NOT_POST, /not available behind its proxy/],
	[520, NOT_POST, /HTTP 520/],
];

/** What is different for each operation: what was not found, and that a change may have been made. */
const FOR_ALL = [404, 502];

const statusRow = (status: number, says: RegExp, repeated?: readonly Method[]): Row => ({
	area: 'statuses',
	isForAll: FOR_ALL.includes(status) || undefined,
	name: `${status}`,
	kinds: [
		{ status, shape: 'application' },
		...(PAGES.includes(status) ? [{ status, shape: 'html' } as const] : []),
	],
	repeated,
	says,
});

const statusRows: Row[] = [
	...STATUSES.map(([status, says]) => statusRow(status, says)),
	...TRANSIENT.map(([status, repeated, says]) => statusRow(status, says, repeated)),
	{ ...statusRow(503, /not available behind its proxy/, ALL), name: '503 of the service' },
	{
		area: 'statuses',
		name: '503 of a proxy',
		kinds: [{ status: 503, shape: 'html' }],
		repeated: NOT_POST,
		says: /not available behind its proxy/,
	},
];

const form = /does not have the expected format/;
const noJson = /is incomplete or is not JSON/;

/** The service has done what it was asked and says so with 2xx, but with a body of another kind. */
const body = (name: string, says: RegExp, ...kinds: FaultKind[]): Row => ({
	area: 'bodies',
	name,
	kinds,
	done: true,
	isInDoubt: true,
	says,
});

/** The same where a delete, which is confirmed without a body, lacks nothing. */
const bodyBut = (...given: Parameters<typeof body>): Row => ({
	...body(...given),
	harmless: ['DELETE'],
});

const bodyRows: Row[] = [
	{
		area: 'bodies',
		name: 'a web page with 200',
		kinds: [{ html: true }, { body: 'Welcome', contentType: 'text/html' }],
		says: /web page/,
	},
	bodyBut('an empty body', form, { empty: true }),
	bodyBut('204', form, { noContent: true }),
	{ area: 'bodies', name: 'an object of another API', kinds: [{ body: { ok: true } }], says: form },
	bodyBut('half a JSON text', noJson, { truncated: true }),
	{
		...bodyBut('half a JSON text that ends with the connection', noJson, {
			truncated: true,
			unframed: true,
		}),
		repeated: ['GET'],
	},
	body('a number', form, { body: 5 }),
	body('true', form, { body: true }),
	body('a text', noJson, { body: 'text' }, { body: 'text', contentType: 'text/plain' }),
	body('an object without what was asked for', form, { body: {} }, { body: { next: null } }),
	body('`data: null`', form, { body: { data: null, next: null, previous: null } }),
	body('`data` that is no list', form, { body: { data: 5 } }, { body: { data: {} } }),
	body('`data` of other things than records', form, { body: { data: [1, null], next: null } }),
	body('a `next` that is no text', form, { body: { data: [], next: 7 } }),
];

const redirect = (name: string, to: string): Row => ({
	area: 'connections',
	name,
	kinds: [301, 302, 307, 308].map((status) => ({ redirect: to, status })),
	says: /redirects to/,
});

const cut = /closed the connection/;
const late = /did not respond in time/;

const connectionRows: Row[] = [
	{
		area: 'connections',
		name: 'cut before the answer',
		kinds: [{ reset: 'beforeHeaders' }],
		repeated: NOT_POST,
		says: cut,
	},
	{
		area: 'connections',
		name: 'cut before the answer, when it was done',
		isForAll: true,
		kinds: [{ reset: 'beforeHeaders' }],
		done: true,
		isInDoubt: true,
		repeated: NOT_POST,
		says: cut,
	},
	{
		area: 'connections',
		name: 'cut in the answer',
		kinds: [{ reset: 'inBody' }],
		done: true,
		isInDoubt: true,
		repeated: ['GET'],
		harmless: ['DELETE'],
		says: cut,
	},
	{
		area: 'connections',
		name: 'no answer in time',
		kinds: [{ delay: 60_000 }],
		repeated: NOT_POST,
		says: late,
	},
	{
		area: 'connections',
		name: 'no answer in time, when it was done',
		kinds: [{ delay: 60_000 }],
		done: true,
		isInDoubt: true,
		repeated: NOT_POST,
		says: late,
	},
	{
		area: 'connections',
		name: 'an answer that does not end in time',
		kinds: [{ slowBody: 60_000 }],
		done: true,
		isInDoubt: true,
		repeated: ['GET'],
		harmless: ['DELETE'],
		says: late,
	},
	{
		area: 'connections',
		name: '502, 504 or the 503 of a proxy, when it was done',
		kinds: [{ status: 502 }, { status: 504, shape: 'html' }, { status: 503, shape: 'html' }],
		done: true,
		isInDoubt: true,
		repeated: NOT_POST,
		says: /not available behind its proxy/,
	},
	{
		area: 'connections',
		name: '503 of the service, when it was done',
		kinds: [{ status: 503 }],
		done: true,
		isInDoubt: true,
		repeated: ALL,
		says: /not available behind its proxy/,
	},
	{
		area: 'connections',
		name: 'a wait of 2 seconds asked for',
		kinds: [429, 503].map((status) => ({ status, headers: { 'retry-after': '2' } })),
		repeated: ALL,
		says: /too many requests|not available/,
	},
	{
		area: 'connections',
		name: 'a wait of an hour asked for',
		kinds: [429, 503].map((status) => ({ status, headers: { 'retry-after': '3600' } })),
		says: /too many requests|not available/,
	},
	redirect('a redirect on the same server', '/api/v1/elsewhere'),
	redirect('a redirect to another server', 'https://other.example/api/v1/folders'),
	{
		area: 'connections',
		name: 'the route is missing',
		isForAll: true,
		kinds: [ROUTE_MISSING],
		says: /has no endpoint|did not accept the value of "projectId"/,
	},
];

export const rows: Row[] = [...statusRows, ...bodyRows, ...connectionRows];

/** The fault of a row in one of its forms. */
export const faultOf = ({ done }: Row, kind: FaultKind): Pick<Fault, 'kind' | 'done'> => ({
	kind,
	done,
});
