import type { INodeListSearchResult } from 'n8n-workflow';

import type { TestContext } from './service';

/** Scrolls to the end of a list, as a person in the editor does, with a change after the first page. */
export async function scroll(
	context: TestContext,
	method: string,
	filter?: string,
	meanwhile: () => unknown = () => {},
) {
	const pages: INodeListSearchResult[] = [];
	let paginationToken: string | undefined;
	do {
		const page = await context.search(method, { filter, paginationToken });
		if (pages.push(page) === 1) meanwhile();
		({ paginationToken } = page);
	} while (paginationToken !== undefined && pages.length < 100);
	return { pages, results: pages.flatMap(({ results }) => results) };
}

/** Expects one entry for each record, with its ID and this name. */
export function expectEntries<T extends { id: string }>(
	results: Array<{ name: string; value?: unknown }>,
	records: T[],
	nameOf: (record: T) => string,
): void {
	const wanted = new Map(records.map((record) => [record.id, nameOf(record)]));
	expect(new Map(results.map(({ name, value }) => [value, name]))).toEqual(wanted);
	expect(results).toHaveLength(records.length);
}

export const values = ({ results }: Pick<INodeListSearchResult, 'results'>) =>
	results.map(({ value }) => value);

export const queriesOf = ({ service }: TestContext, path: string) =>
	service.requests.filter((request) => request.path === path).map(({ query }) => query);
