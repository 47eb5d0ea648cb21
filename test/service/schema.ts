import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod/v4';

/** An ID, if the service checks its form. */
const ID = /^[0-9a-zA-Z]{21}$/;

/** The name of a project. */
const PROJECT_NAME = /^[^./]+$/;

/** The kinds of values. */
const KINDS = {
	string: z.string(),
	number: z.coerce.number(),
	boolean: z.preprocess((v) => (v === 'true' ? true : v === 'false' ? false : v), z.boolean()),
	object: z.record(z.string(), z.unknown()),
	id: z.string().regex(ID),
	projectName: z.string().regex(PROJECT_NAME),
};

/** A query parameter or a field of a body. */
export interface Field<Value = unknown> {
	/** the values of an enum, or a kind */
	kind: keyof typeof KINDS | readonly string[];
	isList?: true;
	isRequired?: true;
	/** only for the type checker: what a route gets */
	value?: () => Value;
}

export type Fields = Record<string, Field>;

/** The values of checked fields. */
export type Values<F extends Fields> = {
	[Name in keyof F]: F[Name] extends Field<infer Value> ? Value : never;
};

const field = <Value>(kind: Field['kind']): Field<Value | undefined> => ({ kind });

export const text = field<string>('string');
export const number = field<number>('number');
export const boolean = field<boolean>('boolean');
export const object = field<Record<string, unknown>>('object');
export const id = field<string>('id');
export const projectName = field<string>('projectName');
export const oneOf = <const Value extends string>(values: readonly Value[]) => field<Value>(values);

export const list = <Value>(
	element: Field<Value>,
): Field<Array<NonNullable<Value>> | undefined> => ({
	kind: element.kind,
	isList: true,
});

export const required = <Value>({ kind }: Field<Value>): Field<NonNullable<Value>> => ({
	kind,
	isRequired: true,
});

/** A single value of a repeatable parameter arrives as text. */
export const zodList = (element: z.ZodType) =>
	z.preprocess((v) => (v === undefined || Array.isArray(v) ? v : [v]), z.array(element).optional());

const schemas = new Map<string, z.ZodType>();

/**
 * The fields as a schema. The services of a process share them, because making them takes most of a
 * service's start.
 */
export function makeSchema(fields: Fields): z.ZodType {
	const key = JSON.stringify(fields);
	const known = schemas.get(key);
	if (known) return known;
	const types = Object.entries(fields).map(([name, { kind, isList, isRequired }]) => {
		const one: z.ZodType = typeof kind === 'string' ? KINDS[kind] : z.enum(kind);
		return [name, isList ? zodList(one) : isRequired ? one : one.optional()];
	});
	const made = z.object(Object.fromEntries(types) as Record<string, z.ZodType>);
	schemas.set(key, made);
	return made;
}

// With Fastify's own settings.
const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true });

/** As the service's older releases write it: any other field is accepted, and an enum consists of constants. */
function jsonSchemaOf(schema: z.ZodType) {
	return z.toJSONSchema(schema, {
		target: 'draft-7',
		override({ jsonSchema }) {
			const [first, second] = jsonSchema.anyOf ?? [];
			delete jsonSchema.additionalProperties;
			if (jsonSchema.enum) {
				jsonSchema.anyOf = jsonSchema.enum.map((value) => ({ const: value, type: 'string' }));
				delete jsonSchema.enum;
				delete jsonSchema.type;
			} else if (second?.type === 'null') {
				delete jsonSchema.anyOf;
				Object.assign(jsonSchema, first, { nullable: true });
			}
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

/**
 * Runs the schemas with the texts of the real service, e.g.
 * `querystring/limit Invalid input: expected number, received NaN`.
 */
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
