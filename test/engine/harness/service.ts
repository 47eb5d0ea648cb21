import { type Service, type ServiceOptions, startService } from '../../service';
import { patience } from './built';
import type { Credential } from './credentials';
import { createEngine, type Engine } from './engine';

export const RELEASES = ['0.73', '0.79', '0.85'] as const;

export interface Bench {
	engine: Engine;
	service: Service;
	credential: Credential;
}

/**
 * Starts the engine and a stand-in service for the tests of a block, and stops it after them. Requests
 * are repeated without waiting, unless a test sets `patience.share`.
 */
export function useService(options: ServiceOptions = {}): Bench {
	const bench = {} as Bench;
	beforeAll(async () => {
		bench.engine = await createEngine();
		bench.service = await startService(options);
		bench.credential = { baseUrl: bench.service.baseUrl, apiKey: bench.service.apiKey };
	});
	beforeEach(() => {
		patience.share = 0;
		bench.service.clearFaults();
		bench.service.clearRequests();
	});
	afterAll(async () => {
		await bench.service.close();
	});
	return bench;
}

export { byId } from './byId';

/** What the service was asked, as `GET /v1/flows?limit=10`. */
export const asked = ({ service }: Bench) =>
	service.requests.map(({ method, url }) => `${method} ${url.replace(/^\/api/, '')}`);

/** Paths only, for what does not depend on the query. */
export const paths = ({ service }: Bench) =>
	service.requests.map(({ method, path }) => `${method} ${path}`);
