import { limits } from '../transport/limits';
import { sizeOf } from '../transport/values';
import type { TriggerItem } from './event';
import { storedText } from './tracking/storedText';

/** The order in which items are returned. */
export const byTimeAndId = (
	a: Pick<TriggerItem, 'id' | 'time'>,
	b: Pick<TriggerItem, 'id' | 'time'>,
): number => a.time - b.time || (a.id < b.id ? -1 : Number(a.id > b.id));

/** The items that were found, and which ones are missing. */
export interface FoundItems {
	items: TriggerItem[];
	/**
	 * By project, as items name it, the time after which some of its items are missing; the key is empty for
	 * items without a project
	 */
	missingAfter: ReadonlyMap<string, number>;
}

interface Group {
	/** Items with an output, unless it took too much memory */
	withOutput: TriggerItem[];
	/** The oldest of the other items */
	withoutOutput: TriggerItem[];
	missingAfter: Map<string, number>;
}

const createGroup = (): Group => ({ withOutput: [], withoutOutput: [], missingAfter: new Map() });

const nameOf = (project: string | undefined): string =>
	project === undefined ? '' : storedText(project);

function noteMissing({ missingAfter }: Group, project: string, time: number): void {
	missingAfter.set(project, Math.min(missingAfter.get(project) ?? Infinity, time));
}

/** Removes duplicate items: a list may return a record twice. */
function unique(items: TriggerItem[]): TriggerItem[] {
	const known = new Map<string, TriggerItem>();
	for (const each of items) {
		const key = JSON.stringify([each.id, each.time, each.version]);
		if (!known.has(key)) known.set(key, each);
	}
	return [...known.values()];
}

/** Adds the content of one group to another. */
function merge(into: Group, { withOutput, withoutOutput, missingAfter }: Group): void {
	for (const each of withOutput) into.withOutput.push(each);
	for (const each of withoutOutput) into.withoutOutput.push(each);
	for (const [project, time] of missingAfter) noteMissing(into, project, time);
}

/** The outputs that are kept, limited in bytes to what n8n can store. */
class KeptOutputs {
	private readonly sizes = new Map<TriggerItem, number>();

	private bytes = 0;

	/** Keeps another output, and drops the newest ones when all together are too large. */
	add(item: TriggerItem): void {
		const size = sizeOf(item.json);
		this.sizes.set(item, size);
		this.bytes += size;
		if (this.bytes <= limits.maxOutputBytes) return;
		// One is always kept, so that each poll returns something.
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
 * Drops the outputs of items that this poll cannot return, because enough older ones were found: a raw
 * flow run may have 70 kB, and days without n8n leave tens of thousands of them. Until a project is read
 * completely, its items only displace each other, because they do not count if the project cannot be
 * read. Only when all outputs together exceed what n8n can store, the newest ones of any project are
 * dropped. The next poll returns them. The newest items themselves are dropped in the same way when
 * there are more than `limits.triggerPendingItems`.
 */
export class OldestOutputs {
	private readonly ofProjects = new Map<string | undefined, Group>();

	private readonly ofReadProjects = createGroup();

	private readonly kept = new KeptOutputs();

	/**
	 * @param maxItems maximum number of items of a poll; at most twice as many outputs are kept of a
	 * project that is being read, and of all projects that were read
	 */
	constructor(private readonly maxItems: number) {}

	/** @param project where the item was found; undefined when a single list is read for all of them */
	add(item: TriggerItem, project?: string): void {
		const group = this.groupOf(project);
		group.withOutput.push(item);
		this.kept.add(item);
		this.prune(group);
	}

	/** Records that a list was read only up to a time, in milliseconds. */
	isReadUntil(time: number, project?: string): void {
		noteMissing(this.groupOf(project), nameOf(project), time);
	}

	/** Whether a list has enough items up to a time for this poll. */
	hasEnough(until: number, enough: number, project?: string): boolean {
		const isDue = ({ time }: TriggerItem) => time <= until;
		return this.groupOf(project).withOutput.filter(isDue).length >= enough;
	}

	/** Lets the items of this project compete with those of the other projects. */
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
		const { withOutput, withoutOutput, missingAfter } = all;
		return { items: unique([...withOutput, ...withoutOutput]), missingAfter };
	}

	private groupOf(project: string | undefined): Group {
		const group = this.ofProjects.get(project) ?? createGroup();
		this.ofProjects.set(project, group);
		return group;
	}

	/** Drops the items of a group that are too many, newest first. */
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
