import { limits } from '../transport/limits';
import { sizeOf } from '../transport/values/sizeOf';
import type { TriggerItem } from './event';
import { storedText } from './tracking/storedText';

/** The order in which items are given. */
export const byTimeAndId = (
	a: Pick<TriggerItem, 'id' | 'time'>,
	b: Pick<TriggerItem, 'id' | 'time'>,
): number => a.time - b.time || (a.id < b.id ? -1 : Number(a.id > b.id));

/** Items that were found, and what is not among them. */
export interface FoundItems {
	items: TriggerItem[];
	/** Times by project, as an item names it, after which some of its items are missing; empty for none */
	isMissingAfter: ReadonlyMap<string, number>;
}

interface Group {
	/** Those that have an output, unless it took too much room */
	withOutput: TriggerItem[];
	/** The others, the oldest ones of them */
	withoutOutput: TriggerItem[];
	isMissingAfter: Map<string, number>;
}

const createGroup = (): Group => ({ withOutput: [], withoutOutput: [], isMissingAfter: new Map() });

const nameOf = (project: string | undefined): string =>
	project === undefined ? '' : storedText(project);

function noteMissing({ isMissingAfter }: Group, project: string, time: number): void {
	isMissingAfter.set(project, Math.min(isMissingAfter.get(project) ?? Infinity, time));
}

/** The items, each once: a list may give a record twice. */
function unique(items: TriggerItem[]): TriggerItem[] {
	const known = new Map<string, TriggerItem>();
	for (const each of items) {
		const key = JSON.stringify([each.id, each.time, each.version]);
		if (!known.has(key)) known.set(key, each);
	}
	return [...known.values()];
}

/** Adds what one group has to another one. */
function merge(into: Group, { withOutput, withoutOutput, isMissingAfter }: Group): void {
	for (const each of withOutput) into.withOutput.push(each);
	for (const each of withoutOutput) into.withoutOutput.push(each);
	for (const [project, time] of isMissingAfter) noteMissing(into, project, time);
}

/** The outputs that are kept, bounded in bytes: no more than n8n can store. */
class KeptOutputs {
	private readonly sizes = new Map<TriggerItem, number>();

	private bytes = 0;

	/** Keeps one more; drops the newest ones when all together are too large. */
	add(item: TriggerItem): void {
		const size = sizeOf(item.json);
		this.sizes.set(item, size);
		this.bytes += size;
		if (this.bytes <= limits.maxOutputBytes) return;
		// One is always kept, so that each poll gives something.
		for (const each of [...this.sizes.keys()].sort(byTimeAndId).slice(1).reverse()) {
			if (this.bytes <= limits.maxOutputBytes / 2) break;
			this.drop(each);
		}
	}

	drop(item: TriggerItem): void {
		item.json = undefined;
		this.bytes -= this.sizes.get(item) ?? 0;
		this.sizes.delete(item);
	}
}

/**
 * Drops the outputs of items that this poll cannot give, because enough older ones were found: a raw
 * flow run may have 70 kB, and days without n8n leave tens of thousands. Until a project is read to its end,
 * its items push out only each other: they count for nothing if the project cannot be read. Only when all
 * outputs together are more than n8n can store, the newest are dropped wherever they are. They come with the
 * next poll. So do the newest of the items themselves when there are more than `limits.triggerPendingItems`.
 */
export class OldestOutputs {
	private readonly ofProjects = new Map<string | undefined, Group>();

	private readonly ofReadProjects = createGroup();

	private readonly kept = new KeptOutputs();

	/**
	 * @param maxItems how many of all a poll gives; at most twice as many outputs are kept of a project that is
	 * being read, and of all that were
	 */
	constructor(private readonly maxItems: number) {}

	/** @param project where the item was found; nothing when one list is read for all of them */
	add(item: TriggerItem, project?: string): void {
		const group = this.groupOf(project);
		group.withOutput.push(item);
		this.kept.add(item);
		this.prune(group);
	}

	/** Notes that a list was read up to a time only, in milliseconds. */
	isReadUntil(time: number, project?: string): void {
		noteMissing(this.groupOf(project), nameOf(project), time);
	}

	/** Whether a poll has enough to give, of what has happened up to a time, in one list. */
	hasEnough(until: number, enough: number, project?: string): boolean {
		const isDue = ({ time }: TriggerItem) => time <= until;
		return this.groupOf(project).withOutput.filter(isDue).length >= enough;
	}

	/** Lets the items of this project compete with those of the other projects from now on. */
	projectIsRead(project: string): void {
		merge(this.ofReadProjects, this.groupOf(project));
		this.ofProjects.delete(project);
		this.prune(this.ofReadProjects);
	}

	/** @param unread projects whose items do not count */
	found(unread: Iterable<string>): FoundItems {
		const all = createGroup();
		merge(all, this.ofReadProjects);
		const left = new Set<string | undefined>(unread);
		for (const [project, group] of this.ofProjects) if (!left.has(project)) merge(all, group);
		const { withOutput, withoutOutput, isMissingAfter } = all;
		return { items: unique([...withOutput, ...withoutOutput]), isMissingAfter };
	}

	private groupOf(project: string | undefined): Group {
		const group = this.ofProjects.get(project) ?? createGroup();
		this.ofProjects.set(project, group);
		return group;
	}

	/** Lets go of what is too much in a group, the newest first. */
	private prune(group: Group): void {
		const { withOutput, withoutOutput } = group;
		if (withOutput.length >= 2 * this.maxItems) {
			withOutput.sort(byTimeAndId);
			for (const each of withOutput.splice(this.maxItems)) {
				this.kept.drop(each);
				withoutOutput.push(each);
			}
		}
		if (withoutOutput.length >= 2 * limits.triggerPendingItems) {
			withoutOutput.sort(byTimeAndId);
			for (const { time, project = '' } of withoutOutput.splice(limits.triggerPendingItems)) {
				noteMissing(group, project, time);
			}
		}
	}
}
