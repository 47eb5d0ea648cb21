/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the built package's files in Node, never inside n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import type { ServiceData } from '../service';
import { packageRoot } from './harness/environment';
import { ALL_FLOWS, CONNECTIONS, METRICS, TEMPLATES } from './harness/parameters';
import { byId, RELEASES, useService } from './harness/service';

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** Where n8n looks for them: beside the node, in the folder of the node's version. */
const FOLDER = join(packageRoot, 'dist/nodes/Activepieces/__schema__/v1.0.0');

const schemaOf = (pair: string) =>
	JSON.parse(readFileSync(join(FOLDER, `${pair}.json`), 'utf8')) as Schema & { version: number };

/** The same schema, but without room for fields that it does not name. */
function strict({ type, properties, items }: Schema): object {
	if (items !== undefined) return { type, items: strict(items) };
	if (properties === undefined) return { type };
	const fields = Object.entries(properties).map(([name, schema]) => [name, strict(schema)]);
	return { type, properties: Object.fromEntries(fields) as object, additionalProperties: false };
}

/** Every field that a schema names, as `stats.waiting` and `queues[].name`. */
function fieldsOf({ properties = {}, items }: Schema, where = ''): string[] {
	if (items !== undefined) return fieldsOf(items, `${where}[]`);
	return Object.entries(properties).flatMap(([name, schema]) => {
		const field = where === '' ? name : `${where}.${name}`;
		return [field, ...fieldsOf(schema, field)];
	});
}

/** Every field that a value has and that is not null, named in the same way. */
function fieldsIn(value: unknown, where = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((each) => fieldsIn(each, `${where}[]`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		if (inner === null) return [];
		const field = where === '' ? name : `${where}.${name}`;
		return [field, ...fieldsIn(inner, field)];
	});
}

/** Parameters for each pair, with what they need from the service. */
const pairs: Record<string, (data: ServiceData) => INodeParameters> = {
	'flow/getAll': () => ALL_FLOWS,
	'flowTemplate/delete': ({ templates }) => ({
		resource: 'flowTemplate',
		operation: 'delete',
		templateId: byId(templates.at(-1)?.id),
	}),
	'flowTemplate/getAll': () => TEMPLATES,
	'folder/get': ({ folders }) => ({
		resource: 'folder',
		operation: 'get',
		folderId: byId(folders[0].id),
	}),
	'folder/update': ({ folders }) => ({
		resource: 'folder',
		operation: 'update',
		folderId: byId(folders[0].id),
		displayName: 'Renamed',
	}),
	'globalConnection/getAll': () => ({ ...CONNECTIONS, returnAll: true }),
	'queue/getMetrics': () => METRICS,
	'userInvitation/delete': ({ invitations }) => ({
		resource: 'userInvitation',
		operation: 'delete',
		invitationId: byId(invitations.find(({ type }) => type === 'PLATFORM')?.id),
	}),
};

/** What came out of each pair on the releases that were run so far. */
const given = new Map<string, IDataObject[]>(Object.keys(pairs).map((pair) => [pair, []]));

describe.each(RELEASES)('what comes out on release %s is what the editor promised', (release) => {
	const bench = useService({ release, data: { flows: 30 } });

	test.each(Object.entries(pairs))('%s', async (pair, parametersOf) => {
		const { engine, credential, service } = bench;
		const records = await engine.records({ credential, parameters: parametersOf(service.data) });
		expect(records.length).toBeGreaterThan(0);
		const validate = new Ajv().compile(strict(schemaOf(pair)));
		for (const record of records) {
			validate(record);
			expect(validate.errors).toBeNull();
		}
		given.get(pair)?.push(...records);
	});
});

describe.each(Object.keys(pairs))('the schema of %s', (pair) => {
	test('promises no field that no release gives', () => {
		const come = new Set(fieldsIn(given.get(pair)).map((field) => field.replace(/^\[\]\./, '')));
		expect(fieldsOf(schemaOf(pair)).filter((field) => !come.has(field))).toEqual([]);
	});

	test('has what n8n asks of one', () => {
		expect(schemaOf(pair)).toMatchObject({ type: 'object', version: 1 });
	});
});

test('every resource and operation has a schema, and nothing else has one', () => {
	const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.replaceAll('\\', '/').replace('.json', ''));
	const operations = resources.flatMap(({ value, operations: own }) =>
		own.map((operation) => `${value}/${operation.value}`),
	);
	expect(files.sort()).toEqual(operations.sort());
	expect(Object.keys(pairs).sort()).toEqual(operations);
});
