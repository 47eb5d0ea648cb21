import { toLikePart } from '../../descriptions/likePattern';
import type { ListSource } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/client';
import { limits } from '../../transport/limits';
import { pageFetcher, fetchUnpagedList } from '../../transport/lists';
import type { Page } from '../../transport/pages';
import type { ApiRequest } from '../../transport/request';
import { searchText } from './searchText';

/** A list that a search reads. */
export interface ListRead {
	source: ListSource;
	request: ApiRequest;
	pageSize: number;
	/** The service searched the list by name and found too little, so all of it is read */
	isWhole: boolean;
}

/** Whether a text is certainly an ID, which the service cannot search for. */
export const isWholeId = (text: string): boolean => /^[0-9A-Za-z]{21}$/.test(text);

/**
 * Whether a text may be part of an ID, which is random and hardly a word, or extends from the name into
 * what follows it in a label.
 */
const isMoreThanName = (text: string): boolean =>
	/[()]/.test(text) || (/^[0-9A-Za-z]{1,20}$/.test(text) && /\d|[a-z][A-Z]/.test(text));

/**
 * Whether the service's search may miss a text: a word that may be part of an ID, or a text with an
 * accent on a letter without cases, as in Japanese and Korean, which the service does not find where the
 * name stores the accent as a separate character.
 */
const mayBeMissed = (text: string): boolean =>
	/^[A-Za-z]{1,20}$/.test(text) || text.normalize('NFD') !== text;

/** Whether the service can search for a text. */
const isForService = ({ search }: ListSource, text: string): boolean =>
	search !== undefined &&
	!isWholeId(text) &&
	!searchText(search.labelDetails ?? '').includes(searchText(text));

/**
 * Plans the reads of a search, in this order. The service searches by name where it can. For part of an
 * ID, and for a text that is more than a name, the searched lists are read again completely (`rest`) if
 * nothing was found. For a text that is most likely a name, this happens only where there are few lists,
 * because a platform may have a thousand projects.
 *
 * Without a text, a page is as long as the part of the list that the editor shows. The service loses
 * rows of the same second between two pages (recorded), so scrolling may miss some; a search finds them.
 * Where the node itself searches, it reads large pages, which have few edges. What the service finds by
 * name fits on one page once enough of it is typed.
 *
 * @param text as the person typed it
 * @param firstRows rows of a page without a search text
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

/** Fetches the page after a cursor; without a cursor, the first page. */
export async function fetchPage(
	client: ApiClient,
	{ source, request, pageSize }: ListRead,
	cursor?: string,
): Promise<Page> {
	return source.isPaged
		? await pageFetcher(client, request)({ limit: pageSize, cursor })
		: await fetchUnpagedList(client, request);
}
