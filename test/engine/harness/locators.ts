import type { INodeListSearchResult } from 'n8n-workflow';

import type { TestContext } from './service';

/** Scrolls to the end of a list, as a person in the editor does. */
export async function scroll(context: TestContext, method: string, filter?: string) {
	const pages: INodeListSearchResult[] = [];
	let paginationToken: string | undefined;
	do {
		const page = await context.search(method, { filter, paginationToken });
		pages.push(page);
		({ paginationToken } = page);
	} while (paginationToken !== undefined && pages.length < 100);
	return { pages, results: pages.flatMap(({ results }) => results) };
}

export const values = ({ results }: Pick<INodeListSearchResult, 'results'>) =>
	results.map(({ value }) => value);

export const queriesOf = ({ service }: TestContext, path: string) =>
	service.requests.filter((request) => request.path === path).map(({ query }) => query);
