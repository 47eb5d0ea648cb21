/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads a file of the repository in Node, never inside n8n */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { parse } from 'yaml';

import { packageRoot } from '../engine/harness/environment';
import { Mismatch } from './outcome';

interface Schema {
	$ref?: string;
	properties?: Record<string, Schema>;
	patternProperties?: Record<string, Schema>;
	items?: Schema;
	oneOf?: Schema[];
}

/** How records differ from the contract. */
export interface Differences {
	/** A field that is missing or of another type, with how many records it concerns */
	wrong: string[];
	/** Fields that the contract does not know */
	unknown: string[];
}

const document = parse(readFileSync(join(packageRoot, 'test/contract/openapi.yaml'), 'utf8')) as {
	components: { schemas: Record<string, Schema> };
};

const { schemas } = document.components;

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajv.addSchema(document, 'contract');

const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: string): ValidateFunction {
	let validate = validators.get(schema);
	if (validate === undefined) {
		if (!(schema in schemas)) throw new Error(`The contract has no schema ${schema}`);
		validate = ajv.compile({ $ref: `contract#/components/schemas/${schema}` });
		validators.set(schema, validate);
	}
	return validate;
}

/** `/version/agentIds/3` as `version.agentIds[]` */
const dotted = (pointer: string): string =>
	pointer
		.slice(1)
		.replace(/\/\d+(?=\/|$)/g, '[]')
		.replaceAll('/', '.');

function sentence({
	instancePath,
	keyword,
	params,
	message = '',
}: ErrorObject): string | undefined {
	const path = dotted(instancePath);
	if (keyword === 'required') {
		const missing = String((params as { missingProperty: string }).missingProperty);
		return `${path === '' ? missing : `${path}.${missing}`} is missing`;
	}
	// What is wrong in detail is told by the errors inside.
	if (keyword === 'oneOf') return undefined;
	return `${path === '' ? 'the record' : path} ${message}`;
}

const resolved = (schema: Schema): Schema =>
	schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').pop() ?? ''];

/** Collects the fields that a schema with properties does not name; free-form objects are not looked into. */
function collectUnknown(value: unknown, schema: Schema, path: string, found: Set<string>): void {
	const { properties, patternProperties = {}, items, oneOf } = resolved(schema);
	if (Array.isArray(value)) {
		if (items) value.forEach((each) => collectUnknown(each, items, `${path}[]`, found));
		return;
	}
	if (typeof value !== 'object' || value === null) return;
	if (oneOf) return collectUnknown(value, oneOf[0], path, found);
	if (properties === undefined) return;
	for (const [field, inner] of Object.entries(value)) {
		const at = path === '' ? field : `${path}.${field}`;
		if (field in properties) collectUnknown(inner, properties[field], at, found);
		else if (!Object.keys(patternProperties).some((pattern) => field.search(pattern) !== -1)) {
			found.add(at);
		}
	}
}

/** Compares records with a schema of the contract. */
export function compareWithContract(schema: string, records: unknown[]): Differences {
	const validate = validatorOf(schema);
	const counts = new Map<string, number>();
	const unknown = new Set<string>();
	for (const record of records) {
		collectUnknown(record, schemas[schema], '', unknown);
		if (validate(record)) continue;
		const sentences = new Set((validate.errors ?? []).map(sentence));
		for (const each of sentences) {
			if (each !== undefined) counts.set(each, (counts.get(each) ?? 0) + 1);
		}
	}
	return {
		wrong: [...counts].map(([each, count]) => `${each} (${count} of ${records.length})`),
		unknown: [...unknown].sort(),
	};
}

/**
 * @returns fields that the contract does not know
 * @throws Mismatch when a record lacks something of the contract, or has it otherwise
 */
export function expectContract(schema: string, records: unknown[]): string[] {
	const { wrong, unknown } = compareWithContract(schema, records);
	if (wrong.length > 0) {
		throw new Mismatch(`The answer is not what the contract says: ${wrong.join('; ')}`);
	}
	return unknown;
}
