import { packageRoot } from './environment';

const TRANSPORT = `${packageRoot}/dist/nodes/Activepieces/transport`;

/** The limits of the build that the engine runs, not those of the sources: tests change them. */
export const { limits } = requireNative<
	typeof import('../../../nodes/Activepieces/transport/limits')
>(`${TRANSPORT}/limits.js`);

/** The table of the build that says what responses mean, for tests that change a copy of a row. */
export const { VERDICTS } = requireNative<
	typeof import('../../../nodes/Activepieces/transport/http/verdict')
>(`${TRANSPORT}/http/verdict.js`);

/** What the built trigger remembers of earlier polls, while n8n's process lives. */
export const { activations } = requireNative<
	typeof import('../../../nodes/Activepieces/trigger/state')
>(`${packageRoot}/dist/nodes/Activepieces/trigger/state.js`);

const { waiting } = requireNative<
	typeof import('../../../nodes/Activepieces/transport/http/exchange')
>(`${TRANSPORT}/http/exchange.js`);
const { sleep } = waiting;

/**
 * Ends every wait of a run at once, or when a function of the test has ended, and still counts it. Returns
 * the waits, in milliseconds.
 */
export function skipWaits(untilEnd = async () => {}): number[] {
	const waits: number[] = [];
	waiting.sleep = async (ms, signal) => {
		waits.push(ms);
		await untilEnd();
		await sleep(0, signal);
	};
	return waits;
}

export function waitReally(): void {
	waiting.sleep = sleep;
}

/** Limits requests to one try, for tests in which more tries make no difference; see `restoreLimits`. */
export function tryOnce(): void {
	for (const policy of ['execution', 'listSearch', 'poll'] as const) limits[policy].maxAttempts = 1;
}
