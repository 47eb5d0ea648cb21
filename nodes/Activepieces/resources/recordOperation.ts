import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Fields, propertiesOf, readFields, type Values } from '../descriptions/field';
import { type Locator, type RequestTarget, requestTarget } from '../descriptions/locator';
import {
	getOutputMode,
	outputFields,
	type OutputMode,
	type Simplify,
} from '../descriptions/output';
import type { OperationContext } from '../execution/operationContext';
import type { Endpoint } from '../transport/client/request';
import { requestRecord } from '../transport/client/record';
import { isRecord } from '../transport/values';
import type { Operation } from './operation';

/** A single record has no name of its project: it would cost a request for all projects. */
const simplifySingle =
	(simplify: Simplify): Simplify =>
	(record, source) => {
		const simple = simplify(record, source);
		delete simple.projectName;
		return simple;
	};

interface RecordOperation<Read> extends Omit<Operation, 'run' | 'simplify'> {
	simplify: Simplify;
	/** Reads what the output depends on, such as the columns of a table; changes nothing */
	prepare?: (context: OperationContext) => Promise<Read & { simplify: Simplify }>;
	/** Returns the record as the service has it, once all of the item's changes are made */
	record: (context: OperationContext, read: Read & { output: OutputMode }) => Promise<IDataObject>;
}

const isCollection = ({ type }: INodeProperties) => type === 'collection';

export const recordOperation = <Read extends object = object>({
	prepare,
	record,
	...operation
}: RecordOperation<Read>): Operation => ({
	...operation,
	simplify: simplifySingle(operation.simplify),
	// As in n8n's own nodes, what is optional comes last.
	properties: [
		...operation.properties.filter((each) => !isCollection(each)),
		...outputFields,
		...operation.properties.filter(isCollection),
	],
	async run(context) {
		const read = await prepare?.(context);
		// Before the record, because nothing may be changed for an output that cannot be given.
		const output = getOutputMode(context, simplifySingle(read?.simplify ?? operation.simplify));
		const made = await record(context, { ...(read as Read), output });
		const records = [output.transform(made)];
		// After a change, an error would make an agent repeat it.
		return operation.endpoint.method === 'GET' ? output.finish(records) : records;
	},
});

export const fetchNamed =
	(endpoint: Endpoint, locator: Locator) => async (context: OperationContext) =>
		await requestRecord(context.client, { endpoint, ...requestTarget(context, locator) });

interface FieldsOperation<F extends Fields> extends Omit<
	RecordOperation<object>,
	'properties' | 'prepare' | 'record'
> {
	fields: F;
	/** By default sends the other fields as the body of a request for the record that a field names */
	record?: (
		values: Values<F>,
		context: OperationContext,
		output: OutputMode,
	) => Promise<IDataObject>;
}

const isTarget = (value: unknown): value is RequestTarget =>
	typeof value === 'object' && value !== null && 'subject' in value;

/** The record that fields name: the last one, because one before it is where the record is, such as its table. */
export const targetOf = (values: object): RequestTarget =>
	Object.values(values).filter(isTarget).at(-1)!;

/** The request for the record that a field names, with the values of the other fields. */
async function sendFields(
	{ client }: OperationContext,
	endpoint: Endpoint,
	fields: Record<string, unknown>,
): Promise<IDataObject> {
	const values = Object.entries(fields);
	const target = targetOf(fields);
	if (endpoint.method === 'GET') return await requestRecord(client, { endpoint, ...target });
	const body = values
		.filter(([, value]) => !isTarget(value))
		.map(([name, value]) => (isRecord(value) ? value : { [name]: value as IDataObject[string] }));
	return await requestRecord(client, { endpoint, ...target, body: Object.assign({}, ...body) });
}

/** An operation that returns one record, from the values of its fields. */
export const operation = <F extends Fields>({
	fields,
	record,
	...rest
}: FieldsOperation<F>): Operation =>
	recordOperation({
		...rest,
		properties: propertiesOf(fields),
		async record(context, { output }) {
			const values = await readFields(context, fields);
			return record === undefined
				? await sendFields(context, rest.endpoint, values)
				: await record(values, context, output);
		},
	});
