/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { packageRoot } from './folders';
import type { WorkflowJson } from './workflow';

export const EXAMPLE_CREDENTIAL = { id: 'activepieces-example', name: 'Activepieces account' };

/** The records of the stand-in where people see them: in `npm start`, and in its pictures. */
export const SHOWN_DATA = {
	projects: 5,
	flows: 400,
	flowRuns: 300,
	connections: 60,
	templates: 12,
	invitations: 24,
};

/** Every workflow of `examples/` by its name, with an ID, which files for the editor do not have. */
export function readExamples(): Record<string, WorkflowJson> {
	const folder = join(packageRoot, 'examples');
	const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
	return Object.fromEntries(
		files.sort().map((file) => {
			const name = basename(file, '.json');
			const workflow = JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;
			return [name, { ...workflow, id: `example-${name}`, active: false }];
		}),
	);
}
