/** An operation as a page declares it: one that returns a record, a list, or its own items, or deletes a record. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	filtered,
	filtersField,
	options,
	propertiesOf,
	readFields,
	type Fields,
	type Filters,
	type Values,
} from '../descriptions/field';
import type { TargetField } from '../descriptions/kinds';
import { limit, pageSize } from '../descriptions/limit';
import {
	getOptionalId,
	locatorField,
	type Locator,
	type OptionList,
} from '../descriptions/locator';
import { outputFields, readOutput, type OutputMode, type Simplify } from '../descriptions/output';
import type { OperationContext, Runnable } from '../execution/operationContext';
import type { ApiClient } from '../transport/api/client';
import type { ListOptions } from '../transport/api/pages';
import { type AllProjectsOptions } from '../transport/api/projects';
import {
	inProject,
	type ApiRequest,
	type Endpoint,
	type RequestTarget,
} from '../transport/client/request';
import { ActivepiecesError } from '../transport/errors/error';
import { loadProjectNames } from './project/project';

/** A pair of resource and operation: its fields, its request and its output. */
export interface Operation extends Runnable {
	name: string;
	value: string;
	/** As the node panel shows it; by default the name with the resource in sentence case */
	action?: string;
	description: string;
	/** Description for a model that uses the node as a tool: what it does and returns, without the final period */
	toolDescription: string;
	/** Shown in the output panel before the first run, at most 120 characters */
	hint?: string;
	/** Whether it destroys something although its endpoint is no DELETE; its hint is a warning */
	isIrreversible?: true;
	properties: INodeProperties[];
	/** Picks the fields of the default output, which a tool's description lists */
	simplify?: Simplify;
}

type OperationTexts = Pick<Operation, 'description' | 'toolDescription' | 'hint'>;

export interface Resource {
	name: string;
	/** Saved by workflows */
	value: string;
	/** Fields that select a record, whose From List the node searches */
	locators?: Locator[];
	/** Lists of fields that select several records, which the node loads */
	optionLists?: OptionList[];
	/**
	 * The first one is the default, which n8n does not save in workflows: Get Many, or another one that only
	 * reads
	 */
	operations: Operation[];
}

/** A single record has no name of its project: it would cost a request for all projects. */
const simplifySingle =
	(simplify: Simplify): Simplify =>
	(record, source) => {
		const simple = simplify(record, source);
		delete simple.projectName;
		return simple;
	};

interface FieldsOperation<F extends Fields> extends Omit<Operation, 'properties' | 'run'> {
	fields: F;
}

interface RecordOperation<F extends Fields> extends FieldsOperation<F> {
	simplify: Simplify;
	/** In place of `simplify`, for what the service was asked for, such as the columns of a table */
	simplifyBy?: (values: Values<F>) => Simplify;
	/**
	 * Returns the record as the service has it, or several, once all of the item's changes are made; by default sends the
	 * other fields as the body of a request for the record that a field names
	 */
	record?: (
		values: Values<F>,
		context: OperationContext,
		output: OutputMode,
	) => IDataObject | Promise<IDataObject | IDataObject[]>;
}

/** Fields of which one names a record, as `named` does */
type WithTarget<F extends Fields> = [Extract<F[keyof F], TargetField>] extends [never]
	? never
	: unknown;

/** The record for which a request is, and the values of the other fields. */
function splitTarget(fields: Fields, values: Record<string, unknown>) {
	const entries = Object.entries(values);
	const isOfTarget = ([name]: [string, unknown]) => 'isTarget' in fields[name];
	return {
		target: entries.find(isOfTarget)?.[1] as RequestTarget,
		others: Object.fromEntries(entries.filter((entry) => !isOfTarget(entry))) as IDataObject,
	};
}

/** Requests the record that a field names, with the values of the other fields. */
async function sendFields(
	{ client }: OperationContext,
	endpoint: Endpoint,
	{ target, others }: ReturnType<typeof splitTarget>,
): Promise<IDataObject> {
	const body = endpoint.method === 'GET' ? {} : { body: others };
	return await client.requestRecord({ endpoint, ...target, ...body });
}

const isCollection = ({ type }: INodeProperties) => type === 'collection';

/** An operation that returns a record, from the values of its fields. */
export function operation<F extends Fields>({
	fields,
	simplifyBy,
	record,
	...rest
}: RecordOperation<F> & (WithTarget<F> | Pick<Required<RecordOperation<F>>, 'record'>)): Operation {
	const { endpoint, simplify } = rest;
	const properties = propertiesOf(fields);
	// A table may have a column "projectName", which stays: only what `simplify` itself adds is removed.
	const hasName = Object.hasOwn(simplify({}), 'projectName');
	return {
		...rest,
		simplify: simplifySingle(simplify),
		// As in n8n's own nodes, what is optional comes last.
		properties: [
			...properties.filter((each) => !isCollection(each)),
			...outputFields,
			...properties.filter(isCollection),
		],
		async run(context) {
			// First, because nothing may be changed for an output that cannot be given.
			const outputBy = readOutput(context);
			const values = await readFields(context, fields);
			const simplifyMade = simplifyBy?.(values) ?? simplify;
			const output = outputBy(hasName ? simplifySingle(simplifyMade) : simplifyMade);
			const made = await (record?.(values, context, output) ??
				sendFields(context, endpoint, splitTarget(fields, values)));
			const records = [made].flat().map(output.transform);
			// `finish` may throw, and after a change an error would make an agent repeat it.
			return endpoint.method === 'GET' ? output.finish(records) : records;
		},
	};
}

interface ItemsOperation<F extends Fields> extends FieldsOperation<F> {
	items: (values: Values<F>, context: OperationContext) => Promise<IDataObject[]>;
}

/** An operation that makes its output itself, from the values of its fields. */
export const itemsOperation = <F extends Fields>({
	fields,
	items,
	...rest
}: ItemsOperation<F>): Operation => ({
	...rest,
	properties: propertiesOf(fields),
	run: async (context) => await items(await readFields(context, fields), context),
});

/** Which records of a list are returned, and how, by the filters in its query. */
interface Selection {
	/** The query to send in place of the one with all filters: the role of Project Member is sent by its ID */
	query?: IDataObject;
	/** Converts a record; undefined leaves it out: User filters by email itself */
	convert?: ListOptions['convert'];
	/** Whether `convert` leaves out records because of a filter: with an email, most of the users */
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
	/** Adds to the output what its records lack, such as names of projects; not called for a list of all projects */
	enrich?: (client: ApiClient, records: IDataObject[]) => Promise<void>;
	select?: (query: IDataObject, client: ApiClient) => Selection | Promise<Selection>;
	hasPageSize?: boolean;
	isUnpaged?: boolean;
	isNewestFirst?: boolean;
}

/** The records of lists, which together have no more than the limit, and none twice. */
async function fetchLists(
	client: ApiClient,
	requests: ApiRequest[],
	{ limit: most = Infinity, ...others }: ListOptions,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const seen = new Set<unknown>();
	let hasMore = false;
	const onMore = (noun: string) => {
		hasMore = true;
		others.onMore?.(noun);
	};
	for (const request of requests) {
		if (hasMore) break;
		const missing = most - records.length;
		// After a list that fills the limit, one record of the next shows that there are more.
		const listOptions = { ...others, limit: missing || 1, seen, onMore };
		const found = await client.fetchList(request, listOptions);
		if (missing > 0) for (const record of found) records.push(record);
		else if (found.length > 0) onMore(request.subject.noun);
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
	enrich,
	select,
	hasPageSize = false,
	isUnpaged,
	isNewestFirst,
	...texts
}: ListOperation<F>): Operation {
	// Each list has its own, so that it stands below its filters.
	const paging = hasPageSize ? options({ pageSize }) : undefined;
	return {
		name: 'Get Many',
		value: 'getAll',
		...texts,
		endpoint: listRequest.endpoint,
		properties: [
			...(project === undefined ? [] : [locatorField(project)]),
			...propertiesOf(fields),
			...limit.properties,
			...outputFields,
			...(Object.keys(filters).length === 0 ? [] : [filtersField(filters)]),
			...(paging?.properties ?? []),
		],
		simplify,
		async run(context) {
			const { client } = context;
			const values = await readFields(context, fields);
			const withFilters = filtered(context, listRequest, filters);
			const { query: given = {} } = withFilters;
			const selection: Selection = (await select?.(given, client)) ?? {};
			const { query = given, convert = (record) => record, mayDrop } = selection;
			const request = { ...withFilters, query };
			const output = readOutput(context)(selection.simplify ?? simplify);
			const list: AllProjectsOptions = {
				isUnpaged,
				pageSize: (await paging?.read(context))?.pageSize,
				limit: await limit.read(context),
				mayDrop,
				onMore: context.onMore,
				convert(record, page) {
					const converted = convert(record, page);
					return converted && output.transform(converted);
				},
				isNewestFirst,
			};
			const id = project && getOptionalId(context, project);
			if (project !== undefined && id === undefined) {
				// It puts their names into `client.projectNames`, from which `simplify` takes them.
				return output.finish(await client.fetchOfAllProjects(request, list));
			}
			const isNamedLater = enrich !== undefined && output.has('projectId');
			if (output.has('projectName') && !isNamedLater) await loadProjectNames(client);
			const ofProject =
				project === undefined || id === undefined
					? request
					: inProject(request, { id, field: project.displayName });
			const records = output.finish(await fetchLists(client, lists(ofProject, values), list));
			await enrich?.(client, records);
			return records;
		},
	};
}

interface DeleteOperation<F extends Fields> extends OperationTexts {
	endpoint: Endpoint;
	/** One of them names the record that is deleted */
	fields: F & WithTarget<F>;
	/** Deletes the record; by default with one request */
	remove?: (
		client: ApiClient,
		request: ApiRequest,
		values: Values<F>,
		context: OperationContext,
	) => Promise<IDataObject[]>;
}

export const deleteOperation = <F extends Fields>({
	fields,
	remove = async (client, request) => await client.deleteRecord(request),
	...rest
}: DeleteOperation<F>) => ({
	name: 'Delete',
	value: 'delete',
	properties: propertiesOf(fields),
	...rest,
	async run(context: OperationContext) {
		const { client } = context;
		const values = await readFields(context, fields);
		const request = { endpoint: rest.endpoint, ...splitTarget(fields, values).target };
		return await remove(client, request, values, context).catch((error: unknown) => {
			// Not found before it was deleted: an earlier try, whose response was lost, deleted it. What the
			// response to a repeated delete shows, `expectDeleted` decides.
			const isGone = error instanceof ActivepiecesError && error.isRecordUnknown;
			if (!isGone || !client.ledger.mayHaveChangedRecord(request.id)) throw error;
			return [{ deleted: true }];
		});
	},
});
