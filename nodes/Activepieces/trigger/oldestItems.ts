import type { IDataObject } from 'n8n-workflow';

import { fillProjectNames } from '../resources/project/projectNames';
import { limits } from '../transport/limits';
import { sizeOf } from '../transport/values';
import type { EventContext, EventState, PollResult } from './event';
import type { ListsRead } from './lists';

/** Something that happened, with its time by the clock of the service. */
export interface TriggerItem {
	id: string;
	time: number;
	list: string;
	/** The new value of its record, if that is what has changed */
	value?: string;
	json: IDataObject;
}

interface KeptItem extends TriggerItem {
	bytes: number;
}

type Items = Map<string, KeptItem>;

const byTimeAndId = (a: TriggerItem, b: TriggerItem): number =>
	a.time - b.time || (a.id < b.id ? -1 : Number(a.id > b.id));

const oldestFirst = (items: Items): KeptItem[] => [...items.values()].sort(byTimeAndId);

/**
 * The items that a poll returns: the oldest, up to a maximum number and size. The others are left to later
 * polls at once, because days without n8n leave tens of thousands of them, and a raw flow run may have 70
 * kB. Items of a list count only when it was read to its end, because a list that cannot be read has none.
 */
export class OldestItems {
	/** By list, the items of lists that are being read */
	private readonly reading = new Map<string, Items>();

	/** Of all lists that were read */
	private readonly items: Items = new Map();

	private readonly read = new Set<string>();

	private readonly left = new Map<string, number>();

	private bytes = 0;

	/** @param maxItems at most twice as many are kept of a list that is being read, and of all others together */
	constructor(private readonly maxItems: number) {}

	/** Adds an item. A list may contain a record twice. */
	add(item: TriggerItem): void {
		const items = this.reading.get(item.list) ?? new Map<string, KeptItem>();
		this.reading.set(item.list, items);
		this.put(items, { ...item, bytes: sizeOf(item.json) });
		if (this.bytes <= limits.maxOutputBytes) return;
		// n8n could not store them. One is always kept, so that each poll returns something.
		const all = [this.items, ...this.reading.values()].flatMap(oldestFirst).sort(byTimeAndId);
		for (const newest of all.slice(1).reverse()) {
			if (this.bytes <= limits.maxOutputBytes / 2) break;
			this.drop(this.reading.get(newest.list) ?? this.items, [newest]);
		}
	}

	/** Leaves the items after a time to later polls, because the list is not read any further. */
	leave(list: string, time: number): void {
		this.left.set(list, Math.min(this.left.get(list) ?? Infinity, time));
	}

	count(list: string, until: number): number {
		const items = [...(this.reading.get(list)?.values() ?? [])];
		return items.filter(({ time }) => time <= until).length;
	}

	/** Lets the items of this list compete with those of the others. */
	listIsRead(list: string): void {
		this.read.add(list);
		for (const item of this.reading.get(list)?.values() ?? []) {
			this.bytes -= item.bytes;
			this.put(this.items, item);
		}
		this.reading.delete(list);
	}

	/**
	 * Returns the items before all that were left out, because missing items may be older than the ones after
	 * them, and by list, the time from which some of its items were left out.
	 */
	result() {
		const left = new Map([...this.left].filter(([list]) => this.read.has(list)));
		const until = Math.min(...left.values());
		const found = oldestFirst(this.items);
		const items = found.filter(({ time }) => time <= until).slice(0, this.maxItems);
		for (const { list, time } of found.slice(items.length)) {
			left.set(list, Math.min(left.get(list) ?? Infinity, time));
		}
		return { items, left };
	}

	private put(items: Items, item: KeptItem): void {
		this.bytes += item.bytes - (items.get(item.id)?.bytes ?? 0);
		items.set(item.id, item);
		if (items.size >= 2 * this.maxItems) this.drop(items, oldestFirst(items).slice(this.maxItems));
	}

	private drop(items: Items, dropped: KeptItem[]): void {
		for (const { id, list, time, bytes } of dropped) {
			if (!items.delete(id)) continue;
			this.bytes -= bytes;
			this.leave(list, time);
		}
	}
}

export async function resultOf(
	{ client }: EventContext,
	found: OldestItems,
	{ unread }: ListsRead,
	nextState: (items: TriggerItem[], left: ReadonlyMap<string, number>) => EventState,
): Promise<PollResult> {
	const { items, left } = found.result();
	const outputs = items.map(({ json }) => json);
	await fillProjectNames(client, outputs);
	return { items: outputs, state: nextState(items, left), unread };
}
