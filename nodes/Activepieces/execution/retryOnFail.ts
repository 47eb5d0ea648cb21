import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Ledger } from '../transport/errors/ledger';
import type { ItemOutput } from './itemOutput';

/** What all tries of *Retry On Fail* know of one input item. Without that setting there is one try. */
export class TriedItem {
	ledger = new Ledger();
	/** The output of a try that completed the item; it is returned again */
	output?: ItemOutput;
	/** What the operation found in the last try before something may have changed */
	private before?: IDataObject;
	isInDoubt = false;

	/** Keeps what the operation has found until something may have changed; returns what was kept. */
	keepBefore(found: IDataObject): IDataObject {
		if (!this.isInDoubt || this.before === undefined) this.before = found;
		return this.before;
	}
}

/** By an object that n8n makes for each run of a node, and by the index of the item */
const runs = new WeakMap<object, TriedItem[]>();

/**
 * Returns the object that represents an input item in every try of *Retry On Fail*, and in no other run
 * of the node, even in a loop. With that setting n8n runs the node again with all its items, including
 * completed ones: deleting a record again would report that it was not found, and creating it again that it
 * exists. Expressions may give other values for the item in another try, so they are no part of the key.
 */
export function triedItem(
	context: Pick<IExecuteFunctions, 'getExecuteData'>,
	itemIndex: number,
	retryOnFail: boolean,
): TriedItem {
	if (!retryOnFail) return new TriedItem();
	const run = context.getExecuteData();
	const items = runs.get(run) ?? [];
	runs.set(run, items);
	items[itemIndex] ??= new TriedItem();
	const item = items[itemIndex];
	item.isInDoubt = item.ledger.mayHaveChanged;
	return item;
}
