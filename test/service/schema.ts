import Ajv, { type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod/v4';

/** An ID, if the service checks its form. */
const ID = /^[0-9a-zA-Z]{21}$/;

/** The name of a project. */
const PROJECT_NAME = /^[^./]+$/;

/** The kinds of values, as each validator knows them. */
const ZOD = {
	string: z.string(),
	number: z.coerce.number(),
	boolean: z.preprocess((v) => (v === 'true' ? true : v === 'false' ? false : v), z.boolean()),
	object: z.record(z.string(), z.unknown()),
	id: z.string().regex(ID),
	projectName: z.string().regex(PROJECT_NAME),
};
const JSON_SCHEMA: Record<keyof typeof ZOD, object> = {
	string: { type: 'string' },
	number: { type: 'number' },
	boolean: { type: 'boolean' },
	object: { type: 'object' },
	id: { type: 'string', pattern: ID.source },
	projectName: { type: 'string', pattern: PROJECT_NAME.source },
};

/** A query parameter or a field of a body, in terms both validators know. */
export interface Field<Value = unknown> {
	/** the values of an enum, or a kind */
	kind: keyof typeof ZOD | readonly string[];
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

export const jsonEnum = (values: readonly string[]) => ({
	anyOf: values.map((value) => ({ const: value, type: 'string' })),
});

export const jsonObject = (properties: object, required: string[] = []) => ({
	type: 'object',
	properties,
	required,
});

function zodField({ kind, isList, isRequired }: Field): z.ZodType {
	const one = typeof kind === 'string' ? ZOD[kind] : z.enum(kind);
	if (isList) return zodList(one);
	return isRequired ? one : one.optional();
}

function jsonField({ kind, isList }: Field): object {
	const one = typeof kind === 'string' ? JSON_SCHEMA[kind] : jsonEnum(kind);
	return isList ? { type: 'array', items: one } : one;
}

const schemas = new Map<string, unknown>();

/**
 * The fields as a schema for the release's validator: JSON schema for AJV, or zod. The services of a
 * process share them, because making them takes most of a service's start.
 */
export function makeSchema(fields: Fields, validation: 'ajv' | 'zod'): unknown {
	const key = `${validation} ${JSON.stringify(fields)}`;
	if (!schemas.has(key)) schemas.set(key, schemaOf(fields, validation));
	return schemas.get(key);
}

function schemaOf(fields: Fields, validation: 'ajv' | 'zod'): unknown {
	const entries = Object.entries(fields);
	if (validation === 'zod') {
		return z.object(Object.fromEntries(entries.map(([name, f]) => [name, zodField(f)])));
	}
	return jsonObject(
		Object.fromEntries(entries.map(([name, f]) => [name, jsonField(f)])),
		entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
	);
}

// With Fastify's own settings.
const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true });

/**
 * Compiles JSON schemas when they are first used, once for all services, because AJV recognizes its schemas.
 */
export const ajvCompiler: FastifySchemaCompiler<AnySchema> = ({ schema }) => {
	let validate: ValidateFunction | undefined;
	return (value: unknown) => {
		validate ??= ajv.compile(schema);
		if (validate(value)) return { value };
		return { error: validate.errors as ErrorObject[] as unknown as Error };
	};
};

/**
 * Runs zod schemas in Fastify with the texts of the real service, e.g.
 * `querystring/limit Invalid input: expected number, received NaN`.
 */
export const zodCompiler: FastifySchemaCompiler<unknown> =
	({ schema }) =>
	(value: unknown) => {
		const result = (schema as z.ZodType).safeParse(value);
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
