import type { IDataObject } from 'n8n-workflow';

/** What is asked of one page. */
export interface PageRequest {
	/** Rows wanted on the page */
	limit: number;
	/** `next` of the page before, as the service gave it */
	cursor?: string;
}

/** One page as the service gave it. */
export interface Page {
	data: IDataObject[];
	next: unknown;
	/** Of the answer, decompressed */
	bytes?: number;
	/** The server's clock when it gave the page, in milliseconds since 1970 */
	date?: number;
}

export type FetchPage = (request: PageRequest) => Promise<Page>;

/** Fetches the pages of a list of which the first one is fetched otherwise. */
export function withFirstPage(first: () => Promise<Page>, fetchPage: FetchPage): FetchPage {
	let isFirst = true;
	return async (request) => {
		if (!isFirst || request.cursor !== undefined) return await fetchPage(request);
		isFirst = false;
		return await first();
	};
}
