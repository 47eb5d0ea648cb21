/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Service, startService } from '../service';
import { type Example, examples, type Stage } from './examples';
import { type Inbox, startInbox } from './examples/inbox';
import { type Model, startModel } from './examples/model';
import { readExamples } from './stage/exampleFiles';
import { credentialJson, execute, importCredentials, importWorkflows } from './stage/headless';
import type { Home } from './stage/home';
import { freshHome } from './stage/homes';
import { N8N_RELEASES } from './stage/install';
import { CREDENTIAL_TYPE, type WorkflowJson } from './stage/workflow';

const DATA = { projects: 3, flows: 120, connections: 30, templates: 12, invitations: 12 };

const files = new Map(readExamples().map(({ name, workflow }) => [`${name}.json`, workflow]));

test('every workflow of examples/ is run', () => {
	const run = Object.values(examples).map(({ file }) => file);
	expect([...new Set(run)].sort()).toEqual([...files.keys()].sort());
});

/** The workflow of an example as a person has it after choosing the credential and setting what is to be set. */
function prepared(name: string, { file, prepare }: Example, stage: Stage): WorkflowJson {
	const workflow = structuredClone(files.get(file)) as WorkflowJson;
	for (const { credentials } of workflow.nodes) {
		if (credentials?.[CREDENTIAL_TYPE]) credentials[CREDENTIAL_TYPE] = { id: name, name };
	}
	prepare?.(workflow, stage);
	return { ...workflow, id: name };
}

describe.each(N8N_RELEASES)('examples in n8n %s', (n8n) => {
	const names = Object.keys(examples);
	const stages: Record<string, { stage: Stage; service: Service; inbox: Inbox }> = {};
	let model: Model;
	let home: Home;

	beforeAll(async () => {
		model = await startModel();
		home = await freshHome(n8n);
		const workflows: WorkflowJson[] = [];
		for (const name of names) {
			const [service, inbox] = [await startService({ data: DATA }), await startInbox()];
			const folder = join(home.folder, 'files', name);
			mkdirSync(folder, { recursive: true });
			const stage: Stage = { service, inbox, model, folder };
			stages[name] = { stage, service, inbox };
			workflows.push(prepared(name, examples[name], stage));
		}
		await importCredentials(home, [
			...names.map((name) => credentialJson(name, stages[name].service)),
			...names.flatMap((name) => examples[name].credentials?.(stages[name].stage) ?? []),
		]);
		await importWorkflows(home, workflows);
	});

	afterAll(async () => {
		await model?.close();
		for (const { service, inbox } of Object.values(stages)) {
			await service.close();
			await inbox.close();
		}
	});

	test.each(names)('%s', async (name) => {
		const { stage, service } = stages[name];
		const outcome = await execute(home, name);
		await examples[name].verify(outcome, stage);
		expect(outcome.printed).not.toContain(service.apiKey);
	});
});
