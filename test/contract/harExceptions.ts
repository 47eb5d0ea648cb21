import { type Entry, numberOf, titleOf } from './har';

/** What is not compared, and why: entries by part and title, with the recordings that differ unless all do. */
const TABLE: Array<{ reason: string; entries: Record<string, string> }> = [
	{
		reason: 'The stand-in tells only the flags that the node reads.',
		entries: {
			'a: flags without a key: those that matter for running flows': '',
			'a: flags without a token': '',
		},
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
			'b: the flow from 0.73 runs? (ENABLED, valid true)': '',
			'b: the flow from 0.79 runs? (ENABLED, valid true)': '',
			'b: the flow from 0.85 runs? (ENABLED, valid true)': '',
			'b: the flow from 0.86 runs? (ENABLED, valid true)': '',
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
			'b: create with folderName (existing, other letter case)': '',
			'b: create with folderName (new)': '',
			'b: create with folderName (new: is the folder made?)': '',
			'b: create with metadata': '',
			'b: create with metadata null': '',
			'd: cancel with status RUNNING': 'enterprise 0.79, enterprise 0.85',
			'e: create with maxConcurrentJobs': '',
			'e: create with nulls': '',
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
			'b: template': '',
			'b: template of a flow whose draft differs': '',
			'b: template of an EMPTY flow': '',
			'b: template of an unknown flow': '',
			'b: template of that flow': '',
			'b: template with versionId = the published one': '',
			'b: versions': '',
			'b: versions, key': '',
			'b: versions, user token': '',
		},
	},
	{
		reason: 'The node makes, changes and replaces no connections, and asks for no owners.',
		entries: {
			'c: PLACEHOLDER over an existing connection': '',
			'c: a global connection is made': '',
			'c: create BASIC_AUTH for a SECRET_TEXT piece': '',
			'c: create CUSTOM_AUTH': '',
			'c: create CUSTOM_AUTH without its required props': '',
			'c: create NO_AUTH': '',
			'c: create PLACEHOLDER (no value)': '',
			'c: create SECRET_TEXT': '',
			'c: create in an unknown project': '',
			'c: create with an empty name': '',
			'c: create with an empty secret': '',
			'c: create with externalId ""': '',
			'c: create with metadata': '',
			'c: create without externalId': '',
			'c: create without pieceVersion': '',
			'c: create without projectId': '',
			'c: create, no worker: how long does it take': '',
			'c: create, user token': '',
			'c: key: is rep-a still there': '',
			'c: key: is rep-b still there': '',
			'c: key: its published version': '',
			'c: key: the draft flow afterwards': '',
			'c: key: the published flow afterwards': '',
			'c: new value by id (ignored?)': '',
			'c: owners': '',
			'c: owners without projectId': '',
			'c: owners, user token': '',
			'c: piece whose check of the secret fails (no way out to the service)': '',
			'c: rename': '',
			'c: rename ""': '',
			'c: rename of a global connection': '',
			'c: rename with metadata': '',
			'c: rename {}': '',
			'c: rename, malformed id': '',
			'c: rename, unknown id': '',
			'c: replace': '',
			'c: replace by a connection of another piece': '',
			'c: replace by itself': '',
			'c: replace by the key once more, one published flow': '',
			'c: replace rec-8 by conn-telegram': '',
			'c: replace rep-a by rep-b, key': '',
			'c: replace rep-a by rep-b, user token': '',
			'c: replace rep-b by itself, key': '',
			'c: replace rep-b by itself, user token': '',
			'c: replace, user token': '',
			'c: same externalId in project Two': '',
			'c: scope PLATFORM in the body': '',
			'c: the published flow afterwards': '',
			'c: the same externalId again, other name and secret': '',
			'c: the same externalId for another piece': '',
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
		entries: {
			'a: the same for a user token': 'enterprise 0.73',
		},
	},
];

/** How the table names an entry: by its part, or by its number where two of a part have one title. */
const namesOf = (entry: Entry): string[] => [
	`${entry.pageref}: ${titleOf(entry)}`,
	`${numberOf(entry)}: ${titleOf(entry)}`,
];

const isOf = (on: string, recording: string) => on === '' || on.split(', ').includes(recording);

/** Why an entry of a recording, such as `enterprise 0.85`, is not compared; undefined when it is. */
export const whyNot = (entry: Entry, recording: string): string | undefined =>
	TABLE.find(({ entries }) =>
		namesOf(entry).some((name) => name in entries && isOf(entries[name], recording)),
	)?.reason;

/** The names in the table that no entry of these recordings has. */
export function namesWithout(all: Array<[recording: string, entry: Entry]>): string[] {
	const rows = TABLE.flatMap(({ entries }) => Object.entries(entries)).flatMap(([name, on]) =>
		on.split(', ').map((recording) => ({ name, recording })),
	);
	const there = new Set(
		all.flatMap(([recording, entry]) =>
			namesOf(entry).flatMap((name) => [`${name} `, `${name} ${recording}`]),
		),
	);
	return rows.map(({ name, recording }) => `${name} ${recording}`).filter((row) => !there.has(row));
}
