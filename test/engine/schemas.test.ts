/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the built package's files in Node, never inside n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/Activepieces/resources';
import { readSchemas, type Schema } from '../operations/schemas';
import { skipWaits } from './harness/built';
import { createEngine } from './harness/engine';
import { packageRoot } from './harness/environment';

/** Where n8n looks for schemas: beside the node, in the folder of the node's version. */
const FOLDER = join(packageRoot, 'dist/nodes/Activepieces/__schema__/v1.0.0');

let schemas: Record<string, Schema>;
beforeAll(async () => {
	skipWaits();
	schemas = await readSchemas(await createEngine());
});

const pairs = resources.flatMap(({ value, operations }) =>
	operations.map((operation) => `${value}.${operation.value}`),
);

test.each(pairs)('the schema of %s is that of its output on all releases', (pair) => {
	const text = readFileSync(join(FOLDER, `${pair.replace('.', '/')}.json`), 'utf8');
	expect(JSON.parse(text)).toEqual(schemas[pair]);
});

test('every operation has a schema, and nothing else has one', () => {
	const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.replace('.json', '').replace(/[\\/]/, '.'));
	expect(files.sort()).toEqual([...pairs].sort());
	expect(Object.keys(schemas).sort()).toEqual([...pairs].sort());
});
