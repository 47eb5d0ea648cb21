/** The lists of the editor: those of locators, and of fields with several records. */
import type { ILoadOptionsFunctions, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { withIds } from '../descriptions/byName';
import { getOptionalId, type Locator, type OptionList } from '../descriptions/locator';
import { locatorValue } from '../descriptions/parameters';
import { projectLocator } from '../descriptions/project';
import { Call } from '../execution/call';
import { fieldsOf } from '../execution/fieldReader';
import { parseRequestOptions } from '../execution/requestOptions';
import { resources } from '../resources';
import type { ApiClient } from '../transport/api/client';
import { NodeRun } from '../transport/client/nodeRun';
import { ActivepiecesError } from '../transport/errors/error';
import { startDeadline, untilAborted } from '../transport/http/exchange';
import { limits } from '../transport/limits';
import { searchText } from '../transport/names';
import { textOf } from '../transport/values';
import { EditorSearch, WITHOUT_LIST, type SearchRequest } from './search';

type Methods = Required<NonNullable<INodeType['methods']>>;

/**
 * The project that is chosen in the node, in any mode; undefined for none, and for an expression, which may have no
 * value in the editor: the list of all projects has the record, too.
 */
async function chosenProject(context: ILoadOptionsFunctions, client: ApiClient) {
	const saved: unknown = context.getCurrentNodeParameter('projectId') ?? '';
	if (textOf(locatorValue(saved)).startsWith('=')) return undefined;
	const reader = { get: () => saved, raw: () => saved, getTimezone: () => '', client };
	const fields = await withIds(reader, [{ path: 'projectId', locator: projectLocator }]);
	return getOptionalId(fields, projectLocator);
}

/**
 * Reads with the node's credential and Request Options; throws n8n's own error, which the editor shows.
 *
 * @param noun what the list contains
 * @param soFar what it has when the time is over; undefined for nothing
 */
export async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	noun: string,
	readWith: (client: ApiClient) => Promise<T>,
	soFar: () => T | undefined = () => undefined,
): Promise<T> {
	const nodeRun = new NodeRun();
	// Longer than anyone would wait.
	const deadline = startDeadline(limits.locatorMaxElapsedMs);
	const call = new Call(context, fieldsOf(context));
	const read = async () => {
		const client = await call.connect(() => ({
			nodeRun,
			place: 'editor',
			settings: parseRequestOptions(call.fields).settings,
			maxTimeoutMs: limits.locatorRequestTimeoutMs,
			retryPolicy: limits.listSearch,
		}));
		return await readWith(client);
	};
	try {
		return await untilAborted(read(), deadline.signal, () => {});
	} catch (error) {
		const partial = deadline.isOver ? soFar() : undefined;
		if (partial !== undefined) return partial;
		const tooLong = {
			message: `The list of ${noun} took too long to load`,
			description: WITHOUT_LIST,
		};
		const reason = deadline.isOver ? new ActivepiecesError(tooLong) : error;
		throw call.toNodeError(reason);
	} finally {
		deadline.release();
		nodeRun.end.stop();
	}
}

const search = async (
	context: ILoadOptionsFunctions,
	noun: string,
	list: Omit<SearchRequest, 'timeZone' | 'projectId'>,
) => {
	let running: EditorSearch | undefined;
	const readWith = async (client: ApiClient) => {
		const projectId = await chosenProject(context, client);
		const timeZone = context.getTimezone();
		running = new EditorSearch(client, { ...list, projectId, timeZone });
		return await running.run();
	};
	return await readForEditor(context, noun, readWith, () => running?.soFar);
};

const createSearch = ({
	noun,
	page,
	firstEntry,
	sources,
}: Locator): Methods['listSearch'][string] =>
	async function (text = '', paginationToken) {
		const list = { sources, page, text, paginationToken, canScroll: true };
		const found = await search(this, `${noun}s`, list);
		const isFirst =
			paginationToken === undefined &&
			firstEntry !== undefined &&
			searchText(firstEntry.name).includes(searchText(text.trim()));
		return isFirst ? { ...found, results: [firstEntry, ...found.results] } : found;
	};

/**
 * The method that loads the list of a field with several records. n8n searches such a list itself and
 * cannot scroll it, so all of it is returned at once, as far as it can be read in time.
 */
const createLoad = ({ noun, sources }: OptionList) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { results } = await search(this, `${noun}s`, { sources, canScroll: false });
		return results
			.slice(0, limits.optionEntries)
			.map(({ name, value }) => ({ name, value }))
			.sort((a, b) => a.name.localeCompare(b.name, 'en'));
	};

export const listSearch: Methods['listSearch'] = Object.fromEntries(
	resources
		.flatMap(({ locators = [] }) => locators)
		.map((locator) => [locator.searchMethod, createSearch(locator)]),
);

export const loadOptions: Methods['loadOptions'] = Object.fromEntries(
	resources
		.flatMap(({ optionLists = [] }) => optionLists)
		.map((list) => [list.loadMethod, createLoad(list)]),
);
