import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Fields, propertiesOf, readFields, type Values } from '../descriptions/field';
import type { RequestTarget } from '../descriptions/locator';
import { outputFields, type OutputMode, readOutput, type Simplify } from '../descriptions/output';
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

const isTarget = (value: unknown): value is RequestTarget =>
	typeof value === 'object' && value !== null && 'subject' in value;

/** The record that an operation is for: the last one that its fields name, because a table is named before its record. */
export const targetOf = (values: Record<string, unknown>): RequestTarget =>
	Object.values(values).filter(isTarget).at(-1)!;

/** The request for the record that a field names, with the values of the other fields. */
async function sendFields(
	{ client }: OperationContext,
	endpoint: Endpoint,
	values: Record<string, unknown>,
): Promise<IDataObject> {
	const target = targetOf(values);
	if (endpoint.method === 'GET') return await requestRecord(client, { endpoint, ...target });
	const body = Object.entries(values)
		.filter(([, value]) => !isTarget(value))
		.map(([name, value]) => (isRecord(value) ? value : { [name]: value as IDataObject[string] }));
	return await requestRecord(client, { endpoint, ...target, body: Object.assign({}, ...body) });
}

const isCollection = ({ type }: INodeProperties) => type === 'collection';

/** An operation that returns a record, from the values of its fields. */
export function operation<F extends Fields>({
	fields,
	simplifyBy,
	record,
	...rest
}: RecordOperation<F>): Operation {
	const { endpoint, simplify } = rest;
	const properties = propertiesOf(fields);
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
			// A table may have a column with the name.
			const hasName = Object.hasOwn(simplify({}), 'projectName');
			const output = outputBy(hasName ? simplifySingle(simplifyMade) : simplifyMade);
			const made = await (record?.(values, context, output) ??
				sendFields(context, endpoint, values));
			const records = [made].flat().map(output.transform);
			// After a change, an error would make an agent repeat it.
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
