import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { parse } from 'yaml';

import { Activepieces } from '../../nodes/Activepieces/Activepieces.node';
import { byId } from '../engine/harness/byId';
import { read } from '../engine/harness/environment';
import { useService } from '../engine/harness/service';

interface Parameter {
	$ref?: string;
	name: string;
	in: string;
	schema: {
		type: string;
		format?: string;
		enum?: string[];
		items?: { enum?: string[]; example?: string };
	};
	/** Its name in the node, if that differs */
	'x-filter'?: string;
	/** Why the node does not offer it */
	'x-unused'?: string;
	/** Whether it is a field of its own in the node instead of a filter */
	'x-field'?: true;
	/** Whether the node offers one value instead of several */
	'x-single'?: true;
}
interface Described {
	operationId: string;
	/** The operations that share the endpoint */
	'x-operations'?: string[];
	'x-origin': string;
	parameters?: Parameter[];
}
interface Document {
	paths: Record<string, Record<string, Described>>;
}

const document = parse(read('test/contract/openapi.yaml')) as Document;

const described = Object.entries(document.paths).flatMap(([path, item]) =>
	Object.entries(item)
		.filter(([method]) => method !== 'parameters')
		.flatMap(([method, operation]) =>
			(operation['x-operations'] ?? [operation.operationId]).map((operationId) => ({
				...operation,
				operationId,
				endpoint: `${method.toUpperCase()} ${path}`,
			})),
		),
);

const { properties } = new Activepieces().description;

/** Every resource and operation pair, as the node describes it to n8n. */
const pairs = properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map(({ value, routing }) => ({
			id: `${String(displayOptions?.show?.resource?.[0])}.${String(value)}`,
			endpoint: `${routing?.request?.method} ${routing?.request?.url}`,
			fields: properties.filter(
				({ displayOptions: shown }) =>
					shown?.show?.resource?.includes(String(displayOptions?.show?.resource?.[0])) &&
					shown.show.operation?.includes(String(value)),
			),
		})),
	);

const byOperationId = (id: string) => described.find(({ operationId }) => operationId === id);

const filtersOf = (fields: INodeProperties[]) =>
	(fields.find(({ name }) => name === 'filters')?.options ?? []) as INodeProperties[];

/** Parameters that the node adds itself instead of by a filter. */
const OWN = ['limit', 'cursor', 'projectId'];

/** Filters that the node applies itself, or sends as several parameters, of all operations or of one. */
const APPLIED_HERE = [
	'combine',
	'conditions',
	'email',
	'flow.count.status',
	'olderThanDays',
	'platformRole',
	'projectRole',
	'stepStatus',
	'userStatus',
];

/** The parameters that the node offers as filters. */
const offered = ({ parameters = [] }: Partial<Described>) =>
	parameters.filter(
		({ name, 'x-unused': unused, 'x-field': field, 'x-filter': filter }) =>
			name !== undefined &&
			unused === undefined &&
			!field &&
			(filter !== undefined || !OWN.includes(name)),
	);

const filterName = (parameter: Parameter) => parameter['x-filter'] ?? parameter.name;

test('the node has a pair for each endpoint of the contract, with the same method and path', () => {
	expect(described.length).toBeGreaterThan(0);
	const contract = described.map(({ operationId, endpoint }) => [operationId, endpoint]);
	const node = pairs.map(({ id, endpoint }) => [id, endpoint]);
	expect(node.sort()).toEqual(contract.sort());
});

test.each(pairs)('$id offers every parameter of $endpoint, and no other', ({ id, fields }) => {
	const filters = filtersOf(fields)
		.map(({ name }) => name)
		.filter((name) => ![name, `${id}.${name}`].some((each) => APPLIED_HERE.includes(each)));
	const parameters = offered(byOperationId(id) ?? {}).map(filterName);
	expect(filters.sort()).toEqual(parameters.sort());
});

test.each(pairs)('$id offers exactly the values that $endpoint allows', ({ id, fields }) => {
	for (const parameter of offered(byOperationId(id) ?? {})) {
		const { schema, 'x-single': single } = parameter;
		const allowed = schema.enum ?? schema.items?.enum;
		if (allowed === undefined) continue;
		const filter = filtersOf(fields).find(({ name }) => name === filterName(parameter));
		const values = (filter?.options as INodePropertyOptions[]).map(({ value }) => value);
		expect(values.sort()).toEqual([...allowed].sort());
		expect(filter?.type).toBe(schema.type === 'array' && !single ? 'multiOptions' : 'options');
	}
});

describe('the requests', () => {
	const bench = useService();

	/** A value for the filter of a parameter. */
	const valueOf = ({ schema, 'x-single': single }: Parameter) => {
		if (schema.format === 'date-time') return '2026-01-01T00:00:00.000Z';
		const value =
			schema.enum?.[0] ?? schema.items?.enum?.[0] ?? schema.items?.example ?? 'A'.repeat(21);
		return schema.items?.enum && !single ? [value] : value;
	};

	test.each(described.filter((operation) => offered(operation).length > 0))(
		'$operationId sends each filter as the parameter with its name',
		async ({ operationId, ...operationDescribed }) => {
			const [resource, operation] = operationId.split('.');
			const sent = offered(operationDescribed);
			const filters = Object.fromEntries(
				sent.map((parameter) => [filterName(parameter), valueOf(parameter)]),
			);
			await bench.run({ resource, operation, projectId: byId('p'), filters, limit: 1 });
			const last = bench.requests[bench.requests.length - 1];
			expect(Object.keys(last.query)).toEqual(expect.arrayContaining(sent.map(({ name }) => name)));
		},
	);

	// Connection and Global Connection only send IDs that they have found in a list of the service. For a record of a table,
	// the columns of the table are read first (`test/engine/tables.test.ts`).
	const withId = pairs.filter(
		({ id, endpoint }) =>
			endpoint.includes('{id}') &&
			!/^(projectMember\.update|(connection|globalConnection|tableRecord)\..*)$/.test(id),
	);

	test.each(withId)('$endpoint encodes the ID', async ({ id, endpoint, fields }) => {
		const [resource, operation] = id.split('.');
		// Of Import, the locator of the flow: the others are for new flows.
		const locators = fields.filter(({ type }) => type === 'resourceLocator');
		const locator =
			locators.find(({ name }) => name === 'flowId') ??
			locators.find(({ name, required }) => required && name !== 'projectId') ??
			locators.find(({ name }) => name !== 'projectId') ??
			locators[0];
		await bench.run({
			resource,
			operation,
			displayName: 'x',
			updateFields: { displayName: 'x', status: 'ACTIVE' },
			mode: 'replace',
			content: JSON.stringify({ displayName: 'x', trigger: { type: 'EMPTY' } }),
			[String(locator.name)]: byId('../a b'),
		});
		const [method, path] = endpoint.split(' ');
		const [first] = bench.requests;
		// Some operations read the record first, and stop when it does not exist.
		const looks = method !== 'GET' && first.method === 'GET';
		expect(first.method).toBe(looks ? 'GET' : method);
		const asked = looks ? path.replace(/\/retry$/, '').replace('/webhooks/', '/flows/') : path;
		expect(first.url.split('?')[0]).toBe(`/api${asked.replace('{id}', '..%2Fa%20b')}`);
	});
});
