import type { INodeListSearchResult } from 'n8n-workflow';

import type { ListSource } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { isAboutServer, isListRefused } from '../../transport/error';
import { limits } from '../../transport/limits';
import { createLoopGuard, createReadAhead, type Page } from '../../transport/pages';
import type { LinkedRecord } from '../../transport/recordUrl';
import { Entries } from './entries';
import { fetchPage, isWholeId, type ListRead, planReads } from './listReads';
import { formatPosition, type ListName, parsePosition, type Position } from './position';
import { locatorBounds, type Outcome, type SearchBounds, within } from './searchBounds';

const nameOf = ({ source, isWhole }: ListRead): ListName => ({ list: source.key, isWhole });

/** What the editor asks for in a locator's list. */
interface SearchRequest {
	/** The page that an entry links to, which n8n opens with an arrow */
	page?: LinkedRecord;
	filter?: string;
	paginationToken?: string;
	/** By default those of a locator */
	bounds?: SearchBounds;
}

/** Lists that cannot be read. They are left out, unless there are too many of them. */
class UnreadLists {
	/** Error of the first list that was not read */
	reason: Error | undefined;

	private failures = 0;

	/**
	 * @param isReadable whether another list could be read
	 * @throws an error to report at once, because it applies to all lists or too many in a row failed
	 */
	add(error: unknown, isReadable: boolean): void {
		if (isAboutServer(error)) throw error;
		this.reason ??= error as Error;
		if (!isListRefused(error)) this.failures++;
		if (!isReadable && this.failures >= limits.maxConsecutiveFailures) throw this.reason;
	}
}

/** A search in several lists, and its position. */
class Search {
	private readonly start = Date.now();

	private readonly text: string;

	private readonly bounds: SearchBounds;

	private readonly entries: Entries;

	private readonly unread = new UnreadLists();

	private readonly reads: ListRead[];

	/** How many lists are read whatever they contain */
	private readonly firstReads: number;

	private readonly firstPage: (index: number) => Promise<Page>;

	/** Index of the current list; less than 0 when none of the lists of its position are left */
	private index = 0;

	/** Cursor within the current list */
	private cursor: string | undefined;

	private guard = createLoopGuard();

	/** Number of lists that the search has completed */
	private lists = 0;

	private isReadable: boolean;

	private isFound: boolean;

	constructor(
		private readonly client: ApiClient,
		sources: ListSource[],
		{ page, filter = '', paginationToken, bounds = locatorBounds() }: SearchRequest,
	) {
		this.text = filter.trim();
		this.bounds = bounds;
		this.entries = new Entries(client, this.text, page);
		const { first, rest } = planReads(sources, this.text, bounds.pageSize);
		this.reads = [...first, ...rest];
		this.firstReads = first.length;
		this.firstPage = createReadAhead(
			this.reads.length,
			async (index) => await fetchPage(client, this.reads[index]),
			(index) => this.width(index),
		);
		const position = parsePosition(paginationToken);
		// Nobody can have scrolled a list that could not be read.
		this.isReadable = this.isFound = position !== undefined;
		if (position !== undefined) this.goTo(position);
	}

	async run(): Promise<INodeListSearchResult> {
		const { results } = this.entries;
		// n8n shows duplicates, so a search does not restart once entries are shown.
		if (this.index < 0) return { results };
		while (this.index < this.reads.length && !this.isEnough()) {
			const outcome = await this.fetchInTime();
			if (outcome === undefined) return this.stop();
			let next: string | undefined;
			if ('page' in outcome) {
				next = this.take(outcome.page);
				// An ID is unique.
				if (isWholeId(this.text) && this.entries.has(this.text)) return { results };
			} else {
				this.unread.add(outcome.error, this.isReadable);
			}
			this.goOn(next);
		}
		if (!this.isReadable && this.unread.reason !== undefined) throw this.unread.reason;
		return { results };
	}

	/** Continues where an earlier search stopped. */
	private goTo(position: Position): void {
		const known = this.indexOf(position);
		this.index = known < 0 ? this.indexOf(position.following) : known;
		this.cursor = known < 0 ? undefined : position.cursor;
		if (this.cursor !== undefined) this.guard(1, false, this.cursor);
	}

	private indexOf(name: ListName | undefined): number {
		return this.reads.findIndex(
			({ source, isWhole }) => source.key === name?.list && isWhole === (name.isWhole === true),
		);
	}

	/**
	 * How many first pages are fetched in parallel. The first list may fill the page by itself, so without
	 * a search text the others are added slowly. None of the rest is read before it is needed.
	 */
	private width(index: number): number {
		return Math.min(
			this.text === '' ? 2 ** Math.min(this.lists, 10) : Infinity,
			limits.maxConcurrency,
			index < this.firstReads ? this.firstReads - index : Infinity,
		);
	}

	/** Whether the rest need not be read, because something was found before it. */
	private isEnough(): boolean {
		return this.isFound && this.index === this.firstReads && this.cursor === undefined;
	}

	/** The next page, or the error of reading it; undefined when the search stops before the page arrives. */
	private async fetchInTime(): Promise<Outcome | undefined> {
		const found = this.entries.results.length;
		const remainingMs = this.start + this.bounds.maxElapsedMs(found) - Date.now();
		if (found >= this.bounds.entries || remainingMs < 0) return undefined;
		const page =
			this.cursor === undefined
				? this.firstPage(this.index)
				: fetchPage(this.client, this.reads[this.index], this.cursor);
		return await within(remainingMs, page);
	}

	/** @returns the cursor of the next page; undefined when there is none */
	private take({ data, next }: Page): string | undefined {
		const { source } = this.reads[this.index];
		const isNew = this.entries.add(source, data);
		this.isReadable = true;
		this.isFound ||= this.entries.results.length > 0;
		if (!source.isPaged || typeof next !== 'string' || next === '') return undefined;
		return this.guard(data.length, !isNew, next) === undefined ? next : undefined;
	}

	private goOn(cursor: string | undefined): void {
		this.cursor = cursor;
		if (cursor !== undefined) return;
		this.index++;
		this.lists++;
		this.guard = createLoopGuard();
	}

	private stop(): INodeListSearchResult {
		const following = this.reads.at(this.index + 1);
		return {
			results: this.entries.results,
			paginationToken: formatPosition({
				...nameOf(this.reads[this.index]),
				cursor: this.cursor,
				following: following && nameOf(following),
			}),
		};
	}
}

/**
 * Collects entries for a locator from several lists, one after the other. It returns what it has found
 * after a while, and continues when the person scrolls. A list that cannot be read is left out.
 *
 * @throws {ActivepiecesError} when none of the lists can be read, and at once when the reason applies to
 * all of them
 */
export const searchSources = async (
	client: ApiClient,
	sources: ListSource[],
	request: SearchRequest,
): Promise<INodeListSearchResult> => await new Search(client, sources, request).run();
