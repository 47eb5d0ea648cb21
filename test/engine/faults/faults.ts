import type { Fault, FaultKind } from '../../service';
import type { Method } from './columns';

/** One row of the matrix: what the service does instead of answering as it should. */
export interface Row {
	name: string;
	/** The same in several forms, for example both shapes of an error; each is tried in each cell */
	kinds: FaultKind[];
	/** Once the service has done what it was asked; only its answer is another one */
	done?: boolean;
	/** The service did it, and nobody heard of it: an operation that looks afterwards finds it done */
	isLost?: true;
	/** Methods for which the request is sent again; none when left out */
	repeated?: readonly Method[];
	/** Methods that need nothing of what is amiss */
	harmless?: readonly Method[];
	/** What the message says */
	says: RegExp;
	/** Milliseconds of Timeout under Request Options, for answers that are too slow */
	timeout?: number;
}

const ALL: readonly Method[] = ['GET', 'DELETE', 'POST'];
const NOT_POST: readonly Method[] = ['GET', 'DELETE'];

/** Every status from 400 to 504 that HTTP has a meaning for (IANA's registry), and what is said to it. */
const STATUSES: Array<[status: number, says: RegExp]> = [
	[400, /did not accept the request|refused the request/],
	[401, /does not accept the API key|in front of Activepieces refused/],
	[402, /plan/],
	[403, /may not|in front of Activepieces refused/],
	[404, /not found|does not know|web page|in front of Activepieces answered/],
	[405, /HTTP 405|web page/],
	...[406, 407, 408].map((status): [number, RegExp] => [status, new RegExp(`HTTP ${status}`)]),
	[409, /HTTP 409/],
	...[410, 411, 412].map((status): [number, RegExp] => [status, new RegExp(`HTTP ${status}`)]),
	[413, /larger than the server accepts/],
	[414, /larger than the server accepts/],
	...[415, 416, 417, 421, 422, 423, 424, 425, 426, 428].map((status): [number, RegExp] => [
		status,
		new RegExp(`HTTP ${status}`),
	]),
	[429, /too many requests/],
	[431, /larger than the server accepts/],
	[451, /HTTP 451/],
	[500, /could not process the request/],
	[501, /could not process the request/],
	[502, /not available behind its proxy/],
	[503, /not available behind its proxy/],
	[504, /not available behind its proxy/],
];

/** Answers that a proxy in front of the service gives as a web page, or as a line of text. */
const PAGES = [403, 404, 405, 500, 502, 503, 504];

const lineOfText = (status: number): FaultKind => ({
	status,
	body: `${status} from the proxy`,
	contentType: 'text/plain',
});

const REPEATED: Record<number, readonly Method[]> = {
	429: ALL,
	502: NOT_POST,
	503: ALL,
	504: NOT_POST,
};

export const statusRows: Row[] = STATUSES.map(([status, says]) => ({
	name: `${status}`,
	kinds: [
		{ status, shape: 'application' },
		{ status, shape: 'framework' },
		...(PAGES.includes(status) ? [{ status, shape: 'html' } as const, lineOfText(status)] : []),
	],
	repeated: REPEATED[status],
	says,
}));

const form = /does not have the expected form/;
const noJson = /is incomplete or not JSON/;

/** The service has done what it was asked and says so with 2xx, but with a body of another kind. */
const body = (name: string, says: RegExp, ...kinds: FaultKind[]): Row => ({
	name,
	kinds,
	done: true,
	says,
});

/** The same where a delete, which is confirmed without a body, lacks nothing. */
const bodyBut = (...given: Parameters<typeof body>): Row => ({
	...body(...given),
	harmless: ['DELETE'],
});

export const bodyRows: Row[] = [
	{
		name: 'a web page with 200',
		kinds: [{ html: true }, { body: 'Welcome', contentType: 'text/html' }],
		says: /web page/,
	},
	bodyBut('an empty body', form, { empty: true }),
	bodyBut('204', form, { noContent: true }),
	{ name: 'an object of another API', kinds: [{ body: { ok: true } }], says: form },
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
	name,
	kinds: [301, 302, 307, 308].map((status) => ({ redirect: to, status })),
	says: /redirects to/,
});

const cut = /closed the connection/;
const late = /did not answer in time/;

export const connectionRows: Row[] = [
	{
		name: 'cut before the answer',
		kinds: [{ reset: 'beforeHeaders' }],
		repeated: NOT_POST,
		says: cut,
	},
	{
		name: 'cut before the answer, when it was done',
		kinds: [{ reset: 'beforeHeaders' }],
		done: true,
		isLost: true,
		repeated: NOT_POST,
		says: cut,
	},
	{
		name: 'cut in the answer',
		kinds: [{ reset: 'inBody' }],
		done: true,
		isLost: true,
		repeated: ['GET'],
		harmless: ['DELETE'],
		says: cut,
	},
	{
		name: 'no answer in time',
		kinds: [{ delay: 60_000 }],
		repeated: NOT_POST,
		says: late,
		timeout: 500,
	},
	{
		name: 'no answer in time, when it was done',
		kinds: [{ delay: 60_000 }],
		done: true,
		isLost: true,
		repeated: NOT_POST,
		says: late,
		timeout: 500,
	},
	{
		name: 'an answer that does not end in time',
		kinds: [{ slowBody: 60_000 }],
		done: true,
		isLost: true,
		repeated: ['GET'],
		harmless: ['DELETE'],
		says: late,
		timeout: 500,
	},
	{
		name: '502 or 504, when it was done',
		kinds: [{ status: 502 }, { status: 504, shape: 'html' }],
		done: true,
		isLost: true,
		repeated: NOT_POST,
		says: /not available behind its proxy/,
	},
	{
		name: '503, when it was done',
		kinds: [{ status: 503 }],
		done: true,
		repeated: ALL,
		says: /not available behind its proxy/,
	},
	{
		name: 'a wait of 2 seconds asked for',
		kinds: [429, 503].map((status) => ({ status, headers: { 'retry-after': '2' } })),
		repeated: ALL,
		says: /too many requests|not available/,
	},
	{
		name: 'a wait of an hour asked for',
		kinds: [429, 503].map((status) => ({ status, headers: { 'retry-after': '3600' } })),
		says: /too many requests|not available/,
	},
	redirect('a redirect on the same server', '/api/v1/elsewhere'),
	redirect('a redirect to another server', 'https://other.example/api/v1/folders'),
	{
		name: 'the route is missing',
		kinds: [{ status: 404, shape: 'framework', message: 'Route not found' }],
		says: /has no endpoint|did not accept the value of "projectId"/,
	},
];

/** The fault of a row in one of its forms. */
export const faultOf = ({ done }: Row, kind: FaultKind): Pick<Fault, 'kind' | 'done'> => ({
	kind,
	done,
});
