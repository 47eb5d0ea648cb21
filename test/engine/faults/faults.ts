import type { Method } from '../../operations/facts';
import { ROUTE_MISSING, type FaultKind } from '../../service';

/** One row of the matrix: what the service does instead of responding as it should. */
export interface Row {
	area: 'statuses' | 'bodies' | 'connections';
	name: string;
	/** Also for operations that share their code with another one: all of them, or those that read a list */
	isFor?: 'all' | 'lists';
	/** The same fault in several forms; columns that share their code with another one use the first */
	kinds: FaultKind[];
	/** Whether the service has carried out the request, and only its response differs */
	done?: boolean;
	/** Whether the response leaves the outcome unknown, so that an operation that can check it does so */
	isInDoubt?: true;
	/** The text of the message */
	says: RegExp;
}

/**
 * What the node does with a request of each method. A lasting fault ends in its message:
 *
 * - `message`: fails at once
 * - `repeat`: sends the request again
 * - `right`: takes the response, because nothing is missing: a delete is confirmed without a body
 */
const MATRIX = `
                                                  GET      DELETE   POST
400                                               message  message  message
401                                               message  message  message
402                                               message  message  message
403                                               message  message  message
404                                               message  message  message
408                                               repeat   repeat   message
409                                               message  message  message
413                                               message  message  message
425                                               repeat   repeat   repeat
429                                               repeat   repeat   repeat
500                                               message  message  message
502                                               repeat   repeat   message
503                                               repeat   repeat   repeat
504                                               repeat   repeat   message
520                                               repeat   repeat   message
503 of a proxy                                    repeat   repeat   message
a web page with 200                               message  message  message
nothing                                           message  right    message
an object of another API                          message  message  message
half a JSON text                                  message  right    message
half a JSON text that ends with the connection    repeat   right    message
a number or true                                  message  message  message
a text                                            message  message  message
an object with nothing in it                      message  message  message
\`data: null\`                                      message  message  message
\`data\` that is no list                            message  message  message
\`data\` of no records                              message  message  message
a \`next\` that is no text                          message  message  message
cut before the answer                             repeat   repeat   message
cut before the answer, when it was done           repeat   repeat   message
cut in the answer                                 repeat   right    message
no answer in time                                 repeat   repeat   message
no answer in time, when it was done               repeat   repeat   message
an answer that does not end in time               repeat   right    message
502, 504 or the 503 of a proxy, when it was done  repeat   repeat   message
a wait of 2 seconds asked for                     repeat   repeat   repeat
a wait of an hour asked for                       message  message  message
a redirect on the same server                     message  message  message
a redirect to another server                      message  message  message
the route is missing                              message  message  message
`;

type Reaction = 'message' | 'repeat' | 'right';

const reactions = new Map(
	MATRIX.trim()
		.split('\n')
		.slice(1)
		.map((line) => {
			const [name, GET, DELETE, POST] = line.trim().split(/ {2,}/) as [string, ...Reaction[]];
			return [name, { GET, DELETE, POST } as Partial<Record<Method, Reaction>>];
		}),
);

export const reactionTo = ({ name }: Row, method: Method) => reactions.get(name)![method];

/** One status for each kind of message (`messages.ts`), and those that are repeated, with its message. */
const STATUSES: Array<[status: number, says: RegExp]> = [
	[400, /did not accept the (request|imported flow)|refused the request/],
	[401, /did not accept the API key|in front of Activepieces refused/],
	[402, /plan/],
	[403, /not allowed to|in front of Activepieces refused/],
	[404, /not found|has no .+ endpoint|web page|in front of Activepieces responded/],
	[408, /HTTP 408/],
	[409, /HTTP 409/],
	[413, /larger than the server accepts/],
	[425, /HTTP 425/],
	[429, /too many requests/],
	[500, /could not (?:process the request|change flow)/],
	[502, /is unavailable/],
	[503, /is unavailable/],
	[504, /is unavailable/],
	[520, /HTTP 520/],
];

const statusRows: Row[] = [
	...STATUSES.map(([status, says]): Row => {
		// Of a proxy in front of the service, with a web page.
		const pages = [403, 404, 502].includes(status) ? [{ status, shape: 'html' } as const] : [];
		return {
			...{ area: 'statuses', name: `${status}`, says },
			// For each operation differs which record was not found, and that a change may have been made.
			isFor: [404, 502].includes(status) ? 'all' : undefined,
			kinds: [{ status, shape: 'application' }, ...pages],
		};
	}),
	{
		...{ area: 'statuses', name: '503 of a proxy', says: /is unavailable/ },
		kinds: [{ status: 503, shape: 'html' }],
	},
];

/** The service carried out the request, and the response does not say so. */
const doubt = { done: true, isInDoubt: true } as const;
const isNotDone = { done: undefined, isInDoubt: undefined };

const form = /does not have the expected format/;
const noJson = /is incomplete or is not JSON/;

/** The service has carried out the request and responds with 2xx, but with another kind of body. */
const body = (name: string, says: RegExp, kinds: FaultKind[], more: Partial<Row> = {}): Row => {
	return { area: 'bodies', name, kinds, says, ...doubt, ...more };
};

const forAll = { isFor: 'all' } as const;
/** For other operations it is an object of another API. */
const forLists = { isFor: 'lists' } as const;

const bodyRows: Row[] = [
	body(
		'a web page with 200',
		/web page/,
		[{ html: true }, { body: 'Welcome', contentType: 'text/html' }],
		{ ...forAll, ...isNotDone },
	),
	body('nothing', form, [{ empty: true }, { noContent: true }], forAll),
	body('an object of another API', form, [{ body: { ok: true } }], isNotDone),
	body('half a JSON text', noJson, [{ truncated: true }]),
	body('half a JSON text that ends with the connection', noJson, [
		{ truncated: true, unframed: true },
	]),
	// A whole number may be a count.
	body('a number or true', form, [{ body: 5.5 }, { body: true }], forAll),
	body('a text', noJson, [{ body: 'text' }, { body: 'text', contentType: 'text/plain' }]),
	body('an object with nothing in it', form, [{ body: {} }, { body: { next: null } }], forAll),
	body('`data: null`', form, [{ body: { data: null, next: null, previous: null } }], forLists),
	body('`data` that is no list', form, [{ body: { data: 5 } }, { body: { data: {} } }], forLists),
	body('`data` of no records', form, [{ body: { data: [1, null], next: null } }], forLists),
	body('a `next` that is no text', form, [{ body: { data: [], next: 7 } }], forLists),
];

const connection = (name: string, says: RegExp, kinds: FaultKind[], more: Partial<Row> = {}) =>
	({ area: 'connections', name, kinds, says, ...more }) satisfies Row;

const cut = /closed the connection/;
const late = /did not respond in time/;
const away = /is unavailable/;
const busy = /too many requests|unavailable/;
const redirected = /redirects to/;
const withStatuses = <T extends object>(more: T, ...statuses: number[]) =>
	statuses.map((status) => ({ ...more, status }));
const after = (seconds: string) => withStatuses({ headers: { 'retry-after': seconds } }, 429, 503);
const redirects = (redirect: string, ...statuses: number[]) =>
	withStatuses({ redirect }, ...statuses);
const away502 = [{ status: 502 }, ...withStatuses({ shape: 'html' } as const, 504, 503)];
const hungUp = { reset: 'beforeHeaders' } as const;
/** The service has carried out the request, and its response is lost. */
const lost = doubt;
const elsewhere = 'https://other.example/api/v1/folders';

const connectionRows: Row[] = [
	connection('cut before the answer', cut, [hungUp]),
	connection('cut before the answer, when it was done', cut, [hungUp], { ...lost, ...forAll }),
	connection('cut in the answer', cut, [{ reset: 'inBody' }], lost),
	connection('no answer in time', late, [{ delay: 60_000 }]),
	connection('no answer in time, when it was done', late, [{ delay: 60_000 }], lost),
	connection('an answer that does not end in time', late, [{ slowBody: 60_000 }], lost),
	connection('502, 504 or the 503 of a proxy, when it was done', away, away502, lost),
	connection('a wait of 2 seconds asked for', busy, after('2')),
	connection('a wait of an hour asked for', busy, after('3600')),
	connection('a redirect on the same server', redirected, redirects('/api/v1/elsewhere', 301, 307)),
	connection('a redirect to another server', redirected, redirects(elsewhere, 302, 308)),
	connection(
		'the route is missing',
		/This Activepieces server has no |did not accept the value of "projectId"/,
		[ROUTE_MISSING],
		forAll,
	),
];

export const rows: Row[] = [...statusRows, ...bodyRows, ...connectionRows];
