import { type Form, formOf, type Row } from './table';

/** How a flow stands. */
interface FlowState {
	status: string;
	operationStatus: string;
	published: boolean;
	state: string;
}

/** Names and times of the rows that the recorded server had at first. */
export interface Seed {
	personal: string;
	folders: Array<{ displayName: string; created: string }>;
	invitations: Array<{ email: string; type: 'PLATFORM' | 'PROJECT'; created: string }>;
	users: Array<{ email: string; firstName: string; lastName: string; created: string }>;
}

/** What was done to the recorded server before an exchange. */
export interface Before {
	seed?: Seed;
	/** drafts that got a valid webhook trigger, and those of them that were published as well */
	webhooks?: string[];
	published?: string[];
	/** the sixty runs: when, and of which flows in turn */
	runs?: { at: string; flows: string[]; unpublished: string };
	runsOfProject2?: number;
	/** runs of a published flow, named `run:any:1` and so on */
	goodRuns?: number;
	/** when it was recorded, where rows of one second matter */
	time?: string;
	personalInvitation?: true;
	/** CHANGE_STATUS ENABLED of the same flow, just before */
	enable?: true;
	hook?: 'works' | 'fails';
	worker?: 'stopped';
	/** another user edited the flow within the last minute */
	edited?: true;
}

/** One recorded exchange of the operations beyond the contract. */
export interface LaterRow extends Omit<Row, 'plan' | 'next' | 'previous'> {
	plan?: 'projectRolesEnabled';
	next?: true | null;
	previous?: true | null;
	/** of an answer that is a number */
	value?: number;
	/** of an answer that is an array: how many */
	elements?: number;
	/** of a flow: status and operationStatus */
	state?: [string, string];
	/** of an answer whose recording was cut off: more fields than these were there */
	partial?: true;
	/** the flow after a change, at once and in the end */
	then?: { atOnce?: FlowState; settled: FlowState };
	before?: Before;
	/** of a list, page by page to its end: how many rows there are, how many were seen in how many pages */
	walk?: { rows: number; seen: number; pages?: number };
}

/** The parts of a row that tell the answer. */
const ANSWER = [
	'status',
	'type',
	'empty',
	'error',
	'value',
	'elements',
	'keys',
	'count',
	'next',
	'previous',
	'first',
	'last',
	'item',
	'fields',
	'displayName',
	'state',
] as const;

type Told = Partial<Record<(typeof ANSWER)[number], unknown>>;

/** What a row says the answer was. */
export function toldBy(row: LaterRow): Told {
	return Object.fromEntries(ANSWER.filter((key) => key in row).map((key) => [key, row[key]]));
}

type Json = Record<string, unknown>;

/** What an answer shows of the things a row tells: nothing is compared that the row leaves out. */
export function shownBy(
	row: LaterRow,
	{ status, type, body }: { status: number; type: string | null; body: string },
): Told {
	if (body === '') return { status, type, empty: true };
	if (type !== 'application/json') return { status, type };
	const shown: Told = { status, type, ...shownByJson(row, JSON.parse(body), status) };
	// Of a wrong answer all is kept, so that the difference is seen.
	if (status !== row.status) return shown;
	return Object.fromEntries(Object.entries(shown).filter(([key]) => key in row));
}

function shownByJson(row: LaterRow, json: unknown, status: number): Told {
	if (typeof json === 'number') return { value: json };
	const cut = (form: Form, told: Form | undefined) => (row.partial ? pick(form, told) : form);
	if (Array.isArray(json)) {
		const item = json.length > 0 ? { item: cut(formOf(json[0]), row.item) } : {};
		return { elements: json.length, ...item };
	}
	const { data, next, previous, ...rest } = json as Json;
	if (status >= 400) return { error: errorOf(json as Json) };
	if (!Array.isArray(data)) {
		const { displayName, status: state, operationStatus } = rest;
		const fields = cut(formOf(json), row.fields);
		return { fields, displayName, state: [state, operationStatus] };
	}
	return {
		keys: Object.keys(json as Json).sort(),
		count: data.length,
		next: typeof next === 'string' ? true : next,
		previous: typeof previous === 'string' ? true : previous,
		first: data[0] && nameOf(data[0] as Json),
		last: data[0] && nameOf(data[data.length - 1] as Json),
		item: data[0] && cut(formOf(data[0]), row.item),
	};
}

/** The role in `params` is another one here. */
function errorOf(json: Json) {
	const { code = null, message, params } = json as Json & { params?: Json | null };
	const told: Json = { ...params };
	delete told.projectRole;
	const text = (message ?? told.message ?? '') as string;
	const error = { keys: Object.keys(json).sort(), code, message: text || null };
	return params ? { ...error, params: told } : error;
}

/** The fields of a form that were told, those of objects in it as well. */
function pick(form: Form, told: Form | undefined): Form {
	if (!isFields(form) || !isFields(told)) return form;
	const kept = Object.keys(told).filter((key) => key in form);
	return Object.fromEntries(kept.map((key) => [key, pick(form[key], told[key])]));
}

function isFields(form: Form | undefined): form is { [field: string]: Form } {
	return typeof form === 'object' && !Array.isArray(form);
}

function nameOf(row: Json): unknown {
	const of = (key: string) => (row[key] as Json | undefined)?.displayName;
	return row.displayName ?? row.email ?? of('version') ?? of('flowVersion');
}

/** How a flow stands, as GET shows it. */
export function stateOf(body: string): FlowState {
	const flow = JSON.parse(body) as Json & { version: Json };
	return {
		status: String(flow.status),
		operationStatus: String(flow.operationStatus),
		published: flow.publishedVersionId !== null,
		state: String(flow.version.state),
	};
}
