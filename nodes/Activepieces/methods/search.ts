import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import type { ListSource, ProjectLists, Sources } from '../descriptions/locator';
import { sleepUntilAborted } from '../transport/http/abort';
import type { ApiClient } from '../transport/client/client';
import { ActivepiecesError, scopeOf } from '../transport/errors/error';
import { limits } from '../transport/limits';
import {
	createLoopGuard,
	createReadAhead,
	fetchUnpagedList,
	hasNext,
	type Page,
	pageFetcher,
} from '../transport/lists/pages';
import { fetchProjects, inProject, type Project } from '../transport/lists/projects';
import { type LinkedRecord, recordUrl } from '../transport/recordUrl';
import { plainText } from '../transport/text';
import { isWholeId, toId } from '../transport/values';
import { PLACE_WORDS } from '../transport/errors/words';

/**
 * Normalizes text for a search, on both sides: accents composed into their letters, each whitespace as
 * one space, lower case. A sigma at the end of a word has another lower case form.
 */
export const searchText = (text: string): string =>
	text.normalize('NFC').replace(/\s+/g, ' ').toLowerCase().replaceAll('ς', 'σ');

/** How many characters of a search text are sent, since a URL has room for a few thousand only. */
const MAX_SENT = 200;

/**
 * The pattern for the service's LIKE search. `%` replaces what databases compare in different ways: letters
 * beyond ASCII, whitespace and backslashes. The service may therefore find more than was asked for.
 */
export const toLikePattern = (text: string): string =>
	text
		.slice(0, MAX_SENT)
		.normalize('NFC')
		.replace(/[^!-[\]-~]+/g, '%');

export interface SearchRequest {
	sources: Sources;
	projectId?: string;
	/** Of the workflow, by its IANA name */
	timeZone: string;
	page?: LinkedRecord;
	text?: string;
	paginationToken?: string;
}

/** Where a search stopped. n8n returns it unchanged when the person scrolls. */
interface Position {
	/** Names the list instead of counting, because projects may appear or disappear in between */
	list: string;
	cursor?: string;
	/** The list was read to its end, and those after it were not known yet */
	isRead?: boolean;
}

const parsePosition = (token?: string) => (token ? (JSON.parse(token) as Position) : undefined);

function listOf(sources: ProjectLists, project: Project, isOnly: boolean): ListSource {
	const { label, search, request, ...others } = sources;
	const { id, name } = project;
	return {
		...others,
		key: id,
		request: inProject(request, name === '' ? { id } : project),
		label: (record, timeZone) => label(record, project, isOnly, timeZone),
		search: search && { ...search, labelWords: [name, ...(search.labelWords ?? [])] },
	};
}

async function fetchLists(client: ApiClient, sources: ProjectLists, most?: number) {
	const projects = await fetchProjects(client, most);
	if (projects !== undefined) {
		return projects.map((project) => listOf(sources, project, projects.length === 1));
	}
	throw new ActivepiecesError({
		message: `This Activepieces server cannot list its projects, so the ${sources.request.subject.noun} cannot be listed`,
		description: PLACE_WORDS[client.place].withoutList ?? '',
	});
}

/**
 * Collects entries for a field of the editor from several lists, one after the other. It returns what it
 * has found after a while, and continues when the person scrolls. A list that cannot be read is left out.
 */
export class EditorSearch {
	private readonly text = this.request.text?.trim() ?? '';
	private readonly wanted = searchText(this.text);

	/** n8n cannot scroll the list of a field with several records */
	private readonly canScroll = this.client.place === 'locator';

	private readonly start = performance.now();
	private readonly results: INodeListSearchItems[] = [];

	/** Values of the records so far, even if they did not become entries */
	private readonly seen = new Set<string>();

	/** Where an earlier search stopped, until its list is reached */
	private from = parsePosition(this.request.paginationToken);

	/** Nobody can have scrolled a list that could not be read */
	private isReadable = this.from !== undefined;

	private reason: Error | undefined;
	private failures = 0;
	private listsRead = 0;

	constructor(
		private readonly client: ApiClient,
		private readonly request: SearchRequest,
	) {}

	/**
	 * @throws {ActivepiecesError} when none of the lists can be read, and at once when the reason applies to
	 * all of them
	 */
	async run(): Promise<INodeListSearchResult> {
		const position = await this.readSources();
		if (!this.isReadable && this.reason !== undefined) throw this.reason;
		const paginationToken = position && JSON.stringify(position);
		return { results: this.results, ...(paginationToken ? { paginationToken } : {}) };
	}

	/**
	 * With many projects, the lists of the first ones come before those of the others: a server takes
	 * seconds to list 1,500 projects.
	 */
	private async readSources(): Promise<Position | undefined> {
		const { client } = this;
		const { sources, projectId } = this.request;
		if (typeof sources === 'function') return await this.readLists(await sources(client));
		if (projectId !== undefined && sources.isOfChosenProject) {
			return await this.readLists([listOf(sources, { id: projectId, name: '' }, true)]);
		}
		const most = limits.locatorFirstProjects;
		const first = await fetchLists(client, sources, most);
		const position = await this.readLists(first);
		if (position !== undefined || first.length < most || this.isIdFound()) return position;
		const last = { list: first[most - 1].key, isRead: true };
		const all = this.remainingMs() > 0 && (await this.inTime(fetchLists(client, sources)));
		if (!all) return last;
		const known = new Set(first.map(({ key }) => key));
		return await this.readLists(all.filter(({ key }) => !known.has(key)));
	}

	private async readLists(lists: ListSource[]): Promise<Position | undefined> {
		let cursor = this.from?.cursor;
		const fetchers = lists.map((list) => this.pageFetcher(list));
		const firstPage = createReadAhead(
			lists.length,
			async (index) => await fetchers[index](),
			// The first list may fill the page by itself, so without a text the others are added slowly.
			() => Math.min(this.text === '' ? 2 ** this.listsRead : Infinity, limits.maxConcurrency),
		);
		for (let index = this.startIn(lists); index < lists.length && !this.isIdFound(); index++) {
			const guard = createLoopGuard();
			if (cursor !== undefined) guard(false, cursor);
			do {
				if (this.remainingMs() <= 0) return { list: lists[index].key, cursor };
				const reading = cursor === undefined ? firstPage(index) : fetchers[index](cursor);
				const page = await this.inTime(reading.catch((error: unknown) => this.leaveOut(error)));
				if (page === undefined) return { list: lists[index].key, cursor };
				cursor = page === null ? undefined : this.take(lists[index], page, guard);
			} while (cursor !== undefined);
			this.listsRead++;
		}
		return undefined;
	}

	private startIn(lists: ListSource[]): number {
		if (this.from === undefined) return 0;
		const { list, isRead } = this.from;
		const index = lists.findIndex(({ key }) => key === list);
		// n8n shows duplicates, so a search does not restart if the list has disappeared.
		if (index < 0) return lists.length;
		this.from = undefined;
		return isRead ? index + 1 : index;
	}

	/**
	 * Makes the function that fetches the page after a cursor; without a cursor, the first page. The service
	 * searches by name where it can.
	 *
	 * Without a text, a page is as long as the part of the list that the editor shows. The service loses
	 * rows of the same second between two pages (recorded), so scrolling may miss some; a search finds them.
	 * Where the node itself searches, it reads large pages, which have few edges. What the service finds by
	 * name fits on one page once enough of it is typed.
	 */
	private pageFetcher(list: ListSource): (cursor?: string) => Promise<Page> {
		const { client, text, canScroll } = this;
		const { search, isUnpaged } = list;
		if (isUnpaged) return async () => await fetchUnpagedList(client, list.request);
		const isSearched = search !== undefined && this.isName(search.labelWords);
		const request = isSearched
			? {
					...list.request,
					query: { ...list.request.query, [search.parameter]: toLikePattern(text) },
				}
			: list.request;
		const isExact = isSearched && !/[^\s!-[\]-~]/.test(text);
		const pageSize = canScroll ? limits.locatorEntries : limits.optionPageSize;
		const few = text === '' || isExact ? pageSize : limits.defaultPageSize;
		const limit = list.pageSize ?? few;
		const fetchPage = pageFetcher(client, request);
		return async (cursor) => await fetchPage({ limit, cursor });
	}

	/** Whether the text is part of a name, if it is anywhere. Labels show other words in brackets. */
	private isName(labelWords?: string[]): boolean {
		// The service cannot search for an ID.
		if (this.text === '' || isWholeId(this.text)) return false;
		if (labelWords === undefined) return true;
		const isInWords = labelWords.some((word) => searchText(word).includes(this.wanted));
		return !isInWords && !/[(),]/.test(this.text);
	}

	private isIdFound(): boolean {
		return isWholeId(this.text) && this.seen.has(this.text);
	}

	/**
	 * How long the search goes on. n8n's editor asks for no further page when a list is empty, or short with
	 * a text in its search field: n8n 1 never does, n8n 2 does not with a text (read in 1.123.81 and 2.40.7).
	 * It shows a loading state instead, and in n8n 2 a notice.
	 */
	private remainingMs(): number {
		const found = this.results.length;
		if (found === 0) return Infinity;
		if (found >= (this.canScroll ? limits.locatorEntries : limits.optionEntries)) return 0;
		const isFull = this.canScroll && found >= limits.locatorFullList;
		const ms = isFull ? limits.locatorFirstEntriesMs : limits.locatorShortListMs;
		return this.start + ms - performance.now();
	}

	/** Waits as long as the search goes on; undefined when the result does not arrive in time. */
	private async inTime<T>(reading: Promise<T>): Promise<T | undefined> {
		const ms = this.remainingMs();
		if (ms === Infinity) return await reading;
		const isDone = new AbortController();
		const timeOut = sleepUntilAborted(ms, isDone.signal).then(() => undefined);
		return await Promise.race([reading, timeOut]).finally(() => isDone.abort());
	}

	/** A list that cannot be read is left out, unless the reason applies to all or too many have failed. */
	private leaveOut(error: unknown): null {
		const scope = scopeOf(error);
		if (scope === 'server') throw error;
		this.reason ??= error as Error;
		if (scope !== 'list') this.failures++;
		if (!this.isReadable && this.failures >= limits.maxConsecutiveFailures) throw this.reason;
		return null;
	}

	private take(list: ListSource, { data, next }: Page, guard: ReturnType<typeof createLoopGuard>) {
		const { page } = this.request;
		const before = this.seen.size;
		this.isReadable = true;
		for (const record of data) {
			const value = toId(list.value?.(record) ?? record.id) ?? '';
			if (value === '' || this.seen.has(value)) continue;
			this.seen.add(value);
			const label = list.label(record, this.request.timeZone);
			if (!searchText(`${value} ${label}`).includes(this.wanted)) continue;
			const url = page && recordUrl(this.client.baseUrl, page, record);
			const name = plainText(label, limits.locatorLabelLength);
			this.results.push({ name, value, ...(url ? { url } : {}) });
		}
		if (list.isUnpaged || !hasNext(next)) return undefined;
		const isKnown = this.seen.size === before;
		return guard(isKnown, next) === undefined ? next : undefined;
	}
}
