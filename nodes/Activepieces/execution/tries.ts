import type { IExecuteFunctions } from 'n8n-workflow';

/** What stands for the input items of a node run, in their order. */
const itemsOfRuns = new WeakMap<object, object[]>();

/**
 * With *Retry On Fail* n8n runs the node again with all its items, those that were done as well. This
 * gives an object for each item that is the same in every try and in no other run of the node, also in a
 * loop. An operation that must not do a thing twice keys by it what it has done.
 *
 * @returns a function that gives nothing where n8n makes no further try
 */
export function triedItems(context: IExecuteFunctions): (itemIndex: number) => object | undefined {
	if (context.getNode().retryOnFail !== true) return () => undefined;
	// n8n makes it anew for every node run and keeps it from try to try.
	const run = context.getExecuteData();
	const items = itemsOfRuns.get(run) ?? [];
	itemsOfRuns.set(run, items);
	return (itemIndex) => (items[itemIndex] ??= {});
}
