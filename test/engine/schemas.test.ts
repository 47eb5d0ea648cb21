/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the built package's files in Node, never inside n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv, { type ValidateFunction } from 'ajv';
import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import { skipWaits } from './harness/built';
import { packageRoot } from './harness/environment';
import { OPERATIONS, operationsFor } from './harness/operations';
import { RELEASES, useService } from './harness/service';

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** Where n8n looks for schemas: beside the node, in the folder of the node's version. */
const FOLDER = join(packageRoot, 'dist/nodes/Activepieces/__schema__/v1.0.0');

const schemaOf = (pair: string) =>
	JSON.parse(readFileSync(join(FOLDER, `${pair.replace('.', '/')}.json`), 'utf8')) as Schema & {
		version: number;
	};

/** The same schema, without additional fields. */
function strict({ type, properties, items }: Schema): object {
	if (items !== undefined) return { type, items: strict(items) };
	if (properties === undefined) return { type };
	const fields = Object.entries(properties).map(([name, schema]) => [name, strict(schema)]);
	return { type, properties: Object.fromEntries(fields) as object, additionalProperties: false };
}

/** Every field of a schema, as `stats.waiting` and `queues[].name`. */
function fieldsOf({ properties = {}, items }: Schema, where = ''): string[] {
	if (items !== undefined) return fieldsOf(items, `${where}[]`);
	return Object.entries(properties).flatMap(([name, schema]) => {
		const field = where === '' ? name : `${where}.${name}`;
		return [field, ...fieldsOf(schema, field)];
	});
}

/** Every field of a value that is not null, named in the same way. */
function fieldsIn(value: unknown, where = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((each) => fieldsIn(each, `${where}[]`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		if (inner === null) return [];
		const field = where === '' ? name : `${where}.${name}`;
		return [field, ...fieldsIn(inner, field)];
	});
}

const contexts = RELEASES.map((release) => ({
	release,
	context: useService({ release, data: { flows: 20, flowRuns: 30 } }),
}));
const ajv = new Ajv();

/** The output of each pair, by release. */
const given: Record<string, Record<string, IDataObject[]>> = {};
beforeAll(async () => {
	skipWaits();
	for (const { release, context } of contexts) {
		given[release] = {};
		for (const [pair, parametersOf] of operationsFor(release)) {
			given[release][pair] = await context.records(parametersOf(context.data));
		}
	}
});

describe.each(Object.keys(OPERATIONS))('the schema of %s', (pair) => {
	let validate: ValidateFunction;
	beforeAll(() => {
		validate = ajv.compile(strict(schemaOf(pair)));
	});

	const releases = RELEASES.filter((each) => operationsFor(each).some(([name]) => name === pair));
	test.each(releases)('matches the output on release %s', (release) => {
		const records = given[release][pair];
		expect(records.length).toBeGreaterThan(0);
		for (const record of records) {
			validate(record);
			expect(validate.errors).toBeNull();
		}
	});

	test('contains no field that no release returns', () => {
		const all = RELEASES.flatMap((release) => given[release][pair] ?? []);
		const come = new Set(fieldsIn(all).map((field) => field.replace(/^\[\]\./, '')));
		expect(fieldsOf(schemaOf(pair)).filter((field) => !come.has(field))).toEqual([]);
	});

	test('has what n8n requires of a schema', () => {
		expect(schemaOf(pair)).toMatchObject({ type: 'object', version: 1 });
	});
});

test('every resource and operation has a schema, and nothing else has one', () => {
	const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.replace('.json', '').replace(/[\\/]/, '.'));
	const operations = resources.flatMap(({ value, operations: own }) =>
		own.map((operation) => `${value}.${operation.value}`),
	);
	expect(files.sort()).toEqual(operations.sort());
	expect(Object.keys(OPERATIONS).sort()).toEqual(operations);
});
