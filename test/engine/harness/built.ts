import { packageRoot } from './environment';

const TRANSPORT = `${packageRoot}/dist/nodes/Activepieces/transport`;

/** The very object that the engine runs with, not that of the sources: tests change it. */
export const { limits } = requireNative<
	typeof import('../../../nodes/Activepieces/transport/limits')
>(`${TRANSPORT}/limits.js`);

/** What the built trigger remembers of earlier polls, as long as n8n's process lives. */
export const { memories } = requireNative<
	typeof import('../../../nodes/Activepieces/trigger/state')
>(`${packageRoot}/dist/nodes/Activepieces/trigger/state.js`);

const { waiting } = requireNative<typeof import('../../../nodes/Activepieces/transport/run/sleep')>(
	`${TRANSPORT}/run/sleep.js`,
);
const { sleep } = waiting;

/** Every wait of a run is over at once, though it counts. */
export function skipWaits(): void {
	waiting.sleep = async (_ms, signal) => await sleep(0, signal);
}

export function waitReally(): void {
	waiting.sleep = sleep;
}

/** One try of each request, for tests in which further ones would come to the same; see `restoreLimits`. */
export function tryOnce(): void {
	for (const policy of ['execution', 'listSearch', 'poll'] as const) limits[policy].maxAttempts = 1;
}
