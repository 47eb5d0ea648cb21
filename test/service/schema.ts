import Ajv, { type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod/v4';

/** One query parameter or body field, in terms both validators know. */
export type Field =
	| {
			type:
				| 'string'
				| 'number'
				| 'boolean'
				| 'object'
				| 'strings'
				| 'objects'
				| 'id'
				| 'ids'
				| 'projectName';
			required?: true;
	  }
	| { type: 'enum' | 'enums'; values: readonly [string, ...string[]]; required?: true };

/** An ID, if the service checks its form. */
const ID = /^[0-9a-zA-Z]{21}$/;

/** The name of a project. */
const PROJECT_NAME = /^[^./]+$/;

export type Fields = Record<string, Field>;

function zodField(field: Field): z.ZodType {
	const list = (element: z.ZodType) =>
		// A single value of a repeatable parameter arrives as text.
		z.preprocess(
			(v) => (v === undefined || Array.isArray(v) ? v : [v]),
			z.array(element).optional(),
		);
	switch (field.type) {
		case 'string':
			return field.required ? z.string() : z.string().optional();
		case 'id':
			return z.string().regex(ID);
		case 'projectName':
			return field.required
				? z.string().regex(PROJECT_NAME)
				: z.string().regex(PROJECT_NAME).optional();
		case 'object':
			return z.record(z.string(), z.unknown()).optional();
		case 'number':
			return z.coerce.number().optional();
		case 'boolean':
			return z
				.preprocess((v) => (v === 'true' ? true : v === 'false' ? false : v), z.boolean())
				.optional();
		case 'strings':
			return list(z.string());
		case 'ids':
			return list(z.string().regex(ID));
		case 'objects':
			return list(z.record(z.string(), z.unknown()));
		case 'enum':
			return field.required ? z.enum(field.values) : z.enum(field.values).optional();
		case 'enums':
			return list(z.enum(field.values));
	}
}

function jsonField(field: Field): Record<string, unknown> {
	switch (field.type) {
		case 'string':
		case 'number':
		case 'boolean':
		case 'object':
			return { type: field.type };
		case 'projectName':
			return { type: 'string', pattern: PROJECT_NAME.source };
		case 'id':
			return { type: 'string', pattern: ID.source };
		case 'strings':
			return { type: 'array', items: { type: 'string' } };
		case 'ids':
			return { type: 'array', items: { type: 'string', pattern: ID.source } };
		case 'objects':
			return { type: 'array', items: { type: 'object' } };
		case 'enum':
			return { anyOf: field.values.map((value) => ({ const: value, type: 'string' })) };
		case 'enums':
			return { type: 'array', items: jsonField({ type: 'enum', values: field.values }) };
	}
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
	return {
		type: 'object',
		properties: Object.fromEntries(entries.map(([name, f]) => [name, jsonField(f)])),
		required: entries.filter(([, f]) => f.required).map(([name]) => name),
	};
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
