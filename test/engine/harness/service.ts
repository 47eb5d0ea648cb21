import {
	type IDataObject,
	type INodeListSearchResult,
	type INodeParameters,
	type NodeApiError,
	sleep,
} from 'n8n-workflow';

import {
	type RecordedRequest,
	type Service,
	type ServiceOptions,
	startService,
} from '../../service';
import type { FlowRecord } from '../../service/records';

export { FIRST_AND_LAST, RELEASES } from '../../service';
import { restoreLimits } from '../../restoreLimits';
import { limits, skipWaits } from './built';
import type { Credential } from './credentials';
import {
	createEngine,
	type Engine,
	type RunOptions,
	type RunResult,
	type SearchOptions,
} from './engine';

/** The input items and further options of a run. */
type Given = IDataObject[] | Omit<Partial<RunOptions>, 'parameters'>;

type Failure = [
	parameters: INodeParameters,
	message: string | RegExp,
	description?: string | RegExp | Array<string | RegExp>,
	given?: Given,
];

/** The members of the stand-in that tests use most; the context has them as well. */
const OF_SERVICE = [
	...(['fault', 'clearFaults', 'requests', 'clearRequests', 'inFlight'] as const),
	...(['data', 'live', 'time', 'accounts', 'origin', 'baseUrl'] as const),
];

export interface TestContext extends Pick<Service, (typeof OF_SERVICE)[number]> {
	engine: Engine;
	service: Service;
	credential: Credential;
	/** Runs the node with this credential; see `Engine`. */
	run: (parameters: INodeParameters, given?: Given) => Promise<RunResult>;
	records: (parameters: INodeParameters, given?: Given) => Promise<IDataObject[]>;
	/** The first of the records. */
	record: (parameters: INodeParameters, given?: Given) => Promise<IDataObject>;
	failure: (parameters: INodeParameters, given?: Given) => Promise<NodeApiError>;
	/**
	 * Runs the node, and compares the error that stops it: a text is the whole message, or part of the
	 * description. Returns the error.
	 */
	failsWith: (...[parameters, message, description, given]: Failure) => Promise<NodeApiError>;
	/** The same for values that are refused before anything is sent. */
	refuses: (...[parameters, message, description, given]: Failure) => Promise<void>;
	search: (method: string, given?: Partial<SearchOptions>) => Promise<INodeListSearchResult>;
	/** The POST requests that the service has received. */
	posts: () => RecordedRequest[];
	/** A flow as the service has stored it. */
	flow: (id: unknown) => FlowRecord | undefined;
}

/** Waits for requests that an earlier test has sent ahead, which would count in the next one. */
async function idle({ inFlight }: Service): Promise<void> {
	if (inFlight.now === 0) return;
	const latest = Date.now() + 1000;
	// A request that failed is repeated a moment later, so one look is not enough.
	for (let quiet = 0; quiet < 5 && Date.now() < latest; quiet = inFlight.now > 0 ? 0 : quiet + 1) {
		await sleep(1);
	}
}

/**
 * Starts the engine and a stand-in service for the tests of a block, and stops it after them. Limits that a
 * test changes are restored. Requests are repeated without waiting, unless a test calls `waitReally`.
 */
export function useService(options: ServiceOptions = {}): TestContext {
	const optionsOf = (parameters: INodeParameters, given: Given = {}): RunOptions => ({
		credential: context.credential,
		parameters,
		...(Array.isArray(given) ? { items: given } : given),
	});
	const context = {
		run: async (...given) => await context.engine.run(optionsOf(...given)),
		records: async (...given) => await context.engine.records(optionsOf(...given)),
		record: async (...given) => (await context.records(...given))[0],
		failure: async (...given) => await context.engine.failure(optionsOf(...given)),
		failsWith: async (parameters, message, description = [], given = {}) => {
			const error = await context.failure(parameters, given);
			if (typeof message === 'string') expect(error.message).toBe(message);
			else expect(error.message).toMatch(message);
			for (const part of [description].flat()) expect(error.description).toMatch(part);
			return error;
		},
		refuses: async (...failure) => {
			await context.failsWith(...failure);
			expect(context.service.requests).toEqual([]);
		},
		search: async (method, given) =>
			await context.engine.search(method, { credential: context.credential, ...given }),
		posts: () => context.requests.filter(({ method }) => method === 'POST'),
		flow: (id) => context.data.flows.find((flow) => flow.id === id),
	} as TestContext;
	for (const name of OF_SERVICE) {
		Object.defineProperty(context, name, { get: () => context.service[name] });
	}
	beforeAll(async () => {
		context.engine = await createEngine();
		context.service = await startService(options);
		context.credential = { baseUrl: context.service.baseUrl, apiKey: context.service.apiKey };
	});
	restoreLimits(limits);
	beforeEach(async () => {
		skipWaits();
		context.service.clearFaults();
		await idle(context.service);
		context.service.clearRequests();
	});
	afterAll(async () => {
		await context.service.close();
	});
	return context;
}

export { byId, ids, sortedIds } from './byId';

/** The requests that the service received, as `GET /v1/flows?limit=10`. */
export const requestUrls = ({ service }: TestContext) =>
	service.requests.map(({ method, url }) => `${method} ${url.replace(/^\/api/, '')}`);

/** The same without the query, for tests that do not depend on it. */
export const requestPaths = ({ service }: TestContext) =>
	service.requests.map(({ method, path }) => `${method} ${path}`);

/** The requests that change something, with their bodies. */
export const changesSent = ({ service }: TestContext) =>
	service.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path, body }) => [`${method} ${path}`, ...(body === undefined ? [] : [body])]);

/**
 * Delays all responses until this many requests are in flight, however busy the machine is; then each
 * takes 5 ms.
 */
export function holdUntilInFlight({ service }: TestContext, count: number, path?: string) {
	service.fault({ path, times: count, kind: { untilInFlight: count } });
	service.fault({ path, kind: { delay: 5 } });
}

/** Cancels a run as soon as the service has received this many requests, or those to a path; for `started`. */
export const cancelAt =
	(context: TestContext, count: number, path = /./) =>
	(cancel: () => void) => {
		const sent = () => context.requests.filter((request) => path.test(request.path)).length;
		const watch = async () => {
			// Less than the time limit of a jest test, because the machine may be busy.
			const latest = Date.now() + 240_000;
			while (sent() < count && Date.now() < latest) await sleep(1);
			cancel();
		};
		void watch();
	};

/** Waits, and returns the number of requests in this time: those that a run has left behind. */
export async function requestsWithin({ service }: TestContext, ms: number): Promise<number> {
	const before = service.requests.length;
	await sleep(ms);
	return service.requests.length - before;
}
