import type { FaultKind, Service, ServiceData } from '../../service';
import { startService } from '../../service';
import { limits, skipWaits } from '../harness/built';
import { createEngine, type Engine, type RunResult } from '../harness/engine';
import { OPERATIONS } from '../harness/operations';
import { METRICS, TEMPLATE, TEMPLATES } from '../harness/parameters';
import { controlRequestTimers, type RequestTimers } from '../harness/requestTimers';
import { captureLog, textsOf, tracesOf } from '../harness/traces';
import { type Column, columns, SIZES } from './columns';
import { faultOf, rows, type Row } from './faults';

/** What a cell comes to: the right result, the right result after all, or the message. */
type Word = 'right' | 'retried' | 'message';

type Duration = 'once' | 'for ever';

/** A stand-in of its own for each column, so that the cells of a row run side by side. */
interface Lane {
	column: Column;
	service: Service;
	/** The data as it was before the first cell */
	before: Pick<
		ServiceData,
		| 'flows'
		| 'flowRuns'
		| 'folders'
		| 'invitations'
		| 'projectConnections'
		| 'projects'
		| 'published'
		| 'templates'
	>;
	/** Requests that the operation takes when all is well */
	requests: number;
	/** Milliseconds of Timeout, by which its requests are told from those of other lanes */
	timeout: number;
}

/** Whether a row is run in a column. Columns that share their code with another one need no more. */
const meets = ({ area, isForAll }: Row, { isFull }: Column) =>
	isFull || isForAll || area === 'bodies';

/** A request that is not sent again does not know how long the fault lasts. */
const durationsOf = ({ repeated }: Row, { method }: Column): Duration[] =>
	repeated?.includes(method) ? ['once', 'for ever'] : ['once'];

/** Word for word what each cell must come to; the runs are held against it. */
function expected(
	row: Row,
	{ method, looksAfterwards, readsBack }: Column,
	duration: Duration,
): Word {
	const { done, repeated, harmless, isInDoubt } = row;
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

async function openLane(engine: Engine, column: Column, timeout: number): Promise<Lane> {
	const service = await startService({ release: '0.85', data: SIZES });
	const before = { ...service.data, published: new Map(service.data.published) };
	const lane: Lane = { column, service, before, requests: 0, timeout };
	const credential = { baseUrl: service.baseUrl, apiKey: service.apiKey };
	// So that the node knows which paths have moved.
	for (const parameters of [METRICS, TEMPLATES, TEMPLATE]) {
		await engine.run({ credential, parameters });
	}
	reset(lane);
	const records = await engine.records({ credential, parameters: column.parameters(service) });
	expect(column.seen(records)).toEqual(column.right(service));
	lane.requests = service.requests.length;
	reset(lane);
	return lane;
}

/** Holds everything that the message of a cell must be against what it is. */
function checkMessage({ error, items }: RunResult, row: Row, { saysOfOthers }: Column): void {
	expect(items).toEqual([]);
	const isTold = row.area === 'bodies' && saysOfOthers?.test(String(error?.message)) === true;
	expect(error?.message).toMatch(isTold ? saysOfOthers : row.says);
	expect(error?.description).toMatch(/\w/);
	expect(error?.context.itemIndex).toBe(0);
}

async function runCell(
	engine: Engine,
	lane: Lane,
	row: Row,
	kind: FaultKind,
	duration: Duration,
): Promise<Word> {
	const { column, service, timeout } = lane;
	reset(lane);
	service.fault({
		...faultOf(row, kind),
		method: column.method,
		path: column.path,
		after: column.after,
		times: duration === 'once' ? 1 : undefined,
	});
	const right = column.right(service);
	const result = await engine.run({
		credential: { baseUrl: service.baseUrl, apiKey: service.apiKey },
		parameters: { ...column.parameters(service), requestOptions: { timeout } },
	});

	// Four tries more, and the other of two paths where the route is missing.
	expect(service.requests.length).toBeLessThanOrEqual(lane.requests + 5);
	expect(tracesOf(result).filter((text) => text.includes(service.apiKey))).toEqual([]);
	const isRight = result.error === undefined;
	if (isRight) expect(column.seen(result.items.map(({ json }) => json))).toEqual(right);
	else checkMessage(result, row, column);
	// Nothing is said to be done that was not, and nothing is done twice or by halves.
	if (column.isChanged !== undefined) {
		expect(column.isChanged(service)).toBe(
			isRight || (row.done === true && column.readsBack !== true),
		);
	}
	if (!isRight) return 'message';
	return service.requests.length > lane.requests ? 'retried' : 'right';
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
		columns.map(
			async (column, index) => await openLane(engine, column, limits.requestTimeoutMs + index),
		),
	);
	timers = controlRequestTimers();
	for (const { service, timeout } of lanes) service.onHang(() => timers.expire(timeout));
});

afterAll(async () => {
	timers.restore();
	await Promise.all(lanes.map(async ({ service }) => await service.close()));
});

async function runLane(lane: Lane, row: Row): Promise<void> {
	for (const kind of row.kinds) {
		for (const duration of durationsOf(row, lane.column)) {
			const cell = `${lane.column.name}, ${duration}`;
			const word = await runCell(engine, lane, row, kind, duration);
			expect(`${cell}: ${word}`).toBe(`${cell}: ${expected(row, lane.column, duration)}`);
		}
	}
}

test.each(rows)('$area: $name', async (row) => {
	const met = lanes.filter(({ column }) => meets(row, column));
	const ended = await Promise.allSettled(met.map(async (lane) => await runLane(lane, row)));
	// Only when all have ended, or the next row would meet what is left of this one.
	for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
});

test('the key is in nothing that n8n logged meanwhile, down to debug', () => {
	expect(log).not.toEqual([]);
	const keys = new Set(lanes.map(({ service }) => service.apiKey));
	const leaking = textsOf(log).filter((text) => [...keys].some((key) => text.includes(key)));
	expect(leaking).toEqual([]);
});

test('every resource and operation pair meets faults', () => {
	const met = lanes.map(({ column, service }) => {
		const { resource, operation } = column.parameters(service);
		return `${String(resource)}.${String(operation)}`;
	});
	expect([...new Set(met)].sort()).toEqual(Object.keys(OPERATIONS).sort());
});
