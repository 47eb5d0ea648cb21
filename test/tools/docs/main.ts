/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a command for people, run with tsx; never inside n8n */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { createEngine } from '../../engine/harness/engine';
import { packageRoot, read } from '../../engine/harness/environment';
import { readSchemas } from '../../operations/schemas';
import { documents, pathOf, SCHEMAS, toJson } from './generate';
import { refuseChanges, SAVED, savedOf, type Saved } from './saved';

/**
 * Writes what follows from the operations and their facts: tables in the documents, the schemas, and
 * what workflows save.
 */
async function main() {
	const engine = await createEngine();
	const schemas = await readSchemas(engine);
	const files = documents(schemas, read);
	for (const [pair, schema] of Object.entries(schemas)) files[pathOf(pair)] = toJson(schema);
	const saved = savedOf(engine.loader.types.nodes);
	refuseChanges(JSON.parse(read(SAVED)) as Saved, saved);
	files[SAVED] = toJson(saved);
	rmSync(join(packageRoot, SCHEMAS), { recursive: true, force: true });
	for (const [path, content] of Object.entries(files)) {
		const file = join(packageRoot, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, content);
	}
}

void main();
