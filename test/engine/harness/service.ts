import { sleep } from 'n8n-workflow';

import { startService, type Service, type ServiceOptions } from '../../service';
import { Runner, useEngine } from './runner';

class ServiceRunner extends Runner {
	service!: Service;

	/** `failsWith` for values that are refused before anything is sent. */
	refuses = async (...failure: Parameters<Runner['failsWith']>) => {
		await this.failsWith(...failure);
		expect(this.service.requests).toEqual([]);
	};

	posts = () => this.service.requests.filter(({ method }) => method === 'POST');

	flow = (id: unknown) => this.service.data.flows.find((flow) => flow.id === id);
}

/** The members of the stand-in that tests use most; the context has them as well. */
const OF_SERVICE = [
	...(['fault', 'clearFaults', 'requests', 'clearRequests', 'inFlight'] as const),
	...(['data', 'live', 'time', 'accounts', 'origin', 'baseUrl'] as const),
];

export type TestContext = ServiceRunner & Pick<Service, (typeof OF_SERVICE)[number]>;

/**
 * Waits for requests that an earlier test has sent ahead, which would count in the next one; not for those to which no
 * response comes.
 */
async function idle(service: Service): Promise<void> {
	const isBusy = () => service.inFlight.now > service.held;
	if (!isBusy()) return;
	const latest = Date.now() + 10_000;
	// A request that failed is repeated a moment later, so one look is not enough.
	for (let quiet = 0; quiet < 5 && Date.now() < latest; quiet = isBusy() ? 0 : quiet + 1) {
		await sleep(1);
	}
}

/** Starts the engine and a stand-in service for the tests of a block, and stops it after them. */
export function useService(options: ServiceOptions = {}): TestContext {
	const context = new ServiceRunner() as TestContext;
	for (const name of OF_SERVICE) {
		Object.defineProperty(context, name, { get: () => context.service[name] });
	}
	useEngine(context);
	beforeAll(async () => {
		context.service = await startService(options);
		context.credential = { baseUrl: context.service.baseUrl, apiKey: context.service.apiKey };
	});
	beforeEach(async () => {
		context.clearFaults();
		await idle(context.service);
		context.clearRequests();
	});
	afterAll(async () => {
		await context.service.close();
	});
	return context;
}

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

const QUIET_TURNS = 25;

/**
 * Ends time-outs of requests in the tests of a block, the shortest first, while the service has no request but those to
 * which no response comes. No test then depends on how fast the machine is.
 */
export function endSilences(context: TestContext): void {
	const timers = new Map<number, Set<AbortController>>();
	let spy: jest.SpyInstance;
	let watching: AbortController;

	async function watch({ signal }: AbortController): Promise<void> {
		for (let quiet = 0; !signal.aborted; await sleep(1)) {
			const { held, inFlight } = context.service;
			// Turns of the event loop that client and service share, in which requests on their way arrive.
			quiet = inFlight.now > 0 && held === inFlight.now && timers.size > 0 ? quiet + 1 : 0;
			if (quiet < QUIET_TURNS) continue;
			quiet = 0;
			end(Math.min(...timers.keys()));
		}
	}

	function end(ms: number): void {
		for (const timer of timers.get(ms)!) timer.abort();
		timers.delete(ms);
	}

	beforeEach(() => {
		spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const timer = new AbortController();
			timers.set(ms, (timers.get(ms) ?? new Set()).add(timer));
			return timer.signal;
		});
		watching = new AbortController();
		void watch(watching);
	});
	afterEach(() => {
		watching.abort();
		spy.mockRestore();
		// What still waits for a response would look like a silence of the next test.
		for (const ms of [...timers.keys()]) end(ms);
	});
}

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
