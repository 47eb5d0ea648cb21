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
