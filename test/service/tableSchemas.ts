import { z } from 'zod/v4';

import { jsonEnum, jsonObject, zodList } from './schema';

const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'co'] as const;

/** Filters without a value, since 0.79 */
const EXISTENCE = ['exists', 'not_exists'] as const;

/** A cell from 0.85 on: anything becomes text (har/enterprise-0.85-tables, t/64 to t/68). */
const anyText = z.preprocess(
	(value) => (value === undefined ? value : value === null ? '' : String(value)),
	z.string(),
);

const cellsOf = (value: z.ZodType) => z.array(z.object({ fieldId: z.string(), value }));

const zodFilter = z.discriminatedUnion('operator', [
	z.object({ operator: z.enum(OPERATORS), fieldId: z.string(), value: z.string() }),
	z.object({ operator: z.enum(EXISTENCE), fieldId: z.string() }),
]);

const zodSchemas = (value: z.ZodType) => ({
	field: zodField,
	query: z.object({
		tableId: z.string(),
		limit: z.coerce.number().optional(),
		cursor: z.string().optional(),
		filters: zodList(zodFilter),
	}),
	create: z.object({ tableId: z.string(), records: z.array(cellsOf(value)) }),
	update: z.object({ tableId: z.string(), cells: cellsOf(value).optional() }),
	remove: z.object({ tableId: z.string(), ids: z.array(z.string()) }),
});

/** A new column. */
const zodField = z.union([
	z.object({ name: z.string(), tableId: z.string(), type: z.enum(['TEXT', 'NUMBER', 'DATE']) }),
	z.object({
		name: z.string(),
		tableId: z.string(),
		type: z.literal('STATIC_DROPDOWN'),
		data: z.object({ options: z.array(z.object({ value: z.string() })) }),
	}),
]);

const text = { type: 'string' };

const jsonCells = {
	type: 'array',
	items: jsonObject({ fieldId: text, value: text }, ['fieldId', 'value']),
};

const operator = jsonEnum(OPERATORS);

const jsonSchemas = {
	field: {
		...jsonObject({ name: text, type: text, tableId: text }, ['name', 'type', 'tableId']),
		anyOf: [
			{ properties: { type: { enum: ['TEXT', 'NUMBER', 'DATE'] } } },
			{ properties: { type: { const: 'STATIC_DROPDOWN' } }, required: ['data'] },
		],
	},
	query: jsonObject(
		{
			tableId: text,
			limit: { type: 'number' },
			cursor: text,
			filters: {
				type: 'array',
				items: jsonObject({ fieldId: text, operator, value: text }, ['fieldId', 'value']),
			},
		},
		['tableId'],
	),
	create: jsonObject({ tableId: text, records: { type: 'array', items: jsonCells } }, [
		'tableId',
		'records',
	]),
	update: jsonObject({ tableId: text, cells: jsonCells }, ['tableId']),
	remove: jsonObject({ tableId: text, ids: { type: 'array', items: text } }, ['ids']),
};

const SCHEMAS = {
	ajv: jsonSchemas,
	// Text only in 0.79.
	zod: zodSchemas(z.string()),
	zodWithAnyText: zodSchemas(anyText),
};

/** What the routes of table records accept, for the release's validator. */
export const tableSchemas = (
	validation: 'ajv' | 'zod',
	cellsBecomeText: boolean,
): Record<keyof typeof jsonSchemas, unknown> =>
	SCHEMAS[validation === 'zod' && cellsBecomeText ? 'zodWithAnyText' : validation];
