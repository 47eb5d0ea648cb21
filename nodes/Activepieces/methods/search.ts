import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import type { ListSource, ProjectLists, Sources } from '../descriptions/locator';
import type { ApiClient, Project } from '../transport/api/client';
import { type ApiRequest, inProject } from '../transport/client/request';
import { ActivepiecesError, scopeOf } from '../transport/errors/error';
import { limits } from '../transport/limits';
import { hasNext, type Page, pageFetcher } from '../transport/api/pages';
import { type LinkedRecord, recordUrl } from '../descriptions/output';
import { isWholeId, plainText, searchText, toId } from '../transport/values';

type Listed = Pick<Page, 'data' | 'next'>;

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

/** What to do when a list cannot be read */
export const WITHOUT_LIST = 'Enter the ID instead, with By ID or with an expression.';

export interface SearchRequest {
	sources: Sources;
	/** n8n cannot scroll the list of a field with several records */
	canScroll: boolean;
	projectId?: string;
	/** Of the workflow, by its IANA name */
	timeZone: string;
	page?: LinkedRecord;
	text?: string;
	paginationToken?: string;
}

/** What is read next of a list. */
interface Part {
	list: ListSource;
	/** `next` of the page before; undefined for the first page */
	cursor?: string;
	/** Whether it did not respond, while those after it may have been read */
	isAlone?: true;
}

/**
 * Where a search stopped. n8n returns it unchanged when the person scrolls. A list without a cursor was not
 * read, nor were those after it unless it is alone. Lists are named instead of counted, because projects may appear or
 * disappear in between.
 */
type Position = Array<Omit<Part, 'list'> & { list: string }>;

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

async function fetchLists(
	client: ApiClient,
	{ sources, projectId }: SearchRequest,
): Promise<ListSource[]> {
	if (typeof sources === 'function') return await sources(client);
	if (projectId !== undefined && sources.isOfChosenProject) {
		return [listOf(sources, { id: projectId, name: '' }, true)];
	}
	const projects = await client.fetchProjects();
	if (projects !== undefined) {
		return projects.map((project) => listOf(sources, project, projects.length === 1));
	}
	throw new ActivepiecesError({
		message: `This Activepieces server cannot list its projects, so the ${sources.request.subject.noun} cannot be listed`,
		description: WITHOUT_LIST,
	});
}

/**
 * Collects entries for a field of the editor from several lists, ten at once. It returns what it has found
 * after a while, and continues when the person scrolls. A list that cannot be read is left out.
 */
export class EditorSearch {
	private readonly text = this.request.text?.trim() ?? '';
	private readonly wanted = searchText(this.text);

	private readonly lateAt = performance.now() + limits.locatorEntriesMs;
	private results: INodeListSearchItems[] = [];

	/** Values of the records so far, even if they did not become entries */
	private readonly seen = new Set<string>();

	/** Nobody can have scrolled a list that could not be read */
	private isReadable = this.request.paginationToken !== undefined;

	private reason: Error | undefined;
	private failures = 0;

	/** What is left to read */
	private parts: Part[] = [];
	private listCount = 0;

	constructor(
		private readonly client: ApiClient,
		private readonly request: SearchRequest,
	) {}

	/**
	 * @throws {ActivepiecesError} when none of the lists can be read, and at once when the reason applies to
	 * all of them
	 */
	async run(): Promise<INodeListSearchResult> {
		this.parts = this.partsOf(await fetchLists(this.client, this.request));
		this.listCount = this.parts.length;
		// The first list may fill the page by itself.
		for (let width = 1; this.parts.length > 0 && !this.isDone(); width = limits.maxConcurrency) {
			await this.readWave(width);
		}
		if (!this.isReadable && this.reason !== undefined) throw this.reason;
		return this.found();
	}

	/** What was found so far, with where to continue. */
	found(): INodeListSearchResult {
		if (this.parts.length === 0 || this.isIdFound()) return { results: this.results };
		return { results: this.results, paginationToken: JSON.stringify(this.positionOf(this.parts)) };
	}

	/** How many lists were read of how many, if nothing was found in them: a sentence or nothing. */
	get progress(): string {
		if (typeof this.request.sources === 'function') return '';
		const read = this.listCount - this.parts.length;
		return read > 0 ? `Nothing was found in the first ${read} of ${this.listCount} projects. ` : '';
	}

	/**
	 * Reads the next pages at once. A list that does not respond keeps what the others have found from the person for
	 * no longer than the time after which they are shown; it is read again when the person scrolls.
	 */
	private async readWave(width: number): Promise<void> {
		const wave = this.parts.slice(0, width);
		const later = this.parts.slice(width);
		const unfinished = wave.map((part): Part[] => [{ ...part, isAlone: true }]);
		const entries = wave.map((): INodeListSearchItems[] => []);
		const before = [...this.results];
		const reads = wave.map(async (part, index) => {
			const page = await this.fetchPage(part).catch((error) => this.leaveOut(error));
			unfinished[index] = page ? this.take(part, page, entries[index]) : [];
			this.results = [...before, ...entries.flat()];
			this.parts = [...unfinished.flat(), ...later];
			showIfLate();
		});
		const shownAt = Math.max(this.lateAt, performance.now() + limits.locatorGraceMs);
		let showIfLate = () => {};
		const late = new Promise<void>((resolve) => {
			showIfLate = () => {
				if (this.results.length > 0 && performance.now() >= shownAt) resolve();
			};
		});
		// A timer may fire a moment early.
		const timer = AbortSignal.timeout(Math.ceil(shownAt - performance.now()) + 1);
		timer.addEventListener('abort', showIfLate);
		await Promise.race([Promise.all(reads), late]).finally(() =>
			timer.removeEventListener('abort', showIfLate),
		);
	}

	private partsOf(lists: ListSource[]): Part[] {
		const { paginationToken } = this.request;
		if (!paginationToken) return lists.map((list) => ({ list }));
		return (JSON.parse(paginationToken) as Position).flatMap(({ list: key, ...rest }) => {
			const index = lists.findIndex((list) => list.key === key);
			// n8n shows duplicates, so a search does not restart if the list has disappeared.
			if (index < 0) return [];
			const isOne = rest.cursor !== undefined || rest.isAlone;
			const open = lists.slice(index, isOne ? index + 1 : undefined);
			return open.map((list) => ({ list, ...rest }));
		});
	}

	private positionOf(parts: Part[]): Position {
		const unread = parts.findIndex(({ cursor, isAlone }) => cursor === undefined && !isAlone);
		const named = unread < 0 ? parts : parts.slice(0, unread + 1);
		return named.map(({ list, ...rest }) => ({ ...rest, list: list.key }));
	}

	/**
	 * Fetches a page. The service searches by name where it can.
	 *
	 * Without a text, a page is as long as the part of the list that the editor shows. The service loses
	 * rows of the same second between two pages (recorded), so scrolling may miss some; a search finds them.
	 * Where the node itself searches, it reads large pages, which have few edges. What the service finds by
	 * name fits on one page once enough of it is typed.
	 */
	private async fetchPage({ list, cursor }: Part): Promise<Listed> {
		const { client, text } = this;
		const { search, request } = list;
		if (list.isUnpaged) return { data: await client.fetchUnpagedList(request), next: undefined };
		const isSearched = search !== undefined && this.isName(search.labelWords);
		const name = isSearched ? { [search.parameter]: toLikePattern(text) } : {};
		const isExact = isSearched && !/[^\s!-[\]-~]/.test(text);
		const pageSize = this.request.canScroll ? limits.locatorEntries : limits.optionPageSize;
		const few = text === '' || isExact ? pageSize : limits.defaultPageSize;
		const limit = list.pageSize ?? few;
		const searched = { ...request, query: { ...request.query, ...name } };
		const ask = async (asked: ApiRequest) => await pageFetcher(client, asked)({ limit, cursor });
		return await (list.fetchPage?.(client, searched, ask) ?? ask(searched));
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
	 * Whether the editor receives what was found. It asks for no further page of an empty list (read in
	 * 1.123.81 and 2.40.7), and shows a loading state instead, and in n8n 2 a notice.
	 */
	private isDone(): boolean {
		const found = this.results.length;
		const isLate = found > 0 && performance.now() >= this.lateAt;
		const isFull = found >= (this.request.canScroll ? limits.locatorEntries : limits.optionEntries);
		const isUnreadable = !this.isReadable && this.failures >= limits.maxConsecutiveFailures;
		return isLate || isFull || isUnreadable || this.isIdFound();
	}

	/** A list that cannot be read is left out, unless the reason applies to all. */
	private leaveOut(error: unknown): undefined {
		const scope = scopeOf(error);
		if (scope === 'server') throw error;
		this.reason ??= error as Error;
		if (scope !== 'list') this.failures++;
	}

	/** Adds the entries of a page to those of its list. Returns the rest of its list, if there is one. */
	private take(
		{ list, cursor }: Part,
		{ data, next }: Listed,
		entries: INodeListSearchItems[],
	): Part[] {
		const { page } = this.request;
		this.isReadable = true;
		for (const record of data) {
			const value = toId(list.value?.(record) ?? record.id) ?? '';
			if (value === '' || this.seen.has(value)) continue;
			this.seen.add(value);
			const label = list.label(record, this.request.timeZone);
			if (!searchText(`${value} ${label}`).includes(this.wanted)) continue;
			const url = page && recordUrl(this.client.baseUrl, page, record);
			const name = plainText(label, limits.locatorLabelLength);
			entries.push({ name, value, ...(url ? { url } : {}) });
		}
		// A cache may return the same page for every cursor.
		const isEnd = list.isUnpaged || !hasNext(next) || next === cursor;
		return isEnd ? [] : [{ list, cursor: next }];
	}
}
