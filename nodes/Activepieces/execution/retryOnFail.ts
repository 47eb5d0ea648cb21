/** What is known of an input item between the tries of n8n's Retry On Fail. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Ledger } from '../transport/errors/ledger';
import { rememberedWith } from '../transport/n8nObjects';
import type { ItemOutput } from './operationContext';

/** What all tries of *Retry On Fail* know of one input item. Without that setting there is one try. */
export class TriedItem {
	ledger = new Ledger();
	/** The output of a try that completed the item; it is returned again */
	output?: ItemOutput;
	/** What no other item of the run may name, such as the flow of Import (`claim`) */
	claimedKey?: string;
}

/** By an object that n8n makes for each run of a node, by the data of the item, and by its index. */
const runs = rememberedWith<WeakMap<object, TriedItem[]>>();

/**
 * Returns the object that represents an input item in every try of *Retry On Fail*, and in no other run
 * of the node, even in a loop. With that setting n8n runs the node again with all its items, including
 * completed ones: deleting a record again would report that it was not found, and creating it again that it
 * exists. Expressions may give other values for the item in another try, so they are no part of the key.
 *
 * The data of the item is part of the key, because an agent up to n8n 1 calls the node many times within
 * one run of its own.
 */
export function triedItem(
	context: Pick<IExecuteFunctions, 'getExecuteData'>,
	itemIndex: number,
	{ json }: INodeExecutionData,
	retryOnFail: boolean,
): TriedItem {
	if (!retryOnFail) return new TriedItem();
	const run = context.getExecuteData();
	const items = runs.get(run) ?? rememberedWith<TriedItem[]>();
	runs.set(run, items);
	// A model may enter any value.
	const data: unknown = json;
	const key = typeof data === 'object' && data !== null ? data : run;
	const tried = items.get(key) ?? [];
	items.set(key, tried);
	tried[itemIndex] ??= new TriedItem();
	const item = tried[itemIndex];
	item.ledger.startTry();
	return item;
}
