import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { type Filter, filtered, filtersField } from '../descriptions/filters';
import { getLimit, getPageSize, pagingOptions, returnAllOrLimit } from '../descriptions/listing';
import {
	getOptionalId,
	type Locator,
	locatorField,
	type RequestTarget,
	requestTarget,
} from '../descriptions/locator';
import {
	getOutputMode,
	outputFields,
	type OutputMode,
	type RecordSource,
	type Simplify,
} from '../descriptions/output';
import type { OperationContext } from '../execution/item';
import type { ApiClient } from '../transport/client/client';
import { ActivepiecesError, isListRefused } from '../transport/errors/error';
import { collect, type CollectOptions } from '../transport/lists/pages';
import {
	fetchEachProject,
	fetchNewest,
	fetchProjects,
	fetchProjectsOnce,
	inProject,
	type RecordList,
} from '../transport/lists/projects';
import type { ApiRequest, Endpoint } from '../transport/client/request';
import { afterTwoReads, type IsFinal } from '../transport/client/run';
import { deleteRecord, requestRecord } from '../transport/client/record';
import { capitalize } from '../transport/text';
import { toId } from '../transport/values';
import type { Operation } from './operation';

/** Fields as the record has them; missing ones are null. */
export function orNull(record: IDataObject, ...names: string[]): IDataObject {
	const fields: IDataObject = {};
	for (const name of names) fields[name] = record[name] ?? null;
	return fields;
}

/** Options of a field that are named like their values. */
export const namedOptions = (...values: string[]): INodePropertyOptions[] =>
	values.map((value) => ({
		name: value.toLowerCase().split('_').map(capitalize).join(' '),
		value,
	}));

export const projectNameOf = ({ projectId }: IDataObject, source: RecordSource | undefined) =>
	source?.projectNames.get(toId(projectId) ?? '') ?? null;

/**
 * The names of the projects by ID, as far as the key may see them; empty if it may not list them. They
 * are read once for all input items of a run, with one request for a thousand projects. A list that fails
 * is read once more.
 */
export async function fetchProjectNames(client: ApiClient): Promise<ReadonlyMap<string, string>> {
	const isFinal: IsFinal = (...failure) => isListRefused(failure[0]) || afterTwoReads(...failure);
	await fetchProjectsOnce(client, isFinal).catch((error: unknown) => {
		if (!isListRefused(error)) throw error;
	});
	return client.projectNames;
}

/** Adds the names that were not known when the records were simplified. Names that cannot be read stay null. */
export async function fillProjectNames(client: ApiClient, records: IDataObject[]): Promise<void> {
	const unnamed = records.filter(
		({ projectId, projectName }) => projectName === null && projectId !== null,
	);
	if (unnamed.length === 0) return;
	await fetchProjectNames(client).catch(() => undefined);
	for (const record of unnamed) record.projectName = projectNameOf(record, client);
}

/**
 * Returns a record in the output that the item wants, with the name of its project if that is one of the
 * fields. The record may already be changed, so a name that cannot be read is null instead of an error.
 */
export async function outputRecord(client: ApiClient, output: OutputMode, record: IDataObject) {
	if (output.has('projectName')) await fetchProjectNames(client).catch(() => undefined);
	const records = [output.transform(record)];
	// An error would make an agent repeat the change.
	return client.ledger.mayHaveChanged ? records : output.finish(records);
}

type Texts = Pick<Operation, 'description' | 'toolDescription' | 'hint'>;

/** Which records of a list are returned, by the filters in its query. */
export interface Selection extends Pick<CollectOptions, 'isFiltered'> {
	/** The query to send in place of the one with all filters */
	query?: IDataObject;
	/** Converts a record; undefined leaves it out */
	take: (record: IDataObject) => IDataObject | undefined;
}

interface ListOperation extends Texts {
	request: ApiRequest;
	project?: Locator;
	filters?: Filter[];
	simplify: Simplify;
	/** Another function for some requests */
	simplifyFor?: (request: ApiRequest) => Simplify;
	select?: (query: IDataObject) => Selection;
	/** Adds to the simplified records what they lack */
	complete?: (client: ApiClient, records: IDataObject[]) => Promise<void>;
	hasPageSize?: boolean;
	isUnpaged?: boolean;
	isNewestFirst?: boolean;
}

/**
 * The records of all projects that the key may see. A service without the list of projects receives one
 * request without a project.
 */
export async function fetchOfAllProjects(client: ApiClient, list: RecordList) {
	const projects = await fetchProjects(client);
	if (projects === undefined) return await collect(client, list.request, list);
	return await (list.isNewestFirst ? fetchNewest : fetchEachProject)(client, projects, list);
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
			const { query, take, isFiltered } = select?.(wanted.query ?? {}) ?? {};
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
			const subject = { ...request.subject, field: project.displayName };
			const ofProject = inProject({ ...request, subject }, { id });
			return output.finish(await collect(client, ofProject, list));
		},
	};
}

interface RecordOperation extends Omit<Operation, 'run' | 'simplify'> {
	simplify: Simplify;
	/** Returns the record as the service has it, once all of the item's changes are made */
	record: (context: OperationContext) => Promise<IDataObject>;
}

export const recordOperation = ({ record, ...operation }: RecordOperation): Operation => ({
	...operation,
	properties: [...operation.properties, ...outputFields],
	async run(context) {
		// First, because nothing may be changed for an output that cannot be given.
		const output = getOutputMode(context, operation.simplify);
		return await outputRecord(context.client, output, await record(context));
	},
});

/** Reads the record that the item names. */
export const fetchNamed =
	(endpoint: Endpoint, locator: Locator) => async (context: OperationContext) =>
		await requestRecord(context.client, { endpoint, ...requestTarget(context, locator) });

interface DeleteOperation extends Texts {
	endpoint: Endpoint;
	properties: INodeProperties[];
	/** Which record the item names */
	target: Locator | ((context: OperationContext) => RequestTarget);
	/** Deletes the record; by default with one request */
	remove?: (
		client: ApiClient,
		request: ApiRequest,
		context: OperationContext,
	) => Promise<IDataObject[]>;
}

export const deleteOperation = ({ target, remove = deleteRecord, ...rest }: DeleteOperation) => ({
	name: 'Delete',
	value: 'delete',
	...rest,
	async run(context: OperationContext) {
		const { client } = context;
		const named = typeof target === 'function' ? target(context) : requestTarget(context, target);
		const request = { endpoint: rest.endpoint, ...named };
		return await remove(client, request, context).catch((error: unknown) => {
			// Not found before it was deleted: an earlier try, whose response was lost, deleted it.
			const isGone = error instanceof ActivepiecesError && error.isRecordUnknown;
			if (!isGone || !client.ledger.mayHaveChangedRecord(request.id)) throw error;
			return [{ deleted: true }];
		});
	},
});
