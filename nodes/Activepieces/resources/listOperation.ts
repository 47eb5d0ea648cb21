import type { IDataObject } from 'n8n-workflow';

import {
	type Fields,
	filtered,
	type Filters,
	filtersField,
	propertiesOf,
	readFields,
	type Values,
} from '../descriptions/field';
import { getLimit, getPageSize, pagingOptions, returnAllOrLimit } from '../descriptions/listing';
import { getOptionalId, type Locator, locatorField } from '../descriptions/locator';
import { outputFields, readOutput, type Simplify } from '../descriptions/output';
import type { ApiClient } from '../transport/client/client';
import type { ApiRequest } from '../transport/client/request';
import { fetchList, type ListOptions } from '../transport/lists/pages';
import {
	type AllProjectsOptions,
	fetchOfAllProjects,
	inProject,
} from '../transport/lists/projects';
import type { Operation, OperationTexts } from './operation';
import { loadProjectNames } from './project/project';

/** Which records of a list are returned, and how, by the filters in its query. */
export interface Selection {
	/** The query to send in place of the one with all filters: the role of Project Member is sent by its ID */
	query?: IDataObject;
	/** Converts a record; undefined leaves it out: User filters by email itself */
	take?: ListOptions['take'];
	/** Whether `take` leaves out records because of a filter: with an email, most of the users */
	mayDrop?: boolean;
	/** In place of that of the operation: of published flows the latest version is not known */
	simplify?: Simplify;
}

interface ListOperation<F extends Fields> extends OperationTexts {
	request: ApiRequest;
	/** Fields that choose among several lists */
	fields?: F;
	/** The requests for these lists, which are read one after another; by default the one request */
	lists?: (request: ApiRequest, values: Values<F>) => ApiRequest[];
	project?: Locator;
	filters?: Filters;
	simplify: Simplify;
	/** Adds to the output what its records lack, such as the names of the projects that they know by ID only */
	complete?: (client: ApiClient, records: IDataObject[]) => Promise<void>;
	select?: (query: IDataObject, client: ApiClient) => Selection | Promise<Selection>;
	hasPageSize?: boolean;
	isUnpaged?: boolean;
	isNewestFirst?: boolean;
}

/** The records of lists, which together have no more than the limit, and none twice. */
async function fetchLists(
	client: ApiClient,
	requests: ApiRequest[],
	{ limit = Infinity, ...options }: ListOptions,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const seen = new Set<unknown>();
	for (const request of requests) {
		const missing = limit - records.length;
		const found = await fetchList(client, request, { ...options, limit: missing, seen });
		for (const record of found) records.push(record);
		if (records.length >= limit) break;
	}
	return records;
}

export function listOperation<F extends Fields>({
	request: listRequest,
	fields = {} as F,
	lists = (request) => [request],
	project,
	filters = {},
	simplify,
	complete,
	select,
	hasPageSize = false,
	isUnpaged,
	isNewestFirst,
	...texts
}: ListOperation<F>): Operation {
	return {
		name: 'Get Many',
		value: 'getAll',
		...texts,
		endpoint: listRequest.endpoint,
		properties: [
			...(project === undefined ? [] : [locatorField(project)]),
			...propertiesOf(fields),
			...returnAllOrLimit,
			...outputFields,
			...(Object.keys(filters).length === 0 ? [] : [filtersField(filters)]),
			...(hasPageSize ? [pagingOptions()] : []),
		],
		simplify,
		async run(context) {
			const { client } = context;
			const values = await readFields(context, fields);
			const filteredRequest = filtered(context, listRequest, filters);
			const { query = {} } = filteredRequest;
			const selection: Selection = (await select?.(query, client)) ?? {};
			const { take: convert = (record) => record, mayDrop } = selection;
			const request = { ...filteredRequest, query: selection.query ?? query };
			const output = readOutput(context)(selection.simplify ?? simplify);
			const list: AllProjectsOptions = {
				request,
				isUnpaged,
				pageSize: hasPageSize ? getPageSize(context) : undefined,
				limit: getLimit(context),
				mayDrop,
				countOutput: context.countOutput,
				onMore: context.onMore,
				take(record, page) {
					const taken = convert(record, page);
					return taken && output.transform(taken);
				},
				isNewestFirst,
			};
			const id = project && getOptionalId(context, project);
			if (project !== undefined && id === undefined) {
				// It has the names of the projects from those that it reads.
				return output.finish(await fetchOfAllProjects(client, list));
			}
			const isNamedLater = complete !== undefined && output.has('projectId');
			if (output.has('projectName') && !isNamedLater) await loadProjectNames(client);
			const ofProject =
				id === undefined ? request : inProject(request, { id, field: project!.displayName });
			const records = output.finish(await fetchLists(client, lists(ofProject, values), list));
			await complete?.(client, records);
			return records;
		},
	};
}
