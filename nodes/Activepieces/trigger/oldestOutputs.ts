import { limits } from '../transport/limits';
import { sizeOf } from '../transport/sizeOf';
import type { TriggerItem } from './event';

/** The order in which items are given. */
export const byTimeAndId = (
	a: Pick<TriggerItem, 'id' | 'time'>,
	b: Pick<TriggerItem, 'id' | 'time'>,
): number => a.time - b.time || (a.id < b.id ? -1 : Number(a.id > b.id));

export interface OldestOutputs {
	/** @param project where the item was found; nothing when one list is read for all of them */
	add(item: TriggerItem, project?: string): void;
	/** Lets the items of this project compete with those of the other projects from now on. */
	projectIsRead(project: string): void;
}

/**
 * Drops the outputs of items that this poll cannot give, because enough older ones were found: a raw
 * flow run may have 70 kB, and days without n8n leave tens of thousands. Until a project is read to its end,
 * its items push out only each other: they count for nothing if the project cannot be read. Only when all
 * outputs together are more than n8n can store, the newest are dropped wherever they are. They come with the
 * next poll.
 *
 * @param maxItems how many of all a poll gives; at most twice as many outputs are kept of a project that is
 * being read, and of all that were
 */
export function createOldestOutputs(maxItems: number): OldestOutputs {
	const ofProjects = new Map<string | undefined, TriggerItem[]>();
	let ofReadProjects: TriggerItem[] = [];
	const sizes = new Map<TriggerItem, number>();
	let bytes = 0;

	function drop(item: TriggerItem): void {
		item.json = undefined;
		bytes -= sizes.get(item) ?? 0;
		sizes.delete(item);
	}

	function oldest(items: TriggerItem[]): TriggerItem[] {
		if (items.length < 2 * maxItems) return items;
		items.sort(byTimeAndId);
		for (const each of items.splice(maxItems)) drop(each);
		return items;
	}

	function keep(item: TriggerItem): void {
		const size = sizeOf(item.json);
		sizes.set(item, size);
		bytes += size;
		if (bytes <= limits.maxOutputBytes) return;
		// One is always kept, so that each poll gives something.
		for (const each of [...sizes.keys()].sort(byTimeAndId).slice(1).reverse()) {
			if (bytes <= limits.maxOutputBytes / 2) break;
			drop(each);
		}
	}

	return {
		add(item, project) {
			const known = ofProjects.get(project) ?? [];
			known.push(item);
			keep(item);
			ofProjects.set(project, oldest(known));
		},
		projectIsRead(project) {
			const found = ofProjects.get(project) ?? [];
			ofProjects.delete(project);
			ofReadProjects = oldest([...ofReadProjects, ...found]);
		},
	};
}
