import { type Entry, numberOf, titleOf } from './har';

/**
 * Entries that are not compared, and why: by their request, or by part and title, of which a name with …
 * at its end is the beginning, with the recordings that differ unless all do.
 */
const TABLE: Array<{ reason: string; request?: RegExp; entries?: Record<string, string> }> = [
	{
		reason: 'The stand-in tells only the flags that the node reads.',
		request: /^GET .*\/flags$/,
	},
	{
		reason: 'The node calls webhooks by POST, and has no test calls.',
		request: /^(GET|PUT|PATCH|DELETE|HEAD) .*\/webhooks\/|^POST .*\/webhooks\/\w+\/test$/,
	},
	{
		reason: 'The node sends JSON, with its type and without ap-raw-payload.',
		entries: {
			'a: sync with ap-raw-payload: true and Authorization':
				'enterprise 0.79, enterprise 0.85, enterprise 0.86',
			'a: sync with ap-raw-payload: true and an Authorization header':
				'enterprise 0.79, enterprise 0.85, enterprise 0.86',
			'a: sync, XML': '',
			'a: sync, application/octet-stream': '',
			'a: sync, body without a Content-Type': 'enterprise 0.79',
			'a: sync, image/png': 'enterprise 0.79, enterprise 0.85, enterprise 0.86',
			'a: sync, multipart form-data with a file': '',
			'a: the link of an uploaded file, without a key': '',
		},
	},
	{
		reason: 'The flows of the stand-in run no code, read no headers, and know no secrets.',
		entries: {
			'a: authBasic: right, sync': '',
			'a: authHeader: right, sync': '',
			'a: that run failed although the caller got 200': '',
			'b: a flow that returns its connection, original': '',
			'b: it uses the connection of project Two': '',
			'b: its run': '',
			'b: the flow from…': '',
			'd: the new run': 'enterprise 0.79',
		},
	},
	{
		reason:
			'How far the recorded server had come at that moment: a second earlier or later the answer is another one.',
		entries: {
			'a: after the 20': '',
			'a: its run at that moment': 'enterprise 0.73, enterprise 0.85, enterprise 0.86',
			'a: its run, paused': 'enterprise 0.79',
			'a: right after the deletion, sync': '',
			'a: sync, JSON body, answered by Return Response with 201 and own headers': 'enterprise 0.85',
			'a: the paused flow, later': 'enterprise 0.79',
			'a: the run of that call in the list (newest of the flow)': 'enterprise 0.73',
			'a: worker started again, 12 s later: runs since the two calls (late starts)':
				'enterprise 0.86',
			'a/46: its run': 'enterprise 0.73',
			'b: DELETE twice': 'community 0.85, community 0.86',
			'b: DELETE a second time at once': 'enterprise 0.86',
			'b: GET right after': 'community 0.79, enterprise 0.79',
			'd: that running run': 'enterprise 0.73',
			't: list: next page': 'community 0.85',
		},
	},
	{
		reason: 'The stand-in takes every piece for one that is installed.',
		entries: {
			'b: publish it': 'enterprise 0.73, enterprise 0.79',
			'b: that flow afterwards': '',
			'b/74: publish it': 'enterprise 0.85, enterprise 0.86',
		},
	},
	{
		reason: 'The node sends no such fields.',
		entries: {
			'b: create with folderName (…': '',
			'b: create with metadata…': '',
			'd: cancel with status RUNNING': 'enterprise 0.79, enterprise 0.85, enterprise 0.86',
			'e: create with …': '',
			'e: releasesEnabled, icon, plan': '',
		},
	},
	{
		reason:
			'The node does no such operation on flows, and has no need of their templates and versions.',
		request: /\/flows\/\w+\/(template|versions)$/,
		entries: {
			'b: IMPORT_FLOW without request': '',
			'b: UPDATE_METADATA': '',
			'b: UPDATE_METADATA null': '',
			'b: USE_AS_DRAFT': '',
			'b: USE_AS_DRAFT, unknown version': '',
		},
	},
	{
		reason: 'The node makes, changes and replaces no connections, and asks for no owners.',
		request: /^POST .*\/(app|global)-connections|\/app-connections\/owners$/,
		entries: {
			'c: PLACEHOLDER over an existing connection': '',
			'c: key:…': '',
			'c: the published flow afterwards': '',
			'c: user token: is rep-a still there': '',
			'c: user token: is rep-b still there': 'enterprise 0.86',
			'c: user token: its published version': '',
			'c: user token: the draft flow afterwards': '',
			'c: user token: the published flow afterwards': '',
		},
	},
	{
		reason: 'Flows that were made between the entries, and that the stand-in has not.',
		entries: {
			'c: after an upsert of the same externalId: the new secret': '',
			'c: call after that (async)': '',
			'c: connection in ERROR: call': '',
			'c: flow reads its connection': '',
			'c: its run': '',
			'c: piece that is not installed': '',
			'c: replace, unknown source': '',
			'c: the flow keeps its reference and stays enabled': '',
		},
	},
	{
		reason: 'Names each operation that the service knows; the stand-in knows fewer.',
		entries: {
			'b: CHANGE_NAME without a name': 'enterprise 0.73',
			'b: UPDATE_METADATA text': 'enterprise 0.73',
			'b: USE_AS_DRAFT without versionId': 'enterprise 0.73',
		},
	},
	{
		reason: 'The node asks for no counts, and not for more than was recorded of these lists.',
		request: /\/flow-runs\/count-by-status$/,
		entries: {
			'd: in the FAILED list its place is by created, not by finishTime': 'enterprise 0.79',
			'd: running runs meanwhile': '',
		},
	},
	{
		reason: 'The node makes and changes no tables and columns, and reads them in lists only.',
		request: /^(GET|POST) .*\/(tables|fields)\/\w+$/,
		entries: {
			't: field: dropdown without options': 'enterprise 0.73',
			't: field: unknown type': 'enterprise 0.73',
		},
	},
	{
		reason:
			'Columns that are made with their table are made side by side, so that any may be the first.',
		entries: {
			't: 1 row of another table': 'enterprise 0.86, community 0.85',
			't: its fields': 'enterprise 0.86, community 0.85',
		},
	},
	{
		reason: 'Too little of the recorded answer was kept.',
		entries: { 'a: the same for a user token': 'enterprise 0.73' },
	},
];

interface Row {
	reason: string;
	name: string;
	isAbout: (entry: Entry, recording: string) => boolean;
}

const ROWS: Row[] = TABLE.flatMap(({ reason, request, entries = {} }) => [
	...(request ? [{ reason, name: String(request), isAbout: isSentAs(request) }] : []),
	...Object.entries(entries).flatMap(([name, on]) =>
		on.split(', ').map((recording) => ({ reason, name, isAbout: isNamed(name, recording) })),
	),
]);

/** By method and path, in the parts that compare values */
function isSentAs(request: RegExp): Row['isAbout'] {
	return ({ pageref, request: { method, url } }) =>
		(pageref < 'f' || pageref === 't') && request.test(`${method} ${new URL(url).pathname}`);
}

/** By part and title, or by part and number if two entries of a part have the same title */
function isNamed(name: string, recording: string): Row['isAbout'] {
	return (entry, on) => {
		if (recording !== '' && recording !== on) return false;
		const title = `${entry.pageref}: ${titleOf(entry)}`;
		if (name.endsWith('…')) return title.startsWith(name.slice(0, -1));
		return [title, `${numberOf(entry)}: ${titleOf(entry)}`].includes(name);
	};
}

/** Why an entry of a recording, such as `enterprise 0.85`, is not compared; undefined when it is. */
export const whyNot = (entry: Entry, recording: string): string | undefined =>
	ROWS.find(({ isAbout }) => isAbout(entry, recording))?.reason;

/** The rows of the table that match no entry of these recordings. */
export const rowsWithout = (all: Array<[recording: string, entry: Entry]>): string[] =>
	ROWS.filter(({ isAbout }) => !all.some(([on, entry]) => isAbout(entry, on))).map(
		({ name }) => name,
	);
