import { limits } from '../../../nodes/Activepieces/transport/limits';

/** Changes limits for each test of a file, and puts all of them back after it. */
export function useLimits(change: () => void): void {
	const restored = structuredClone(limits);
	beforeEach(change);
	afterEach(() => Object.assign(limits, structuredClone(restored)));
}
