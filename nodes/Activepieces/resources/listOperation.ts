import type { IDataObject } from 'n8n-workflow';

import { type Filter, filtered, filtersField } from '../descriptions/filters';
import { getLimit, getPageSize, pagingOptions, returnAllOrLimit } from '../descriptions/listing';
import { getOptionalId, type Locator, locatorField } from '../descriptions/locator';
import { getOutputMode, outputFields, type Simplify } from '../descriptions/output';
import type { ApiClient } from '../transport/client/client';
import type { ApiRequest } from '../transport/client/request';
import { collect, type CollectOptions } from '../transport/lists/pages';
import { fetchOfAllProjects, inProject, type RecordList } from '../transport/lists/projects';
import type { Operation, OperationTexts } from './operation';
import { fetchProjectNames } from './project/projectNames';

/** Which records of a list are returned, by the filters in its query. */
export interface Selection extends Pick<CollectOptions, 'isFiltered'> {
	/** The query to send in place of the one with all filters */
	query?: IDataObject;
	/** Converts a record; undefined leaves it out */
	take: (record: IDataObject) => IDataObject | undefined;
}

interface ListOperation extends OperationTexts {
	request: ApiRequest;
	project?: Locator;
	filters?: Filter[];
	simplify: Simplify;
	/** Another function for some requests */
	simplifyFor?: (request: ApiRequest) => Simplify;
	select?: (query: IDataObject, client: ApiClient) => Selection | Promise<Selection>;
	/** Adds to the simplified records what they lack */
	complete?: (client: ApiClient, records: IDataObject[]) => Promise<void>;
	hasPageSize?: boolean;
	isUnpaged?: boolean;
	isNewestFirst?: boolean;
}

export function listOperation({
	request: whole,
	project,
	filters = [],
	simplify,
	simplifyFor,
	select,
	complete,
	hasPageSize = false,
	isUnpaged,
	isNewestFirst,
	...texts
}: ListOperation): Operation {
	return {
		name: 'Get Many',
		value: 'getAll',
		...texts,
		endpoint: whole.endpoint,
		properties: [
			...(project === undefined ? [] : [locatorField(project)]),
			...returnAllOrLimit,
			...outputFields,
			...(filters.length === 0 ? [] : [filtersField(filters)]),
			...(hasPageSize ? [pagingOptions()] : []),
		],
		simplify,
		async run(context) {
			const { client } = context;
			const wanted = filtered(context, whole, filters);
			const { query, take, isFiltered } = (await select?.(wanted.query ?? {}, client)) ?? {};
			const request = query === undefined ? wanted : { ...wanted, query };
			const output = getOutputMode(context, simplifyFor?.(request) ?? simplify);
			const list: RecordList = {
				request,
				isUnpaged,
				pageSize: hasPageSize ? getPageSize(context) : undefined,
				limit: getLimit(context),
				take:
					take === undefined
						? output.transform
						: (record) => {
								const taken = take(record);
								return taken && output.transform(taken);
							},
				isNewestFirst,
			};
			if (project === undefined) {
				const records = output.finish(await collect(client, request, { ...list, isFiltered }));
				await complete?.(client, records);
				return records;
			}
			const id = getOptionalId(context, project);
			if (id === undefined) return output.finish(await fetchOfAllProjects(client, list));
			// A list of all projects has their names from the projects that it reads.
			if (output.has('projectName')) await fetchProjectNames(client);
			const ofProject = inProject(request, { id, field: project.displayName });
			return output.finish(await collect(client, ofProject, list));
		},
	};
}
