/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n's engine, never inside n8n */
/** The seed of property-based tests as well. */
let state = Number(process.env.FC_SEED ?? 20261121);

/** Numbers from 0 to below 1, which are the same in each run of a test file (Park and Miller, 1988). */
function random(): number {
	state = (state * 48_271) % 0x7fffffff;
	return state / 0x7fffffff;
}

/**
 * Waits for up to three turns of the event loop, as for n8n's database: each item reads its credential there, so
 * that the items of a run continue in any order.
 */
export async function pause(): Promise<void> {
	for (let turns = Math.floor(random() * 4); turns > 0; turns--) {
		await new Promise((resolve) => setImmediate(resolve));
	}
}
