import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind, Service, ServiceData } from '../../service';
import { startService } from '../../service';
import { limits, skipWaits } from '../harness/built';
import { createEngine, type Engine, type RunResult } from '../harness/engine';
import { METRICS, TEMPLATE, TEMPLATES } from '../harness/parameters';
import { controlRequestTimers } from '../harness/requestTimers';
import { captureLog, textsOf, tracesOf } from '../harness/traces';
import { cases, type Case } from '../../operations';
import type { Fault, Method } from '../../operations/facts';
import { rows, type Row } from './faults';

/** The outcome of a cell: the right result, the right result after a retry, or the message. */
type Word = 'right' | 'retried' | 'message';

type Duration = 'once' | 'for ever';

/** An operation, and the request of it that fails. */
interface Column extends Fault {
	title: string;
	operation: Case;
	method: Method;
	path: RegExp;
	/** Whether the request reads a list */
	isList: boolean;
	/** Which record it is for, and its parameters */
	of: (data: ServiceData) => { id: string; parameters: INodeParameters };
}

/** Small, with three pages for each list. */
const SIZES = {
	projects: 1,
	foldersPerProject: 2,
	flows: 12,
	flowRuns: 13,
	connections: 12,
	connectionsPerProject: 12,
	templates: 3,
	invitations: 3,
	recordsPerTable: 3,
	steps: 1,
};

function columnOf(operation: Case, fault: Fault): Column {
	const { endpoint } = operation.operation;
	const request = fault.request ?? `${endpoint.method} ${endpoint.path}`;
	const [method, path] = request.split(' ');
	// On the path that the release has.
	const paths = [path, ...(fault.request === undefined ? [endpoint.movedTo?.path ?? path] : [])];
	return {
		...fault,
		title: [operation.title, fault.name].filter(Boolean).join(', '),
		operation,
		method: method as Method,
		path: new RegExp(`^(${paths.join('|').replaceAll('{id}', '\\w+')})$`),
		isList: method === 'GET' && !path.endsWith('{id}'),
		of(data) {
			const id = operation.idIn(data);
			return { id, parameters: { ...operation.parameters(data, id), ...fault.parameters?.(data) } };
		},
	};
}

const columns = cases.flatMap((each) => each.faults.map((fault) => columnOf(each, fault)));

/** A stand-in with the columns that run on it one after the other. Lanes run in parallel. */
interface Lane {
	columns: Column[];
	/** Number of requests of each operation without a fault */
	requests: Map<Column, number>;
	service: Service;
	/** The data before the first cell */
	before: ServiceData;
	/** Timeout in milliseconds, which identifies its requests among those of other lanes */
	timeout: number;
}

const LANES = 6;

/** Whether a row runs in a column. Columns that share their code with another one need fewer rows. */
const meets = ({ isForAll, isForLists }: Row, { isFull, isList }: Column) =>
	isFull || isForAll || (isForLists && isList);

/**
 * A request that is not repeated does not depend on the duration of the fault. Columns that share their
 * code with another one only have a lasting fault if nothing was done.
 */
const durationsOf = ({ done, repeated }: Row, { isFull, method }: Column): Duration[] =>
	repeated?.includes(method) && (isFull || !done) ? ['once', 'for ever'] : ['once'];

/** The expected outcome of each cell. */
function expected(row: Row, column: Column, duration: Duration): Word {
	const { done, repeated, harmless, isInDoubt } = row;
	const { method, looksAfterwards, readsBack } = column;
	if (harmless?.includes(method)) return 'right';
	if (looksAfterwards && done && isInDoubt) {
		return readsBack && !repeated?.includes(method) ? 'right' : 'retried';
	}
	return duration === 'once' && repeated?.includes(method) ? 'retried' : 'message';
}

function reset({ service, before }: Lane): void {
	service.clearFaults();
	service.clearRequests();
	service.data.flows = structuredClone(before.flows);
	service.data.flowRuns = structuredClone(before.flowRuns);
	service.data.published = new Map(before.published);
	service.data.projects = structuredClone(before.projects);
	service.data.projectConnections = [...before.projectConnections];
	service.data.folders = structuredClone(before.folders);
	service.data.templates = [...before.templates];
	service.data.tableRows = structuredClone(before.tableRows);
	service.data.invitations = [...before.invitations];
	service.webhooks.runs.length = 0;
}

async function openLane(index: number): Promise<Lane> {
	const service = await startService({ release: '0.85', data: SIZES });
	const before = { ...service.data, published: new Map(service.data.published) };
	const own = columns.filter((_, column) => column % LANES === index);
	const timeout = limits.requestTimeoutMs + index;
	const lane: Lane = { columns: own, requests: new Map(), service, before, timeout };
	const credential = { baseUrl: service.baseUrl, apiKey: service.apiKey };
	// So that the node knows which paths have moved.
	for (const parameters of [METRICS, TEMPLATES, TEMPLATE]) {
		await engine.run({ credential, parameters });
	}
	for (const column of own) {
		reset(lane);
		const { id, parameters } = column.of(service.data);
		const expected = column.operation.expected(service.data, id);
		const records = await engine.records({ credential, parameters });
		expect(column.operation.inOrder(records)).toMatchObject(expected);
		lane.requests.set(column, service.requests.length);
	}
	return lane;
}

/** Checks everything that the message of a cell must contain. */
function checkMessage(
	{ error, items }: RunResult,
	row: Row,
	{ saysOfOthers, inDoubt = /\w/ }: Column,
): void {
	expect(items).toEqual([]);
	const isTold = row.area === 'bodies' && saysOfOthers?.test(String(error?.message)) === true;
	expect(error?.message).toMatch(isTold ? saysOfOthers : row.says);
	expect(error?.description).toMatch(row.isInDoubt ? inDoubt : /\w/);
	expect(error?.context.itemIndex).toBe(0);
}

async function runCell(
	lane: Lane,
	column: Column,
	row: Row,
	kind: FaultKind,
	duration: Duration,
): Promise<Word> {
	const { service, timeout } = lane;
	const requests = lane.requests.get(column)!;
	reset(lane);
	const times = duration === 'once' ? 1 : undefined;
	const { operation, method, path, after } = column;
	service.fault({ kind, done: row.done, method, path, after, times });
	const { id, parameters } = column.of(service.data);
	const right = operation.expected(service.data, id);
	const result = await engine.run({
		credential: { baseUrl: service.baseUrl, apiKey: service.apiKey },
		parameters: { ...parameters, requestOptions: { timeout } },
	});

	// Four more tries, and the other of two paths if the route is missing.
	expect(service.requests.length).toBeLessThanOrEqual(requests + 5);
	expect(tracesOf(result).filter((text) => text.includes(service.apiKey))).toEqual([]);
	const isRight = result.error === undefined;
	if (isRight) {
		expect(operation.inOrder(result.items.map(({ json }) => json))).toMatchObject(right);
	} else checkMessage(result, row, column);
	// Nothing is reported as done that was not, and nothing is done twice or in part.
	const isDone = row.done === true && method !== 'GET' && column.readsBack !== true;
	const isChanged = operation.isChanged(service, id, lane.before);
	if (isChanged !== undefined) expect(isChanged).toBe(isRight || isDone);
	if (!isRight) return 'message';
	return service.requests.length > requests ? 'retried' : 'right';
}

let log: unknown[];
let engine: Engine;
let lanes: Lane[];
let timers: ReturnType<typeof controlRequestTimers>;

beforeAll(async () => {
	skipWaits();
	engine = await createEngine();
	log = captureLog();
	lanes = await Promise.all(
		Array.from({ length: LANES }, async (_, index) => await openLane(index)),
	);
	timers = controlRequestTimers();
	for (const { service, timeout } of lanes) service.onHang(() => timers.expire(timeout));
});

afterAll(async () => {
	timers.restore();
	await Promise.all(lanes.map(async ({ service }) => await service.close()));
});

async function runColumn(lane: Lane, column: Column, row: Row): Promise<void> {
	for (const kind of column.isFull ? row.kinds : row.kinds.slice(0, 1)) {
		for (const duration of durationsOf(row, column)) {
			const cell = `${column.title}, ${duration}`;
			const word = await runCell(lane, column, row, kind, duration);
			expect(`${cell}: ${word}`).toBe(`${cell}: ${expected(row, column, duration)}`);
		}
	}
}

async function runLane(lane: Lane, row: Row): Promise<void> {
	for (const column of lane.columns) if (meets(row, column)) await runColumn(lane, column, row);
}

test.each(rows)('$area: $name', async (row) => {
	const ended = await Promise.allSettled(lanes.map(async (lane) => await runLane(lane, row)));
	// After all have ended, because the next row would otherwise see the rest of this one.
	for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
	// n8n's log, at all levels, does not contain the key; the logged objects contain much.
	expect(log).not.toEqual([]);
	const keys = lanes.map(({ service }) => service.apiKey);
	expect(textsOf(log).filter((text) => keys.some((key) => text.includes(key)))).toEqual([]);
	log.length = 0;
});
