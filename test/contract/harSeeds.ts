/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { setTimeout as pause } from 'node:timers/promises';

import type { FlowRunRecord } from '../service/flowRunRecords';
import type { Service } from '../service/index';
import type { FlowVersionRecord, TableRow } from '../service/records';
import { roleNamed } from '../service/roles';
import { MAX_RECORDS_PER_TABLE } from '../service/tableRows';
import {
	isObject,
	jsonOf,
	rowsOf,
	titleOf,
	translate,
	type Entry,
	type Ids,
	type JsonObject,
} from './har';
import { isId } from './harCompare';

/** What workers and other people did to the recorded server before an entry. */
export interface Before {
	/** IDs that this server's own users, projects and so on have in the recording */
	ids?: Record<string, string>;
	/** By list (members have a `role` by its name): IDs of records that were deleted, lists as a whole, and records with new or changed fields */
	gone?: Record<string, string[]>;
	lists?: Record<string, JsonObject[]>;
	records?: Record<string, JsonObject[]>;
	/** Published versions of flows with a newer draft, by the flow's ID */
	published?: Record<string, FlowVersionRecord>;
	/** Microseconds below the millisecond, by ID */
	micros?: Record<string, number>;
	/** How runs of a flow end, by its ID; null is success */
	ends?: Record<string, 'fails' | 'isSlow' | null>;
	worker?: 'running' | 'stopped';
	hook?: 'works' | 'fails';
	/** All changes of flows were complete */
	settle?: true;
}

const copyOf = <Value>(value: Value, ids: Ids): Value =>
	JSON.parse(translate(JSON.stringify(value), ids)) as Value;

/** Brings a service to the state of the recorded one, entry by entry. */
export class HarSeeds {
	readonly ids: Ids = new Map();

	constructor(private readonly service: Service) {}

	/** To the state when an entry was sent. */
	async prepare(entry: Entry, previous: Entry | undefined): Promise<void> {
		const { service } = this;
		await service.webhooks.settled();
		const ended = previous ? Date.parse(previous.startedDateTime) + previous.time : 0;
		// All work was complete when the recorder had waited.
		const isWaited = Date.parse(entry.startedDateTime) - ended > 1000;
		if (isWaited || entry._before?.settle) service.settleFlowChanges();
		service.time.set(entry.startedDateTime);
		if (entry._before) this.apply(entry._before);
		// What waited for the worker is done.
		if (entry._before?.worker === 'running') await pause(20);
		const { pathname, searchParams } = new URL(entry.request.url);
		const id = /\/flow-runs\/(\w{21})$/.exec(pathname)?.[1];
		if (id !== undefined) this.findRun(id, rowsOf(entry)[0]);
		if (pathname.endsWith('/flow-runs')) this.learnRuns(entry);
		if (pathname.endsWith('/records')) this.learnTableRows(entry);
		const isOfRuns = entry.request.method === 'GET' && pathname.includes('/flow-runs');
		if (!isOfRuns) return;
		for (const row of rowsOf(entry)) this.work({ status: searchParams.get('status'), ...row });
	}

	private apply(before: Before): void {
		const { data, webhooks, worker } = this.service;
		for (const [id, here] of Object.entries(before.ids ?? {})) this.ids.set(id, here);
		const told = copyOf(before, this.ids);
		const here = data as unknown as Record<string, JsonObject[]>;
		for (const { members = [] } of [told.lists ?? {}, told.records ?? {}]) {
			for (const row of members) {
				row.projectRoleId ??= roleNamed(data.roles, String(row.role))?.id ?? null;
				delete row.role;
			}
		}
		for (const [list, ids] of Object.entries(told.gone ?? {})) {
			here[list] = here[list].filter(({ id }) => !ids.includes(String(id)));
		}
		Object.assign(here, told.lists);
		for (const [list, rows] of Object.entries(told.records ?? {})) {
			const added = rows.filter((row) => {
				const known = here[list].find(({ id }) => id === row.id);
				if (known) Object.assign(known, row);
				return known === undefined;
			});
			// The newest run is the first; a new array renews the indexes.
			here[list] = list === 'flowRuns' ? [...added, ...here[list]] : [...here[list], ...added];
		}
		for (const [id, version] of Object.entries(told.published ?? {})) {
			data.olderVersions.set(id, [version]);
		}
		for (const [id, micros] of Object.entries(told.micros ?? {})) data.micros.set(id, micros);
		for (const [id, end] of Object.entries(told.ends ?? {})) {
			if (end === null) webhooks.ends.delete(id);
			else webhooks.ends.set(id, end);
		}
		if (told.hook) worker.hook = told.hook;
		if (told.worker) worker.state = told.worker;
	}

	/** Finds the run of a call, which its response does not name: it is the newest of its flow. */
	private findRun(id: string, row: JsonObject | undefined): void {
		const { flowRuns } = this.service.data;
		if (row === undefined || this.ids.has(id) || flowRuns.some((run) => run.id === id)) return;
		const flowId = this.ids.get(String(row.flowId)) ?? row.flowId;
		const run = flowRuns.find((each) => flowId === undefined || each.flowId === flowId);
		if (run) this.ids.set(id, run.id);
	}

	/** Learns the IDs of a list of one flow's runs, in their order. */
	private learnRuns(entry: Entry): void {
		const { searchParams: asked } = new URL(entry.request.url);
		const flowId = asked.get('flowId') ?? '';
		const since = asked.get('createdAfter') ?? '';
		if (asked.has('status')) return;
		const { flowRuns } = this.service.data;
		const here = flowRuns
			.filter((run) => run.flowId === (this.ids.get(flowId) ?? flowId))
			.filter(({ environment, created }) => environment === 'PRODUCTION' && created >= since);
		rowsOf(entry).forEach(({ id }, i) => {
			if (!isId(id) || this.ids.has(id) || flowRuns.some((run) => run.id === id)) return;
			if (here[i]) this.ids.set(id, here[i].id);
		});
	}

	/**
	 * Finds the rows of a table by their values, because the recording has only the first rows of a list; and a
	 * row for each ID of a delete that it shows nowhere else.
	 */
	private learnTableRows(entry: Entry): void {
		const { data } = this.service;
		const isOther = ({ id }: TableRow) => ![...this.ids.values()].includes(id);
		type Sent = { tableId?: string; ids?: string[] };
		const sent = (jsonOf(entry.request.postData?.text) ?? {}) as Sent;
		if (/^one row more than/.test(titleOf(entry))) {
			const row = { ...data.tableRows[0], id: '', tableId: this.ids.get(sent.tableId ?? '') ?? '' };
			data.tableRows = [...data.tableRows, ...Array<TableRow>(MAX_RECORDS_PER_TABLE).fill(row)];
		}
		for (const { id, cells } of entry.request.method === 'GET' ? rowsOf(entry) : []) {
			if (!isId(id) || this.ids.has(id) || !isObject(cells)) continue;
			const isSame = ({ cells: own }: TableRow) =>
				Object.entries(cells).every(([field, cell]) => {
					const value = isObject(cell) ? cell.value : null;
					return (own[this.ids.get(field) ?? field]?.value ?? null) === value;
				});
			const row = data.tableRows.find((each) => isSame(each) && isOther(each));
			if (row) this.ids.set(id, row.id);
		}
		if (entry.request.method !== 'DELETE' || entry.response.status >= 300) return;
		const [id] = sent.ids ?? [];
		const row = data.tableRows.find(isOther);
		if (id !== undefined && !this.ids.has(id) && row) this.ids.set(id, row.id);
	}

	/** Applies what workers did to a run, by its next recorded status. */
	private work({ id, status }: JsonObject): void {
		const { data, live } = this.service;
		const run = data.flowRuns.find((each) => each.id === (this.ids.get(String(id)) ?? id));
		const isIn = (statuses: string, { status }: Pick<FlowRunRecord, 'status'>) =>
			statuses.split(' ').includes(status);
		const end = { status: status as FlowRunRecord['status'] };
		if (!run || run.status === status || !isIn('QUEUED RUNNING PAUSED', run)) return;
		if (!isIn('RUNNING PAUSED FAILED SUCCEEDED INTERNAL_ERROR', end)) return;
		const life = live.flowRunLife(run.id);
		if (run.status !== 'RUNNING') life.start();
		if (end.status === 'PAUSED') life.pause();
		else if (end.status !== 'RUNNING') life.finish(end.status).show();
	}
}
