/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the package's files in Node, never inside n8n */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { cases } from '../operations';
import { readSchemas, type Schema } from '../operations/schemas';
import { documents, pathOf, SCHEMAS, toJson } from '../tools/docs/generate';
import { skipWaits } from './harness/built';
import { createEngine } from './harness/engine';
import { packageRoot, read } from './harness/environment';

let schemas: Record<string, Schema>;
beforeAll(async () => {
	skipWaits();
	schemas = await readSchemas(await createEngine());
});

// If these fail: npm run docs.
test.each(cases)('the schema of $pair is that of its output on all releases', ({ pair }) => {
	expect(read(pathOf(pair))).toBe(toJson(schemas[pair]));
	// Where n8n looks for it.
	expect(read(`dist/${pathOf(pair)}`)).toBe(toJson(schemas[pair]));
});

test('nothing else has a schema', () => {
	const files = readdirSync(join(packageRoot, SCHEMAS), { recursive: true, encoding: 'utf8' })
		.map((file) => join(SCHEMAS, file))
		.filter((file) => file.endsWith('.json'));
	expect(files.sort()).toEqual(cases.map(({ pair }) => join(pathOf(pair))).sort());
});

test('the tables in the documents say what the facts of the operations say', () => {
	for (const [path, content] of Object.entries(documents(schemas, read))) {
		expect(read(path)).toBe(content);
	}
});
