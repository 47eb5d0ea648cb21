/** How a list of the editor is searched, page by page. */
import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import {
	isByProject,
	type ListSource,
	type ProjectLists,
	type Sources,
} from '../descriptions/locator';
import { recordUrl, type LinkedRecord } from '../descriptions/webApp';
import type { ApiClient } from '../transport/api/client';
import { hasNext, type Page } from '../transport/api/pages';
import type { Project } from '../transport/api/projects';
import { inProject } from '../transport/client/request';
import { ActivepiecesError, scopeOf } from '../transport/errors/error';
import { isWholeId, toId } from '../transport/ids';
import { limits } from '../transport/limits';
import { searchText, toWideLikePattern } from '../transport/names';
import { plainText } from '../transport/texts';

type ListPage = Pick<Page, 'data' | 'next'>;

/** What to do when a list cannot be read */
export const WITHOUT_LIST = 'Enter the ID instead, with By ID or with an expression.';

/** The last entry of a list that was not read to its end in time */
const REST = 'The rest took too long to load. Choose a project, or enter an ID.';

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
interface OpenList {
	list: ListSource;
	/** `next` of the page before; undefined for the first page */
	cursor?: string;
}

/**
 * Where a search stopped. n8n returns it unchanged when the person scrolls. A list without a cursor was not read, nor were
 * those after it. Lists are named instead of counted, because projects may appear or disappear in between.
 */
type Position = Array<{ list: string; cursor?: string }>;

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
	if (!isByProject(sources)) return await sources(client);
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

function positionOf(open: OpenList[]): string {
	const unread = open.findIndex(({ cursor }) => cursor === undefined);
	const named = unread < 0 ? open : open.slice(0, unread + 1);
	return JSON.stringify(named.map(({ list, cursor }) => ({ list: list.key, cursor })));
}

/**
 * Collects entries for a field of the editor from several lists, ten at once, and continues when the person scrolls. A
 * list that cannot be read is left out.
 */
export class EditorSearch {
	private readonly text = this.request.text?.trim() ?? '';
	private readonly wanted = searchText(this.text);
	/** Of each page in its place, whichever comes first */
	private readonly entries: INodeListSearchItems[][] = [];

	/** Values of the records so far, even if they did not become entries */
	private readonly seen = new Set<string>();

	/** Nobody can have scrolled a list that could not be read */
	private isReadable = this.request.paginationToken !== undefined;

	private reason: Error | undefined;

	constructor(
		private readonly client: ApiClient,
		private readonly request: SearchRequest,
	) {}

	/**
	 * @throws {ActivepiecesError} when none of the lists can be read, and at once when the reason applies to
	 * all of them
	 */
	async run(): Promise<INodeListSearchResult> {
		let open = this.openLists(await fetchLists(this.client, this.request));
		const most = this.request.canScroll ? limits.locatorEntries : limits.optionEntries;
		// The first list may fill the page by itself.
		for (let width = 1; open.length > 0; width = limits.maxConcurrency) {
			const wave = open.slice(0, width);
			const reading = wave.map(async (each): Promise<OpenList[]> => {
				const entries: INodeListSearchItems[] = [];
				this.entries.push(entries);
				const page = await this.fetchPage(each).catch((error) => this.leaveOut(error));
				return page ? this.take(each, page, entries) : [];
			});
			const unfinished = await Promise.all(reading);
			open = [...unfinished.flat(), ...open.slice(width)];
			if (this.isIdFound()) return { results: this.results };
			if (this.results.length >= most) break;
		}
		if (!this.isReadable && this.reason !== undefined) throw this.reason;
		const { results } = this;
		return open.length === 0 ? { results } : { results, paginationToken: positionOf(open) };
	}

	private get results(): INodeListSearchItems[] {
		return this.entries.flat();
	}

	/** What was read when the time is over; undefined if that is nothing. */
	get soFar(): INodeListSearchResult | undefined {
		const { results } = this;
		return results.length === 0 ? undefined : { results: [...results, { name: REST, value: '' }] };
	}

	private openLists(lists: ListSource[]): OpenList[] {
		const { paginationToken } = this.request;
		if (!paginationToken) return lists.map((list) => ({ list }));
		return (JSON.parse(paginationToken) as Position).flatMap(({ list: key, cursor }) => {
			const index = lists.findIndex((list) => list.key === key);
			// n8n shows duplicates, so a search does not restart if the list has disappeared.
			if (index < 0) return [];
			const open = lists.slice(index, cursor === undefined ? undefined : index + 1);
			return open.map((list) => ({ list, cursor }));
		});
	}

	/**
	 * Fetches a page. The service searches by name where it can.
	 *
	 * Without a text, a page is as long as the part of the list that the editor shows. The service loses
	 * rows of the same second between two pages (recorded), so scrolling may miss some; a search finds them.
	 * Where the node itself searches, it reads large pages, which have few edges. What the service finds by
	 * name fits on one page once enough of it is typed.
	 */
	private async fetchPage({ list, cursor }: OpenList): Promise<ListPage> {
		const { client, text } = this;
		const { search, request } = list;
		if (list.isUnpaged) return { data: await client.fetchUnpagedList(request), next: undefined };
		const isSearched = search !== undefined && this.isName(search.labelWords);
		const name = isSearched ? { [search.parameter]: toWideLikePattern(text) } : {};
		const isExact = isSearched && !/[^\s!-[\]-~]/.test(text);
		const pageSize = this.request.canScroll ? limits.locatorEntries : limits.optionPageSize;
		const few = text === '' || isExact ? pageSize : limits.defaultPageSize;
		const limit = list.pageSize ?? few;
		const searched = { ...request, query: { ...request.query, ...name } };
		return await client.fetchPage(searched, { limit, cursor });
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

	/** A list that cannot be read is left out, unless the reason applies to all. */
	private leaveOut(error: unknown): undefined {
		if (scopeOf(error) === 'server') throw error;
		this.reason ??= error as Error;
	}

	/** Adds the entries of a page to those of its list. Returns the rest of its list, if there is one. */
	private take(
		{ list, cursor }: OpenList,
		{ data, next }: ListPage,
		entries: INodeListSearchItems[],
	): OpenList[] {
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
