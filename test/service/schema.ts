import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod/v4';

// Fields of queries and bodies. Each may be missing unless it is `required`.
export const text = z.string().optional();
export const number = z.coerce.number().optional();
export const boolean = z
	.preprocess((v) => (v === 'true' ? true : v === 'false' ? false : v), z.boolean())
	.optional();
export const object = z.record(z.string(), z.unknown()).optional();
/** An ID, where the service checks its form. */
export const id = z
	.string()
	.regex(/^[0-9a-zA-Z]{21}$/)
	.optional();
export const projectName = z
	.string()
	.regex(/^[^./]+$/)
	.optional();
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
	z.enum(values).optional();

export const PLATFORM_ROLE = z.enum(['ADMIN', 'MEMBER', 'OPERATOR']);

/** The fields of a query or a body; others are accepted. */
export const shape = z.object;

export const required = <Type extends z.ZodType>(field: z.ZodOptional<Type>) => field.unwrap();

/** A single value of a repeatable parameter arrives as text. */
export const list = <Type extends z.ZodType>(field: z.ZodOptional<Type>) =>
	z.preprocess(
		(v) => (v === undefined || Array.isArray(v) ? v : [v]),
		z.array(field.unwrap()).optional(),
	);

// With Fastify's own settings.
const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true });

/** As the service's older releases write it: an enum consists of constants. */
function jsonSchemaOf(schema: z.ZodType) {
	return z.toJSONSchema(schema, {
		target: 'draft-7',
		override({ jsonSchema }) {
			if (!jsonSchema.enum) return;
			jsonSchema.anyOf = jsonSchema.enum.map((value) => ({ const: value, type: 'string' }));
			delete jsonSchema.enum;
			delete jsonSchema.type;
		},
	});
}

const compiled = new WeakMap<z.ZodType, ValidateFunction>();

/** Runs the schemas with AJV, which compiles them when they are first used, once for all services. */
export const ajvCompiler: FastifySchemaCompiler<z.ZodType> =
	({ schema }) =>
	(value: unknown) => {
		const validate = compiled.get(schema) ?? ajv.compile(jsonSchemaOf(schema));
		compiled.set(schema, validate);
		if (validate(value)) return { value };
		return { error: validate.errors as ErrorObject[] as unknown as Error };
	};

/** Runs the schemas with zod, whose messages the real service sends. */
export const zodCompiler: FastifySchemaCompiler<z.ZodType> =
	({ schema }) =>
	(value: unknown) => {
		const result = schema.safeParse(value);
		if (result.success) return { value: result.data };
		return {
			error: result.error.issues.map((issue) => ({
				keyword: issue.code ?? 'invalid',
				instancePath: `/${issue.path.join('/')}`,
				schemaPath: '#',
				params: {},
				message: issue.message,
			})) as unknown as Error,
		};
	};
