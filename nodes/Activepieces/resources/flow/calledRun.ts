import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/api/client';
import type { Endpoint } from '../../transport/client/request';
import { outcomeError } from '../../transport/errors/error';
import { limits, type Patience } from '../../transport/limits';
import { inSeconds } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import { fetchRun, isUnfinished, LIST_RUNS } from '../flowRun/flowRun';

/** A header of the node with a value of its own for each call: the run of a call keeps all its headers (recorded). */
const MARK_HEADER = 'x-n8n-call';

/** A call of a flow, by which its run is found. */
export interface MarkedCall {
	mark: string;
	flowId: string;
	projectId: string;
	/** When it was sent, by the clock of the server */
	since: number;
}

export function newMark() {
	const mark = randomUUID();
	return { mark, headers: { [MARK_HEADER]: mark } };
}

/** The Date of a response has whole seconds. */
const DATE_STEP_MS = 1000;

/** When the call of a response was sent, by the clock of the server. */
export const sentAt = (date: number, elapsedMs: number): number => date - elapsedMs - DATE_STEP_MS;

/** Returns a large output of a step with the token of its URL. */
const GET_FILE: Endpoint = { method: 'GET', path: '/v1/files/{id}' };

/** The mark in the log of a run: empty for a call without one, undefined if the log does not contain the call. */
async function markOf(client: ApiClient, { steps }: IDataObject): Promise<string | undefined> {
	const { output, outputType } = recordOf(recordOf(steps).trigger);
	let call: unknown = output;
	// From 0.85 on, an output of more than 32 kB is in a file (recorded). The server may not know its own address.
	if (outputType === 'slice') {
		const { fileId: id, url } = recordOf(output);
		const token = new URL(textOf(url)).searchParams.get('token');
		const request = { endpoint: GET_FILE, id, query: { token }, subject: { noun: 'file' } };
		call = (await client.request(request)).body;
	}
	return isRecord(call) ? textOf(recordOf(call.headers)[MARK_HEADER]) : undefined;
}

/**
 * The runs of a flow since calls of this node run. They are looked for together, and each is read by its ID once its log
 * contains its call: up to 0.79 when it has ended, later when it has begun (recorded).
 */
class CalledRuns {
	private readonly calls = new Set<MarkedCall>();
	private readonly ids = new Map<string, unknown>();
	private readonly read = new Set<unknown>();
	private looking?: Promise<IDataObject[]>;

	/** The ID of the run of a call, once its log shows it, and the runs since then of which one is that run. */
	async look(client: ApiClient, call: MarkedCall) {
		this.calls.add(call);
		this.looking ??= this.readRuns(client, call).finally(() => (this.looking = undefined));
		const runs = await this.looking;
		const found = this.ids.get(call.mark);
		if (found !== undefined) this.calls.delete(call);
		const isPossible = ({ id, created }: IDataObject) =>
			found === undefined
				? !this.read.has(id) && !(Date.parse(textOf(created)) < call.since)
				: id === found;
		return { id: found, runs: runs.filter(isPossible) };
	}

	private async readRuns(
		client: ApiClient,
		{ flowId, projectId }: MarkedCall,
	): Promise<IDataObject[]> {
		const since = Math.min(...[...this.calls].map((call) => call.since));
		const createdAfter = new Date(since).toISOString();
		const limit = limits.defaultPageSize;
		const query = { ...LIST_RUNS.query, projectId, flowId: [flowId], createdAfter, limit };
		const { data } = await client.requestRecord({ ...LIST_RUNS, query });
		const runs = Array.isArray(data) ? data.filter((run) => recordOf(run).flowId === flowId) : [];
		const unread = runs.filter(({ id }) => !this.read.has(id));
		// A run that cannot be read may be that of somebody else.
		await Promise.all(unread.map(async (run) => await this.readRun(client, run).catch(() => {})));
		return runs;
	}

	private async readRun(client: ApiClient, { id }: IDataObject): Promise<void> {
		const run = await fetchRun(client, { id, subject: { noun: 'flow run' } });
		const mark = await markOf(client, run);
		if (mark === undefined) return;
		this.read.add(id);
		this.ids.set(mark, id);
	}
}

const runsOf = (client: ApiClient, { flowId }: MarkedCall): CalledRuns =>
	client.cached(`called runs of ${flowId}`, () => new CalledRuns());

export const CHECK_RUN =
	'To see what happened, open the newest run of the flow in Activepieces, or use Flow Run > Get Many.';

/**
 * Waits until the run of a call is found.
 *
 * @returns the ID of the run
 */
export async function awaitCalledRun(
	client: ApiClient,
	call: MarkedCall,
	label: string,
	patience: Patience,
): Promise<unknown> {
	const look = async () => (await runsOf(client, call).look(client, call)).id;
	const id = await client.pollWhile(await look(), (found) => found === undefined, look, patience);
	if (id !== undefined) return id;
	throw outcomeError(
		`${label} was started, but its run was not found within ${inSeconds(patience.maxElapsedMs)}`,
		`Activepieces starts it when a worker is free: check that a worker is running. A run that ended before its first step has no log by which the node could find it. ${CHECK_RUN}`,
	);
}

/**
 * Finds the run of a call that got no response, as far as the runs can be read: that of the call, or the only one that may
 * be it.
 *
 * @param hasEnded whether the run has ended, which the list may show a moment later (recorded)
 */
export async function findCalledRun(
	client: ApiClient,
	call: MarkedCall,
	hasEnded: boolean,
): Promise<IDataObject | undefined> {
	const findRun = async () => {
		// The call itself failed, which is what the person has to know.
		const look = runsOf(client, call).look(client, call);
		const { runs } = await look.catch(() => ({ runs: [] as IDataObject[] }));
		return runs.length === 1 ? runs[0] : undefined;
	};
	const isNotShown = (run?: IDataObject) => hasEnded && isUnfinished(run?.status);
	return await client.pollWhile(await findRun(), isNotShown, findRun, limits.endedRun);
}
