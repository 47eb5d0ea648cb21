import type { Service } from '../service/index';
import { makeId } from '../service/ids';
import type { FlowRunStatus } from '../service/flowRunRecords';
import type { ConnectionRecord, FlowRecord, FlowVersionRecord, TableRow } from '../service/records';
import { TRAITS } from '../service/releases';
import { INPUT } from '../service/routes/webhooks';
import { type Answer, stepsOf } from '../service/webhookSteps';
import type { Entry, Ids, Json, JsonObject } from './har';
import { isId, isObject, jsonOf, titleOf } from './har';

/** A flow that existed before the recording, which contains only calls of it. */
interface CalledFlow {
	kind?: string;
	input?: object;
	answer?: Answer;
	end?: 'fails' | 'isSlow';
	published?: boolean;
	enabled?: boolean;
	trigger?: 'empty';
	/** In the second project */
	isElsewhere?: boolean;
	/** In the project that the part created first */
	isInNew?: boolean;
}

const got = { ok: true, got: INPUT };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const ORDERS: CalledFlow = {
	answer: {
		status: 201,
		headers: { 'x-flow': 'orders', ...JSON_TYPE },
		body: { ok: true, result: got },
	},
};
const CE_ORDERS: CalledFlow = {
	answer: { status: 201, headers: { 'x-flow': 'ce' }, body: { got } },
};
const guarded = (authType: string, authFields: object): CalledFlow => ({
	input: { authType, authFields },
	answer: { body: { got: '' } },
});
const answers = (body: Answer['body']): CalledFlow => ({ answer: { body } });
const OFF = { enabled: false };
const HEADER = { headerName: 'x-hook-key', headerValue: 'hook-value' };
const PLAIN = { 'content-type': 'text/plain', 'x-extra': 'one' };
const REDIRECT = 'http://127.0.0.1/elsewhere';

/** Keyed by the title of its first call in the recordings. */
const CALLED_FLOWS: Record<string, CalledFlow> = {
	'async, JSON body': ORDERS,
	async: CE_ORDERS,
	'no worker: async on an enabled flow': CE_ORDERS,
	'disabled: async': { published: true, ...OFF },
	'sync, no response step': {},
	'Return Response: raw text with text/plain': {
		answer: { responseType: 'raw', headers: PLAIN, body: 'plain answer äöü' },
	},
	'Return Response: raw text without a content type': {
		answer: { responseType: 'raw', body: 'just text' },
	},
	'Return Response: 204, empty': { answer: { status: 204 } },
	'Return Response: 200, empty body': { answer: { status: 200 } },
	'Return Response: redirect': { answer: { responseType: 'redirect', body: REDIRECT } },
	'Return Response: JSON array': answers([1, { a: 2 }]),
	'Return Response: 422': { answer: { status: 422, body: { error: 'no customer' } } },
	'Respond and Continue, fails afterwards': answers({ early: true }),
	'sync, flow without a response step': {},
	'sync, flow fails before its response': { answer: {}, end: 'fails' },
	'sync, flow slower than the timeout': { answer: {}, end: 'isSlow' },
	'sync, flow pauses': { answer: {}, end: 'isSlow' },
	'schedule trigger: async': { kind: 'schedule' },
	'manual trigger: async': { kind: 'manual-trigger' },
	'manual trigger: async with a body': { kind: 'manual-trigger' },
	'callable trigger: async': { kind: 'subflows' },
	'EMPTY trigger, draft: (async)': { trigger: 'empty', ...OFF },
	'never published: (async)': { ...answers({ version: 'draft only' }), ...OFF },
	'published and disabled: (async)': {
		...answers({ version: 'disabled' }),
		published: true,
		...OFF,
	},
	'published, draft edited since: (async)': answers({ version: 'draft' }),
	'flow of another project': { ...answers({ project: 'two' }), isElsewhere: true },
	'before it is deleted': answers({ a: 1 }),
	'authBasic: right, sync': guarded('basic', { username: 'hook', password: 'hook-pass' }),
	'authHeader: right, sync': guarded('header', HEADER),
	'DELETE without a key': { trigger: 'empty', ...OFF },
	'DELETE, enabled flow with a run': {},
	'its flow answers': { ...answers({ a: 1 }), isInNew: true },
};

/** A record that is created while the part is recorded */
type Pending = Found & { isThere: boolean };

/** A record in a response, with the first entry that contains it */
type Found = { row: JsonObject; entry: Entry };

const rowsOf = (entry: Entry): JsonObject[] => {
	const body: Json | undefined = jsonOf(entry.response.content.text);
	if (entry.response.status >= 300) return [];
	if (Array.isArray(body)) return body.filter(isObject);
	if (!isObject(body)) return [];
	return (Array.isArray(body.data) ? body.data : [body]).filter(isObject);
};

/** The records that existed before a part, by their IDs. */
function foundBefore(entries: Entry[], path: RegExp, isPartial = false): Map<string, Found> {
	const rows = new Map<string, Found>();
	const made = new Set<unknown>();
	for (const entry of entries.filter(({ request }) => path.test(new URL(request.url).pathname))) {
		const { request, response } = entry;
		const isMade = response.status === 201 || /ON_LATEST/.test(request.postData?.text ?? '');
		for (const row of rowsOf(entry)) {
			const { id, created } = row;
			if (isMade) made.add(id);
			else if (!isId(id) || !(created || isPartial) || made.has(id) || rows.has(id)) continue;
			else rows.set(id, { row, entry });
		}
	}
	return rows;
}

const nameIn = (version: Json) => (isObject(version) ? version.displayName : undefined);

const isCallOf = (url: string, flowId: unknown) => url.includes(`/webhooks/${String(flowId)}`);

const sentIn = ({ request }: Entry): JsonObject => {
	const sent = jsonOf(request.postData?.text);
	return isObject(sent) ? sent : {};
};

/** What the recorded server contained before the entries of one part, and what others changed during it. */
export class HarSeeds {
	readonly ids: Ids = new Map();
	private readonly runs: Pending[];
	private readonly connections: Pending[];
	/** Flows of projects that the part creates */
	private readonly later = new Map<string, Found>();

	constructor(
		private readonly service: Service,
		private readonly entries: Entry[],
	) {
		service.time.step = 1;
		this.addProjects();
		this.addFolders();
		this.addFlows();
		this.connections = [...foundBefore(entries, /\/(app|global)-connections/, true).values()].map(
			(found) => ({ ...found, isThere: false }),
		);
		// Calls of the part create their runs themselves.
		this.runs = [...foundBefore(entries, /\/flow-runs/).values()]
			.filter(({ row }) => !entries.some(({ request }) => isCallOf(request.url, row.flowId)))
			.map((found) => ({ ...found, isThere: false }));
		service.clearRequests();
	}

	private get data() {
		return this.service.data;
	}

	private addProjects(): void {
		const { data } = this;
		const personal = data.projects.filter(({ type }) => type === 'PERSONAL');
		const isCommunity = this.service.edition === 'community';
		const found = [...foundBefore(this.entries, /\/projects/).values()];
		const isFirstTeam = this.entries.some(
			(entry) => titleOf(entry) === 'create a project' && entry.response.status === 201,
		);
		// That server had one person.
		if (isFirstTeam) data.projects = personal.slice(0, 1);
		const teams = data.projects.filter(({ type }) => type === 'TEAM');
		for (const type of ['PERSONAL', 'TEAM']) {
			const here = type === 'TEAM' ? teams : personal;
			const rows = found.filter(({ row }) => row.type === type);
			rows.slice(0, here.length).forEach(({ row }, i) => {
				this.ids.set(String(row.id), here[i].id);
				here[i].displayName = String(row.displayName);
				if (isCommunity) here[i].externalId = row.externalId as string | null;
			});
		}
		if (!isCommunity && teams[1]) teams[1].externalId = 'ext-one';
		const counts = new Map<string, number>();
		const count = (id: unknown) => {
			if (isId(id) && !this.ids.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
		};
		for (const entry of this.entries) {
			const { status } = entry.response;
			if ((status >= 300 && status !== 403) || /unknown/.test(titleOf(entry))) continue;
			const url = new URL(entry.request.url);
			count(url.searchParams.get('projectId'));
			count(sentIn(entry).projectId);
			for (const row of rowsOf(entry)) count(row.projectId);
		}
		const order = [...counts].sort(([, a], [, b]) => b - a).map(([id]) => id);
		const here = isCommunity ? personal : teams;
		if (this.entries[0].pageref === 'e') return;
		// The tables of 0.73 are those of the user's own project.
		if (this.entries[0].pageref === 't' && this.service.release === '0.73') {
			here.unshift(personal[0]);
		}
		order.forEach((id, i) => here[i] && this.ids.set(id, here[i].id));
	}

	/** The project with that index; Community has those of two people. */
	private projectAt(index: number) {
		const { projects } = this.data;
		const isCommunity = this.service.edition === 'community';
		return projects.filter(({ type }) => (type === 'PERSONAL') === isCommunity)[index];
	}

	private project(id: Json | undefined): string {
		return this.ids.get(String(id)) ?? String(id);
	}

	private addFolders(): void {
		const made = new Set<string>();
		for (const entry of this.entries) {
			for (const row of rowsOf(entry)) {
				if (entry.request.url.endsWith('/folders')) made.add(String(row.id));
				const { folderId } = row;
				const isThere = this.data.folders.some(({ id }) => id === folderId);
				if (!isId(folderId) || isThere || made.has(folderId)) continue;
				const title = titleOf(entry);
				if (/new/.test(title)) {
					made.add(folderId);
					continue;
				}
				const project = this.projectAt(/another/.test(title) ? 1 : 0);
				const displayName = /create with folderId$/.test(title) ? 'Billing' : `Folder ${folderId}`;
				const times = { created: entry.startedDateTime, updated: entry.startedDateTime };
				const folder = { id: folderId, ...times, displayName, projectId: project.id };
				this.data.folders.push({ ...folder, displayOrder: 0 });
			}
		}
	}

	/** A flow as it was before a response shows it changed. */
	private before({ row, entry }: Found): FlowRecord {
		const flow = structuredClone(row) as unknown as FlowRecord;
		const { publishedVersionId, version } = flow;
		const { type } = sentIn(entry);
		flow.projectId = this.project(row.projectId);
		flow.operationStatus = 'NONE';
		for (const made of [flow, version] as unknown as JsonObject[]) {
			for (const field of ['ownerId', 'updatedBy']) {
				if (!isId(made[field])) continue;
				this.ids.set(made[field], this.data.admin.id);
				made[field] = this.data.admin.id;
			}
		}
		if (publishedVersionId !== null && publishedVersionId !== version.id) {
			const published: FlowVersionRecord = { ...version, id: publishedVersionId, state: 'LOCKED' };
			if (type === undefined) this.data.published.set(flow.id, published);
			else flow.version = published;
		}
		if (type === 'CHANGE_NAME') flow.version.displayName = 'Published one';
		if (type === 'IMPORT_FLOW') {
			flow.version.displayName = 'To change';
			const isCalled = publishedVersionId !== null;
			const steps = stepsOf('webhook', {}, { body: { v: 'old' } });
			flow.version.trigger = isCalled ? steps : { type: 'EMPTY' };
			flow.version.valid = isCalled;
		}
		return flow;
	}

	private addFlows(): void {
		const found = foundBefore(this.entries, /\/flows/);
		const flows = [...found.values()].filter(({ row }) => isObject(row.version) && row.projectId);
		for (const each of flows) {
			const projectId = this.project(each.row.projectId);
			const isThere = this.data.projects.some(({ id }) => id === projectId);
			if (isThere) this.data.flows.push(this.before(each));
			else this.later.set(String(each.row.id), each);
		}
		// The published version of a flow with a newer draft, if an entry requests it.
		for (const entry of this.entries) {
			if (!entry.request.url.includes('versionId=')) continue;
			for (const { id, publishedVersionId, version } of rowsOf(entry)) {
				const { published } = this.data;
				if (!isObject(version) || version.id !== publishedVersionId) continue;
				const copy = structuredClone(version) as unknown as FlowVersionRecord;
				if (published.has(String(id))) published.set(String(id), copy);
			}
		}
		this.data.flows = [...this.data.flows];
	}

	/** Adds a flow of which only calls were recorded, before its first call. */
	private addCalledFlow(entry: Entry): void {
		const { live, webhooks } = this.service;
		const id = /\/(?:webhooks|flows)\/(\w{21})\b/.exec(entry.request.url)?.[1];
		const seed = CALLED_FLOWS[titleOf(entry)];
		const later = this.later.get(id ?? '');
		if (later) {
			this.later.delete(id ?? '');
			this.data.flows = [...this.data.flows, this.before(later)];
		}
		if (id === undefined || seed === undefined || this.ids.has(id)) return;
		if (this.data.flows.some((flow) => flow.id === id)) return;
		const { enabled = true, published, trigger } = seed;
		const runs = this.entries.filter(({ request }) => request.url.includes('/flow-runs?'));
		const shown = runs
			.flatMap(rowsOf)
			.find(({ flowId, displayName }) => flowId === id && displayName);
		const flow = live.addFlow({
			enabled,
			published: published ?? enabled,
			trigger,
			name: shown && String(shown.displayName),
			projectId: this.projectOf(seed).id,
			created: entry.startedDateTime,
			...(!trigger && { steps: stepsOf(seed.kind ?? 'webhook', { ...seed.input }, seed.answer) }),
		});
		this.ids.set(id, flow.id);
		if (seed.end) webhooks.ends.set(flow.id, seed.end);
		if (!titleOf(entry).startsWith('published, draft')) return;
		const steps = stepsOf('webhook', {}, { body: { version: 'published' } });
		this.data.published.set(flow.id, { ...flow.version, trigger: steps });
		flow.version = { ...flow.version, id: makeId(`${flow.id}/draft`), state: 'DRAFT' };
	}

	private projectOf({ isElsewhere, isInNew }: CalledFlow) {
		const { projects } = this.data;
		const made = isInNew && projects.find(({ externalId }) => externalId === 'np-2');
		return made || this.projectAt(isElsewhere ? 1 : 0);
	}

	private addRecorded({ row, entry }: Found): void {
		const displayName = new URL(entry.request.url).searchParams.get('displayName') ?? '';
		const at = { created: entry.startedDateTime, updated: entry.startedDateTime, displayName };
		this.addConnection({ ...at, projectIds: [], scope: 'PROJECT', ...row });
		const flowIds = Array.isArray(row.flowIds) ? row.flowIds.map(String) : [];
		for (const id of flowIds) this.addUser(id, String(row.externalId));
	}

	private addUser(flowId: string, externalId: string): void {
		const id = this.ids.get(flowId) ?? flowId;
		const flow = this.data.flows.find((each) => each.id === id);
		const connectionIds = [...new Set([...(flow?.version.connectionIds ?? []), externalId])];
		if (flow) flow.version.connectionIds = connectionIds;
		else this.ids.set(flowId, this.service.live.addFlow({ enabled: true, connectionIds }).id);
	}

	private addConnection(row: JsonObject): void {
		if (!isId(row.id) || !Array.isArray(row.projectIds)) return;
		const { admin, platformId } = this.data;
		this.ids.set(String(row.ownerId), admin.id).set(String(row.platformId), platformId);
		const projectIds = row.projectIds.map((id) => this.project(id));
		const ofService = { owner: admin, ownerId: admin.id, platformId, projectIds };
		const connection = { ...row, flowIds: [], ...ofService } as unknown as ConnectionRecord;
		const list = row.scope === 'PLATFORM' ? 'connections' : 'projectConnections';
		const others = this.data[list].filter(({ id }) => id !== row.id);
		this.data[list] = [...others, connection].sort((a, b) => (a.created < b.created ? -1 : 1));
	}

	/** Brings the service to the state of the recorded one when an entry was sent. */
	async prepare(entry: Entry, previous: Entry | undefined): Promise<void> {
		const { service } = this;
		const title = titleOf(entry);
		const url = new URL(entry.request.url);
		await service.webhooks.settled();
		const ended = previous ? Date.parse(previous.startedDateTime) + previous.time : 0;
		// All work was complete when the recorder had waited.
		if (Date.parse(entry.startedDateTime) - ended > 1000 || /\/webhooks\//.test(entry.request.url))
			service.settleFlowChanges();
		service.time.set(entry.startedDateTime);
		const isStopped = /^(worker stopped|no worker)/.test(title);
		const isStarted = /^worker started|once a worker is there/.test(title);
		if (isStopped || isStarted) {
			service.webhooks.hasWorker = isStarted;
			service.worker.state = isStarted ? 'running' : 'stopped';
		}
		const isNamed = (id: Json) => JSON.stringify(entry.request).includes(String(id));
		const isDue = ({ row: { created, id }, isThere }: Pending) =>
			!isThere && (created ? String(created) < entry.startedDateTime : isNamed(id));
		for (const run of this.runs.filter(isDue)) this.addRun(run);
		for (const connection of this.connections.filter(isDue)) {
			connection.isThere = true;
			this.addRecorded(connection);
		}
		this.addCalledFlow(entry);
		this.failOnDemand(entry);
		this.findRun(entry);
		this.addRetried(entry);
		if (!url.searchParams.has('status')) this.learnRuns(entry);
		if (url.pathname.endsWith('/records')) this.learnTableRows(entry);
		for (const row of rowsOf(entry)) this.work(entry, row);
	}

	/**
	 * Finds the rows of a table by their values, because the recording has only the first rows of a list; and a
	 * row for each ID of a delete that it shows nowhere else.
	 */
	private learnTableRows(entry: Entry): void {
		const { tableRows } = this.data;
		const known = () => new Set(this.ids.values());
		if (/^one row more than/.test(titleOf(entry))) {
			const { maxRecordsPerTable } = TRAITS[this.service.release];
			const tableId = this.ids.get(String(sentIn(entry).tableId)) ?? '';
			const row = { ...tableRows[0], id: '', tableId };
			this.data.tableRows = [...tableRows, ...new Array(maxRecordsPerTable).fill(row)];
		}
		const shown = entry.request.method === 'GET' ? rowsOf(entry) : [];
		for (const { id, cells } of shown) {
			if (!isId(id) || this.ids.has(id) || !isObject(cells)) continue;
			const values = Object.entries(cells).map(([field, cell]): [string, Json] => [
				this.ids.get(field) ?? field,
				isObject(cell) ? cell.value : null,
			]);
			const isSame = (row: TableRow) =>
				values.every(([field, value]) => (row.cells[field]?.value ?? null) === value);
			const row = tableRows.find((each) => isSame(each) && !known().has(each.id));
			if (row) this.ids.set(id, row.id);
		}
		if (entry.request.method !== 'DELETE' || entry.response.status >= 300) return;
		const { ids = [] } = sentIn(entry) as { ids?: string[] };
		for (const id of ids.slice(0, 1)) {
			const row = tableRows.find((each) => !known().has(each.id));
			if (!this.ids.has(id) && row) this.ids.set(id, row.id);
		}
	}

	/** Makes the code step of some flows throw on request. */
	private failOnDemand(entry: Entry): void {
		const id = /\/webhooks\/(\w{21})\b/.exec(entry.request.url)?.[1] ?? '';
		const sent = sentIn(entry);
		const { ends } = this.service.webhooks;
		const isFailing = ({ request }: Entry) =>
			request.url.includes(id) && /"fail"/.test(request.postData?.text ?? '');
		if ('fail' in sent) ends.set(this.ids.get(id) ?? id, 'fails');
		else if ('order' in sent && this.entries.some(isFailing)) ends.delete(this.ids.get(id) ?? id);
	}

	private addRun(found: Pending): void {
		found.isThere = true;
		const { row } = found;
		const { live } = this.service;
		const flowId = String(row.flowId ?? this.runs[0].row.flowId);
		const isKnown = this.data.flows.some(({ id }) => id === flowId);
		let here = isKnown ? flowId : this.ids.get(flowId);
		if (here === undefined) {
			const name = this.entries
				.flatMap(rowsOf)
				.map((each) => each.flowId === flowId && (each.displayName ?? nameIn(each.flowVersion)))
				.find(Boolean);
			const made = { created: String(row.created), name: name ? String(name) : undefined };
			here = live.addFlow({ enabled: true, ...made }).id;
			this.ids.set(flowId, here);
			const earlier = {
				flowId: here,
				created: '2026-11-21T00:00:00.000Z',
				status: 'FAILED',
			} as const;
			// There were more of them before.
			for (let i = 0; i < 3 && row.status === 'FAILED'; i++) live.addFlowRun(earlier);
		}
		const run = live.addFlowRun({
			id: String(row.id),
			flowId: here,
			created: String(row.created),
			status: (row.status ?? 'SUCCEEDED') as FlowRunStatus,
			log: row.logsFileId !== null,
			failParentOnFailure: false,
		});
		const text = (value: Json | undefined) => (value ? String(value) : null);
		Object.assign(run, {
			updated: row.updated,
			startTime: text(row.startTime),
			finishTime: text(row.finishTime),
			failedStep: isObject(row.failedStep) && row.failedStep.name ? row.failedStep : null,
			tags: row.tags,
			pauseMetadata: row.pauseMetadata ?? null,
		});
	}

	/** Finds the run of a call, which its response does not name: it is the newest of its flow. */
	private findRun(entry: Entry): void {
		const id = /\/flow-runs\/(\w{21})$/.exec(new URL(entry.request.url).pathname)?.[1];
		const [row] = rowsOf(entry);
		if (id === undefined || this.ids.has(id) || row === undefined) return;
		const { flowRuns } = this.data;
		if (flowRuns.some((run) => run.id === id)) return;
		const flowId = this.ids.get(String(row.flowId)) ?? row.flowId;
		const run = flowRuns.find((each) => flowId === undefined || each.flowId === flowId);
		if (run) this.ids.set(id, run.id);
	}

	/** Adds a retried run that was not recorded otherwise. */
	private addRetried(entry: Entry): void {
		const id = /\/flow-runs\/(\w{21})\/retry$/.exec(entry.request.url)?.[1];
		const [row] = rowsOf(entry);
		if (id === undefined || row === undefined || this.ids.has(id)) return;
		if (this.data.flowRuns.some((run) => run.id === id)) return;
		const created = new Date(Date.parse(entry.startedDateTime) - 60_000).toISOString();
		this.addRun({ row: { ...row, id, created, status: 'FAILED' }, entry, isThere: false });
	}

	/** Learns the IDs of a list of one flow's runs, in their order. */
	private learnRuns(entry: Entry): void {
		const url = new URL(entry.request.url);
		const flowId = url.searchParams.get('flowId') ?? '';
		if (!url.pathname.endsWith('/flow-runs')) return;
		const since = url.searchParams.get('createdAfter') ?? '';
		const here = this.data.flowRuns
			.filter((run) => run.flowId === (this.ids.get(flowId) ?? flowId))
			.filter(({ environment, created }) => environment === 'PRODUCTION' && created >= since);
		rowsOf(entry).forEach(({ id }, i) => {
			const isKnown = this.ids.has(String(id)) || this.data.flowRuns.some((run) => run.id === id);
			if (!isKnown && here[i]) this.ids.set(String(id), here[i].id);
		});
	}

	/** Applies what workers did to a run, by its next recorded status. */
	private work(entry: Entry, row: JsonObject): void {
		if (entry.request.method !== 'GET' || !/\/flow-runs/.test(entry.request.url)) return;
		const id = this.ids.get(String(row.id)) ?? row.id;
		const run = this.data.flowRuns.find((each) => each.id === id);
		if (!run || run.status === row.status || !/^(QUEUED|RUNNING|PAUSED)$/.test(run.status)) return;
		const life = this.service.live.flowRunLife(run.id);
		if (run.status !== 'RUNNING') life.start();
		if (row.status === 'RUNNING') return;
		if (row.status === 'PAUSED') life.pause();
		else if (/^(FAILED|SUCCEEDED|INTERNAL_ERROR)$/.test(String(row.status))) {
			life.finish(row.status as 'FAILED').show();
		}
	}

	/** Applies UPDATE_METADATA, which the stand-in lacks and later responses show. */
	private updateMetadata(entry: Entry): void {
		const sent = sentIn(entry);
		if (sent.type !== 'UPDATE_METADATA' || entry.response.status >= 300) return;
		const id = entry.request.url.slice(-21);
		const flow = this.data.flows.find((each) => each.id === (this.ids.get(id) ?? id));
		if (flow && isObject(sent.request)) flow.metadata = sent.request.metadata as JsonObject | null;
	}

	/** Applies requests for which the stand-in has no route. */
	apply(entry: Entry): void {
		const { method, url } = entry.request;
		const { pathname } = new URL(url);
		this.updateMetadata(entry);
		const isConnection = /\/(app|global)-connections/.test(pathname);
		if (!isConnection || method !== 'POST' || entry.response.status >= 300) return;
		if (!pathname.endsWith('/replace')) {
			for (const row of rowsOf(entry)) this.addConnection(row);
			return;
		}
		const { sourceAppConnectionId: source } = sentIn(entry);
		this.data.projectConnections = this.data.projectConnections.filter(({ id }) => id !== source);
	}
}
