import type { IDataObject } from 'n8n-workflow';

export interface PageRequest {
	/** Maximum number of records on the page */
	limit: number;
	/** `next` of the page before, as the service returned it */
	cursor?: string;
}

/** A page as the service returned it. */
export interface Page {
	data: IDataObject[];
	next: unknown;
	/** Size of the response, decompressed */
	bytes?: number;
	/** The server's clock at the response, in milliseconds since 1970 */
	date?: number;
}

export type FetchPage = (request: PageRequest) => Promise<Page>;

/** Fetches the pages of a list whose first page comes from another function. */
export function withFirstPage(first: () => Promise<Page>, fetchPage: FetchPage): FetchPage {
	let isFirst = true;
	return async (request) => {
		if (!isFirst || request.cursor !== undefined) return await fetchPage(request);
		isFirst = false;
		return await first();
	};
}
