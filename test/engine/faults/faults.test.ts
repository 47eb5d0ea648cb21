import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { cases, type Case } from '../../operations';
import type { Fault, Method } from '../../operations/facts';
import {
	ROUTE_MISSING,
	startService,
	type FaultKind,
	type Service,
	type ServiceData,
} from '../../service';
import { limits, skipWaits } from '../harness/built';
import { createEngine, type Engine, type RunOptions, type RunResult } from '../harness/engine';
import { METRICS, TEMPLATE, TEMPLATES } from '../harness/parameters';
import { captureLog, textsOf, tracesOf } from '../harness/traces';
import { reactionTo, rows, type Row } from './faults';

/** The outcome of a cell: the right result, the right result after a retry, or the message. */
type Word = 'right' | 'retried' | 'message';

type Duration = 'once' | 'for ever';

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

/** An operation, and the request of it that fails. */
function columnOf(operation: Case, fault: Fault) {
	const { endpoint } = operation.operation;
	const request = fault.request ?? `${endpoint.method} ${endpoint.path}`;
	const [method, path] = request.split(' ');
	// On the path that the release has.
	const paths = [path, ...(fault.request === undefined ? [endpoint.otherPath?.path ?? path] : [])];
	return {
		...fault,
		title: [operation.title, fault.name].filter(Boolean).join(', '),
		operation,
		method: method as Method,
		isList: method === 'GET' && !path.includes('{id}'),
		path: new RegExp(`^(${paths.join('|').replaceAll('{id}', '\\w+')})$`),
		/** Which record it is for, and its parameters */
		of(data: ServiceData) {
			const id = operation.idIn(data);
			return { id, parameters: { ...operation.parameters(data, id), ...fault.parameters?.(data) } };
		},
	};
}

type Column = ReturnType<typeof columnOf>;
const columns = cases.flatMap((each) => each.faults.map((fault) => columnOf(each, fault)));

/** Lanes run in parallel. */
const LANES = 6;

/** Whether a row runs in a column. Columns that share their code with another one need fewer rows. */
const meets = ({ isFor }: Row, { isFull, isList }: Column) =>
	isFull || isFor === 'all' || (isFor === 'lists' && isList);

/** The forms of a fault that a column meets. Of a 404, the one of a proxy does not say that a record is gone. */
function kindsFor({ kinds, name }: Row, { isFull, leavesOutUnknown }: Column): FaultKind[] {
	const isGone = leavesOutUnknown === true && name === '404';
	const met = isGone ? kinds.filter(({ shape }) => shape === 'html') : kinds;
	return isFull ? met : met.slice(0, 1);
}

/** A large page that is refused is asked for again as a usual one. */
const isSmallerPage = ({ area, name }: Row, { isList }: Column, { requests }: Service): boolean =>
	isList &&
	area === 'statuses' &&
	['400', '413'].includes(name) &&
	requests.some(({ status, query }) => status === Number(name) && Number(query.limit) > 1000);

/**
 * A request that is not repeated does not depend on the duration of the fault. Columns that share their
 * code with another one only have a lasting fault if nothing was done.
 */
const durationsOf = (row: Row, { isFull, method }: Column): Duration[] =>
	reactionTo(row, method) === 'repeat' && (isFull || !row.done) ? ['once', 'for ever'] : ['once'];

function expected(row: Row, column: Column, duration: Duration): Word {
	const { done, isInDoubt } = row;
	const { method, hasNoBody, looksAfterwards, readsBack, hasList } = column;
	if (hasList && row.kinds.includes(ROUTE_MISSING)) return 'retried';
	if (reactionTo(row, hasNoBody ? 'DELETE' : method) === 'right') return 'right';
	const isRepeated = reactionTo(row, method) === 'repeat';
	if (looksAfterwards && done && isInDoubt) {
		return readsBack && !isRepeated ? 'right' : 'retried';
	}
	return duration === 'once' && isRepeated ? 'retried' : 'message';
}

/** What operations change of the service. */
const CHANGED = [
	...(['projects', 'folders', 'flows', 'olderVersions', 'flowRuns', 'templates'] as const),
	...(['connections', 'projectConnections', 'variables'] as const),
	...(['tables', 'fields', 'tableRows', 'users', 'members', 'invitations'] as const),
];

function reset(service: Service, before: ServiceData): void {
	service.clearFaults();
	service.clearRequests();
	for (const name of CHANGED)
		Object.assign(service.data, { [name]: structuredClone(before[name]) });
	service.webhooks.runs.length = 0;
}

/** A stand-in with the columns that run on it one after the other. */
async function openLane(index: number) {
	const service = await startService({ release: '0.85', data: SIZES });
	/** The data before the first cell */
	const before = { ...service.data, olderVersions: new Map(service.data.olderVersions) };
	/** Timeout in milliseconds, which identifies its requests among those of other lanes */
	const timeout = limits.requestTimeoutMs + index;
	const credential = { baseUrl: service.baseUrl, apiKey: service.apiKey };
	const run = async (parameters: INodeParameters, more: Partial<RunOptions> = {}) =>
		await engine.run({ credential, parameters, ...more });
	// So that the node knows which paths have moved.
	const known = [METRICS, TEMPLATES, TEMPLATE, { ...TEMPLATE, operation: 'get' }];
	for (const parameters of known) await run(parameters);
	/** The columns, with the number of requests of each operation without a fault */
	const requestsOf = new Map<Column, number>();
	for (const column of columns.filter((_, at) => at % LANES === index)) {
		reset(service, before);
		const { id, parameters } = column.of(service.data);
		const right = column.operation.expected(service.data, id);
		expect({ column: column.title, right }).not.toMatchObject({ right: [] });
		expectRight(column, await run(parameters), right);
		requestsOf.set(column, service.requests.length);
	}
	return { service, before, timeout, run, requestsOf };
}

type Lane = Awaited<ReturnType<typeof openLane>>;

function expectRight(column: Column, { items, error }: RunResult, right: IDataObject[]): void {
	expect(error).toBeUndefined();
	expect(column.operation.inOrder(items.map(({ json }) => json))).toMatchObject(right);
}

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
	const { service, timeout, before } = lane;
	const requests = lane.requestsOf.get(column)!;
	reset(service, before);
	const times = duration === 'once' ? 1 : undefined;
	const { operation, method, path, after } = column;
	service.fault({ kind, done: row.done, method, path, after, times });
	const { id, parameters } = column.of(service.data);
	const right = operation.expected(service.data, id);
	const result = await lane.run({ ...parameters, requestOptions: { timeout } });

	// Four more tries, and the other of two paths if the route is missing; for each of the lists that are read side by side.
	const failing = service.requests.filter((each) => each.method === method && path.test(each.path));
	const lists = column.isList ? new Set(failing.map(({ query }) => query.projectId)).size : 1;
	const looks = column.looksBeforeRemoval === true ? 2 : 1;
	expect(service.requests.length).toBeLessThanOrEqual(requests + 5 * lists * looks);
	expect(tracesOf(result).filter((text) => text.includes(service.apiKey))).toEqual([]);
	const isRight = result.error === undefined;
	if (isRight) expectRight(column, result, right);
	else checkMessage(result, row, column);
	// Nothing is reported as done that was not, and nothing is done twice or in part.
	const isDone = row.done === true && method !== 'GET' && column.readsBack !== true;
	const isChanged = operation.isChanged(service, id, before);
	if (isChanged !== undefined) expect(isChanged).toBe(isRight || isDone);
	if (!isRight) return 'message';
	return service.requests.length > requests ? 'retried' : 'right';
}

/** Replaces the timers of this process for requests, which end when the test says so. */
function controlRequestTimers() {
	const timers = new Map<number, Set<AbortController>>();
	const spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const timer = new AbortController();
		const others = timers.get(ms) ?? new Set();
		timers.set(ms, others.add(timer));
		return timer.signal;
	});
	return {
		/** Ends all pending time-outs with this number of milliseconds */
		expire(ms: number) {
			const due = timers.get(ms) ?? [];
			timers.delete(ms);
			for (const timer of due) timer.abort();
		},
		restore: () => spy.mockRestore(),
	};
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

/** Returns the number of cells that it has run. */
async function runLane(lane: Lane, row: Row): Promise<number> {
	let count = 0;
	for (const column of [...lane.requestsOf.keys()].filter((each) => meets(row, each))) {
		for (const kind of kindsFor(row, column)) {
			for (const duration of durationsOf(row, column)) {
				const cell = `${column.title}, ${duration}`;
				const word = await runCell(lane, column, row, kind, duration).catch((error: Error) => {
					throw Object.assign(error, { message: `${cell}: ${error.message}` });
				});
				const isSmaller = isSmallerPage(row, column, lane.service);
				const wanted = isSmaller ? 'retried' : expected(row, column, duration);
				expect(`${cell}: ${word}`).toBe(`${cell}: ${wanted}`);
				count++;
			}
		}
	}
	return count;
}

test.each(rows)('$area: $name', async (row) => {
	const ended = await Promise.allSettled(lanes.map(async (lane) => await runLane(lane, row)));
	// After all have ended, because the next row would otherwise see the rest of this one.
	let cells = 0;
	for (const lane of ended) {
		if (lane.status === 'rejected') throw lane.reason;
		cells += lane.value;
	}
	expect(cells).toBeGreaterThan(0);
	// n8n's log, at all levels, does not contain the key; the logged objects contain much.
	expect(log).not.toEqual([]);
	const keys = lanes.map(({ service }) => service.apiKey);
	expect(textsOf(log).filter((text) => keys.some((key) => text.includes(key)))).toEqual([]);
	log.length = 0;
});
