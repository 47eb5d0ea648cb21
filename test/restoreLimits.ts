import type { limits } from '../nodes/Activepieces/transport/limits';

/** Restores all limits after each test of a file. */
export function restoreLimits(changed: typeof limits): void {
	const restored = structuredClone(changed);
	afterEach(() => Object.assign(changed, structuredClone(restored)));
}
