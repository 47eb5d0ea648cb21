import type { INodeExecutionData, IExecuteFunctions } from 'n8n-workflow';

/** What n8n makes anew for every run of a node, then its items' own data, then their places. */
const runs = new WeakMap<object, WeakMap<object, object[]>>();

/**
 * With *Retry On Fail* n8n runs the node again with all its items, those that were done as well. This gives
 * an object for an item that is the same in every try and in no other run of the node, also in a loop.
 * Operations that must not do a thing twice know by it what they have done (`doOnce.ts`).
 *
 * The data of the item count as well: an agent up to n8n 1 calls the node many times in a run of its own.
 *
 * @returns nothing where n8n makes no further try
 */
export function triedItem(
	context: Pick<IExecuteFunctions, 'getNode' | 'getExecuteData'>,
	itemIndex: number,
	{ json }: INodeExecutionData,
): object | undefined {
	if (context.getNode().retryOnFail !== true) return undefined;
	const run = context.getExecuteData();
	const items = runs.get(run) ?? new WeakMap<object, object[]>();
	runs.set(run, items);
	// A model may have entered anything.
	const data: unknown = json;
	const key = typeof data === 'object' && data !== null ? data : run;
	const places = items.get(key) ?? [];
	items.set(key, places);
	return (places[itemIndex] ??= {});
}
