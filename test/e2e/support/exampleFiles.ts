/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { packageRoot } from './folders';
import { CREDENTIAL_TYPE, SIGN_IN_TYPE, type WorkflowJson } from './workflow';

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

export interface ExampleFile {
	/** File name without its ending, for example `flow-inventory` */
	name: string;
	workflow: WorkflowJson;
}

/** Every workflow of `examples/`, with an ID, which files for the editor do not have. */
export function readExamples(): ExampleFile[] {
	const folder = join(packageRoot, 'examples');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => {
			const name = basename(file, '.json');
			const workflow = JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;
			return { name, workflow: { ...workflow, id: `example-${name}`, active: false } };
		});
}

/** A copy of an example in which the package's nodes have another credential: its id and name. */
export function withCredential(
	example: WorkflowJson,
	type: string,
	credential: string,
): WorkflowJson {
	const workflow = structuredClone(example);
	for (const node of workflow.nodes) {
		if (!node.credentials?.[CREDENTIAL_TYPE]) continue;
		node.credentials = { [type]: { id: credential, name: credential } };
		if (type === SIGN_IN_TYPE) node.parameters.authentication = 'signIn';
	}
	return workflow;
}
