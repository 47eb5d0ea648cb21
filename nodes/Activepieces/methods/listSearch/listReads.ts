import { toLikePart } from '../../descriptions/likePattern';
import type { ListSource } from '../../descriptions/listSource';
import type { ApiClient } from '../../transport/client';
import { limits } from '../../transport/limits';
import { pageFetcher, fetchUnpagedList } from '../../transport/paging/lists';
import type { Page } from '../../transport/paging/page';
import type { ApiRequest } from '../../transport/request/request';
import { searchText } from './searchText';

/** One list to be read for a search. */
export interface ListRead {
	source: ListSource;
	request: ApiRequest;
	pageSize: number;
	/** The service has searched the list by name and found too little */
	isWhole: boolean;
}

/** A text that is surely looked for as an ID: the service knows names only. */
export const isWholeId = (text: string): boolean => /^[0-9A-Za-z]{21}$/.test(text);

/**
 * A text that can be part of an ID, which is random, and is hardly a word; or that goes on from the name to
 * what follows it in a label.
 */
const isMoreThanName = (text: string): boolean =>
	/[()]/.test(text) || (/^[0-9A-Za-z]{1,20}$/.test(text) && /\d|[a-z][A-Z]/.test(text));

/**
 * A word that can be part of an ID as well; or a text with an accent without cases, as in Japanese and
 * Korean, that the service does not find where the name holds the accent as a character of its own.
 */
const mayBeMissed = (text: string): boolean =>
	/^[A-Za-z]{1,20}$/.test(text) || text.normalize('NFD') !== text;

/** Whether a text may be found by the service. */
const isForService = ({ search }: ListSource, text: string): boolean =>
	search !== undefined &&
	!isWholeId(text) &&
	!searchText(search.besideName ?? '').includes(searchText(text));

/**
 * What is read for a search, in this order. Where the service can search by name, it does. For a part of
 * an ID, and what is more than a name, the lists that it searched are read again as a whole (`rest`), if
 * it found nothing. For a text that is most likely a name this is done where the lists are few only: a
 * platform may have a thousand projects.
 *
 * Without a text a page is as long as the part of the list that the editor shows. The service loses rows
 * of the same second between two pages (recorded), so that scrolling may not come to all of them; they are
 * found by a search. Where the node itself looks for the text, it looks in large pages, which have
 * hardly any edges, and what the service finds by name fits on a page when enough of it is typed.
 *
 * @param text as the person typed it
 * @param firstRows rows of a page while no text is searched for
 */
export function planReads(
	sources: ListSource[],
	text: string,
	firstRows = limits.locatorEntries,
): { first: ListRead[]; rest: ListRead[] } {
	const unsearched = (source: ListSource): ListRead => ({
		source,
		request: source.request,
		pageSize: source.pageSize ?? (text === '' ? firstRows : limits.defaultPageSize),
		isWhole: false,
	});
	if (text === '') return { first: sources.map(unsearched), rest: [] };

	const { part, isLoose } = toLikePart(text.normalize('NFC').replace(/\s+/g, ' '));
	const first = sources.map((source): ListRead => {
		if (source.search === undefined || !isForService(source, text)) return unsearched(source);
		const { request } = source;
		const query = { ...request.query, [source.search.parameter]: part };
		const few = source.pageSize ?? limits.locatorEntries;
		const pageSize = isLoose ? unsearched(source).pageSize : few;
		return { source, request: { ...request, query }, pageSize, isWhole: false };
	});
	const isReadAgain =
		isMoreThanName(text) || (mayBeMissed(text) && sources.length <= limits.locatorWholeLists);
	const rest = (isReadAgain ? sources : [])
		.filter((source) => isForService(source, text))
		.map((source): ListRead => ({ ...unsearched(source), isWhole: true }));
	return { first, rest };
}

/** The page of a list that comes after a cursor; the first one without. */
export async function fetchPage(
	client: ApiClient,
	{ source, request, pageSize }: ListRead,
	cursor?: string,
): Promise<Page> {
	return source.isPaged
		? await pageFetcher(client, request)({ limit: pageSize, cursor })
		: await fetchUnpagedList(client, request);
}
