import { type Entry, numberOf, titleOf } from './har';

/**
 * What is not compared, and why: entries by part and title, of which a name with … at its end is the beginning,
 * and the recordings that differ unless all do.
 */
const TABLE: Array<{ reason: string; entries: Record<string, string> }> = [
	{
		reason: 'The stand-in tells only the flags that the node reads.',
		entries: { 'a: flags…': '' },
	},
	{
		reason: 'The node calls webhooks by POST, and has no test calls.',
		entries: {
			'a: EMPTY trigger, draft: /test': '',
			'a: async, GET with query': '',
			'a: never published: /test': '',
			'a: published and disabled: /test': '',
			'a: published, draft edited since: /test': '',
			'a: sync, DELETE': '',
			'a: sync, GET with query (the flow reads only the body)': '',
			'a: sync, HEAD': '',
			'a: sync, PATCH': '',
			'a: sync, PUT': '',
		},
	},
	{
		reason: 'The node sends JSON, with its type and without ap-raw-payload.',
		entries: {
			'a: sync with ap-raw-payload: true and Authorization': 'enterprise 0.79, enterprise 0.85',
			'a: sync with ap-raw-payload: true and an Authorization header':
				'enterprise 0.79, enterprise 0.85',
			'a: sync, XML': '',
			'a: sync, application/octet-stream': '',
			'a: sync, body without a Content-Type': 'enterprise 0.79',
			'a: sync, image/png': 'enterprise 0.79, enterprise 0.85',
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
			'a: its run at that moment': 'enterprise 0.73, enterprise 0.85',
			'a: its run, paused': 'enterprise 0.79',
			'a: right after the deletion, sync': '',
			'a: sync, JSON body, answered by Return Response with 201 and own headers': 'enterprise 0.85',
			'a: the paused flow, later': 'enterprise 0.79',
			'a: the run of that call in the list (newest of the flow)': 'enterprise 0.73',
			'a/46: its run': 'enterprise 0.73',
			'b: DELETE twice': 'community 0.85, community 0.86',
			'b: GET right after': 'community 0.79, enterprise 0.79',
			'd: that running run': 'enterprise 0.73',
			'e: its flow': 'enterprise 0.85',
			'e: the webhook of its flow': 'enterprise 0.85',
		},
	},
	{
		reason: 'The stand-in takes every piece for one that is installed.',
		entries: {
			'b: publish it': 'enterprise 0.73, enterprise 0.79',
			'b: that flow afterwards': '',
			'b/74: publish it': 'enterprise 0.85',
		},
	},
	{
		reason: 'The node sends no such fields.',
		entries: {
			'b: create with folderName (…': '',
			'b: create with metadata…': '',
			'd: cancel with status RUNNING': 'enterprise 0.79, enterprise 0.85',
			'e: create with …': '',
			'e: releasesEnabled, icon, plan': '',
		},
	},
	{
		reason:
			'The node does no such operation on flows, and has no need of their templates and versions.',
		entries: {
			'b: IMPORT_FLOW without request': '',
			'b: UPDATE_METADATA': '',
			'b: UPDATE_METADATA null': '',
			'b: USE_AS_DRAFT': '',
			'b: USE_AS_DRAFT, unknown version': '',
			'b: its template': '',
			'b: template…': '',
			'b: versions…': '',
		},
	},
	{
		reason: 'The node makes, changes and replaces no connections, and asks for no owners.',
		entries: {
			'c: PLACEHOLDER over an existing connection': '',
			'c: a global connection is made': '',
			'c: create…': '',
			'c: key:…': '',
			'c: new value by id (ignored?)': '',
			'c: owners…': '',
			'c: piece whose check of the secret fails (no way out to the service)': '',
			'c: rename…': '',
			'c: replace': '',
			'c: replace …': '',
			'c: replace, user token': '',
			'c: same externalId in project Two': '',
			'c: scope PLATFORM in the body': '',
			'c: the published flow afterwards': '',
			'c: the same externalId…': '',
			'c: type and value.type differ': '',
			'c: user token: is rep-a still there': '',
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
		entries: {
			'd: count-by-status': '',
			'd: in the FAILED list its place is by created, not by finishTime': '',
			'd: running runs meanwhile': '',
		},
	},
	{
		reason: 'Too little of the recorded answer was kept.',
		entries: { 'a: the same for a user token': 'enterprise 0.73' },
	},
];

const ROWS = TABLE.flatMap(({ reason, entries }) =>
	Object.entries(entries).flatMap(([name, on]) =>
		on.split(', ').map((recording) => ({ reason, name, recording })),
	),
);

/** Whether a row is about an entry: by part and title, or by part and number where two of a part have one title. */
function isAbout({ name, recording }: (typeof ROWS)[number], entry: Entry, on: string): boolean {
	if (recording !== '' && recording !== on) return false;
	const title = `${entry.pageref}: ${titleOf(entry)}`;
	if (name.endsWith('…')) return title.startsWith(name.slice(0, -1));
	return [title, `${numberOf(entry)}: ${titleOf(entry)}`].includes(name);
}

/** Why an entry of a recording, such as `enterprise 0.85`, is not compared; undefined when it is. */
export const whyNot = (entry: Entry, recording: string): string | undefined =>
	ROWS.find((row) => isAbout(row, entry, recording))?.reason;

/** The names in the table that no entry of these recordings has. */
export const namesWithout = (all: Array<[recording: string, entry: Entry]>): string[] =>
	ROWS.filter((row) => !all.some(([recording, entry]) => isAbout(row, entry, recording))).map(
		({ name, recording }) => `${name} ${recording}`,
	);
