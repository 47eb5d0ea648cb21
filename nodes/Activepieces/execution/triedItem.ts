import type { INodeExecutionData, IExecuteFunctions } from 'n8n-workflow';

/**
 * Keyed by an object that n8n makes for each run of a node, then by the data of the item; the array is
 * indexed by item.
 */
const runs = new WeakMap<object, WeakMap<object, object[]>>();

/**
 * Returns an object that represents an input item in every try of *Retry On Fail*, and in no other run
 * of the node, even in a loop. With that setting n8n runs the node again with all its items, including
 * completed ones. Operations that must not repeat an action look up what they did by this object
 * (`doOnce.ts`).
 *
 * The data of the item is part of the key, because an agent up to n8n 1 calls the node many times within
 * one run of its own.
 *
 * @returns undefined when n8n makes no further try
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
	// A model may enter any value.
	const data: unknown = json;
	const key = typeof data === 'object' && data !== null ? data : run;
	const places = items.get(key) ?? [];
	items.set(key, places);
	return (places[itemIndex] ??= {});
}
