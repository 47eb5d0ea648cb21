import type { FaultKind, Service, ServiceData } from '../../service';
import { startService } from '../../service';
import { limits, skipWaits } from '../harness/built';
import { createEngine, type Engine, type RunResult } from '../harness/engine';
import { OPERATIONS } from '../harness/operations';
import { METRICS, TEMPLATE, TEMPLATES } from '../harness/parameters';
import { controlRequestTimers, type RequestTimers } from '../harness/requestTimers';
import { captureLog, textsOf, tracesOf } from '../harness/traces';
import { type Column, columns, SIZES } from './columns';
import { rows, type Row } from './faults';

/** The outcome of a cell: the right result, the right result after a retry, or the message. */
type Word = 'right' | 'retried' | 'message';

type Duration = 'once' | 'for ever';

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
		const records = await engine.records({ credential, parameters: column.parameters(service) });
		expect(column.seen(records)).toEqual(column.right(service));
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
	const { method, path, after } = column;
	service.fault({ kind, done: row.done, method, path, after, times });
	const right = column.right(service);
	const result = await engine.run({
		credential: { baseUrl: service.baseUrl, apiKey: service.apiKey },
		parameters: { ...column.parameters(service), requestOptions: { timeout } },
	});

	// Four more tries, and the other of two paths if the route is missing.
	expect(service.requests.length).toBeLessThanOrEqual(requests + 5);
	expect(tracesOf(result).filter((text) => text.includes(service.apiKey))).toEqual([]);
	const isRight = result.error === undefined;
	if (isRight) expect(column.seen(result.items.map(({ json }) => json))).toEqual(right);
	else checkMessage(result, row, column);
	// Nothing is reported as done that was not, and nothing is done twice or in part.
	const isChanged = isRight || (row.done === true && column.readsBack !== true);
	if (column.isChanged !== undefined) expect(column.isChanged(service)).toBe(isChanged);
	if (!isRight) return 'message';
	return service.requests.length > requests ? 'retried' : 'right';
}

let log: unknown[];
let engine: Engine;
let lanes: Lane[];
let timers: RequestTimers;

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
			const cell = `${column.name}, ${duration}`;
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

test('every pair of resource and operation has faults', () => {
	const [{ service }] = lanes;
	const met = columns.map(({ parameters }) => {
		const { resource, operation } = parameters(service);
		return `${String(resource)}.${String(operation)}`;
	});
	expect([...new Set(met)].sort()).toEqual(Object.keys(OPERATIONS).sort());
});
