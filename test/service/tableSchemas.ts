import { z } from 'zod/v4';

import { zodList } from './schema';

/** A cell from 0.85 on: anything becomes text (har/enterprise-0.85-tables, t/64 to t/68). */
const anyText = z.preprocess(
	(value) => (value === undefined ? value : value === null ? '' : String(value)),
	z.string(),
);

const filter = z.object({
	operator: z.enum(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'co']),
	fieldId: z.string(),
	value: z.string(),
});

/** Without a value, since 0.79 */
const existence = z.object({ operator: z.enum(['exists', 'not_exists']), fieldId: z.string() });

const column = { name: z.string(), tableId: z.string() };
const options = z.array(z.object({ value: z.string() }));

function schemasOf(value: z.ZodType, filters: z.ZodType, ofDeleted: z.ZodType) {
	const cells = z.array(z.object({ fieldId: z.string(), value }));
	return {
		field: z.union([
			z.object({ ...column, type: z.enum(['TEXT', 'NUMBER', 'DATE']) }),
			z.object({ ...column, type: z.literal('STATIC_DROPDOWN'), data: z.object({ options }) }),
		]),
		query: z.object({
			tableId: z.string(),
			limit: z.coerce.number().optional(),
			cursor: z.string().optional(),
			filters: zodList(filters),
		}),
		create: z.object({ tableId: z.string(), records: z.array(cells) }),
		update: z.object({ tableId: z.string(), cells: cells.optional() }),
		remove: z.object({ tableId: ofDeleted, ids: z.array(z.string()) }),
	};
}

/** 0.73 needs no operator (har/enterprise-0.73-tables, t/114). */
const oldFilter = filter.partial({ operator: true });
const anyFilter = z.discriminatedUnion('operator', [filter, existence]);

/** What the routes of table records accept, by the release's validator. */
export const TABLE_SCHEMAS = {
	ajv: schemasOf(z.string(), oldFilter, z.string().optional()),
	// Text only in 0.79.
	zod: schemasOf(z.string(), anyFilter, z.string()),
	zodWithAnyText: schemasOf(anyText, anyFilter, z.string()),
};
