import type { IDataObject } from 'n8n-workflow';

import { limits } from '../transport/limits';
import { sizeOf } from '../transport/values';
import type { FoundItems } from './lists';

/** Something that happened, with its time by the clock of the service. */
export interface TriggerItem {
	id: string;
	time: number;
	listId: string;
	/** The new value of its record, if that is what has changed */
	value?: string;
	json: IDataObject;
}

type Items = Map<string, TriggerItem>;

const byTimeAndId = (a: TriggerItem, b: TriggerItem): number =>
	a.time - b.time || (a.id < b.id ? -1 : Number(a.id > b.id));

const oldestFirst = (items: Items): TriggerItem[] => [...items.values()].sort(byTimeAndId);

/** The first items, as many as n8n can store; at least one, so that each poll returns something. */
function storable(items: TriggerItem[]): TriggerItem[] {
	let bytes = 0;
	const end = items.findIndex(({ json }, index) => {
		bytes += sizeOf(json);
		return index > 0 && bytes > limits.maxOutputBytes;
	});
	return end < 0 ? items : items.slice(0, end);
}

/**
 * The items that a poll returns: the oldest, up to a maximum number and size. Those beyond the number are
 * left to later polls at once, because days without n8n leave tens of thousands of them, and a raw flow run
 * may have 70 kB. Items of a list count only when it was read to its end, because a list that cannot be read
 * has none.
 */
export class OldestItems implements FoundItems {
	/** By list, the items of lists that are being read */
	private readonly reading = new Map<string, Items>();

	/** Of all lists that were read */
	private readonly items: Items = new Map();

	private readonly read = new Set<string>();

	private readonly left = new Map<string, number>();

	/** @param maxItems at most twice as many are kept of a list that is being read, and of all others together */
	constructor(private readonly maxItems: number) {}

	/** Adds an item. A list may contain a record twice. */
	add(item: TriggerItem): void {
		const items = this.reading.get(item.listId) ?? new Map<string, TriggerItem>();
		this.reading.set(item.listId, items);
		this.put(items, item);
	}

	hasEnough(listId: string, readUntil: number, isOneEnough: boolean): boolean {
		const items = [...(this.reading.get(listId)?.values() ?? [])];
		const count = items.filter(({ time }) => time <= readUntil).length;
		return count >= (isOneEnough ? 1 : this.maxItems);
	}

	listIsRead(listId: string): void {
		this.read.add(listId);
		for (const item of this.reading.get(listId)?.values() ?? []) this.put(this.items, item);
		this.reading.delete(listId);
	}

	/**
	 * Returns the items before all that were left out, because missing items may be older than the ones after
	 * them, and by list, the time from which some of its items were left out.
	 */
	result() {
		const left = new Map([...this.left].filter(([listId]) => this.read.has(listId)));
		// Infinity if nothing was left out, as usual.
		const leftFrom = Math.min(...left.values());
		const found = oldestFirst(this.items);
		const oldest = found.filter(({ time }) => time <= leftFrom).slice(0, this.maxItems);
		const items = storable(oldest);
		for (const { listId, time } of found.slice(items.length)) {
			left.set(listId, Math.min(left.get(listId) ?? Infinity, time));
		}
		return { items, left };
	}

	private put(items: Items, item: TriggerItem): void {
		items.set(item.id, item);
		if (items.size < 2 * this.maxItems) return;
		for (const { id, listId, time } of oldestFirst(items).slice(this.maxItems)) {
			items.delete(id);
			this.leave(listId, time);
		}
	}

	leave(listId: string, time: number): void {
		this.left.set(listId, Math.min(this.left.get(listId) ?? Infinity, time));
	}
}
