import { limits } from '../transport/limits';
import type { Endpoint } from '../transport/endpoint';

/** How many items are worked on at once: changes by POST may depend on each other, so they keep order. */
export const concurrencyOf = ({ method }: Endpoint): number =>
	method === 'POST' ? 1 : limits.maxConcurrency;
