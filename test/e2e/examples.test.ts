/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Edition, type Service, startService } from '../service';
import { type Example, type ExampleContext, examples } from './examples';
import { type Inbox, startInbox } from './examples/inbox';
import { type Model, startModel } from './examples/model';
import { readExamples, withCredential } from './support/exampleFiles';
import {
	credentialJson,
	execute,
	importCredentials,
	importWorkflows,
	signInJson,
} from './support/headless';
import { freshHome, type Home } from './support/homes';
import { N8N_RELEASES, type N8nRelease } from './support/install';
import { CREDENTIAL_TYPE, SIGN_IN_TYPE, type WorkflowJson } from './support/workflow';

const DATA = { projects: 3, flows: 120, connections: 30, templates: 12, invitations: 12 };

const files = new Map(readExamples().map(({ name, workflow }) => [`${name}.json`, workflow]));

/** The workflow of an example after a person has selected the credential and set the values. */
function prepared(
	name: string,
	{ file, prepare }: Example,
	context: ExampleContext,
	edition: Edition,
): WorkflowJson {
	const type = edition === 'enterprise' ? CREDENTIAL_TYPE : SIGN_IN_TYPE;
	const workflow = withCredential(files.get(file) as WorkflowJson, type, name);
	prepare?.(workflow, context);
	return { ...workflow, id: name };
}

/** Community has no API keys, so its users sign in. */
const EDITIONS: Array<[N8nRelease, Edition]> = [
	...N8N_RELEASES.map((n8n): [N8nRelease, Edition] => [n8n, 'enterprise']),
	[N8N_RELEASES[0], 'community'],
];

describe.each(EDITIONS)('examples in n8n %s on Activepieces %s', (n8n, edition) => {
	const names = Object.keys(examples).filter(
		(name) => edition === 'enterprise' || !examples[name].isForEnterprise,
	);
	const contexts: Record<string, { context: ExampleContext; service: Service; inbox: Inbox }> = {};
	let model: Model;
	let home: Home;

	beforeAll(async () => {
		model = await startModel();
		home = await freshHome(n8n);
		const workflows: WorkflowJson[] = [];
		for (const name of names) {
			const [service, inbox] = [await startService({ edition, data: DATA }), await startInbox()];
			const folder = join(home.folder, 'files', name);
			mkdirSync(folder, { recursive: true });
			const context: ExampleContext = { service, inbox, model, folder };
			contexts[name] = { context, service, inbox };
			workflows.push(prepared(name, examples[name], context, edition));
		}
		await importCredentials(home, [
			...names.map((name) =>
				(edition === 'enterprise' ? credentialJson : signInJson)(name, contexts[name].service),
			),
			...names.flatMap((name) => examples[name].credentials?.(contexts[name].context) ?? []),
		]);
		await importWorkflows(home, workflows);
	});

	afterAll(async () => {
		await model?.close();
		for (const { service, inbox } of Object.values(contexts)) {
			await service.close();
			await inbox.close();
		}
	});

	test.each(names)('%s', async (name) => {
		const { context, service } = contexts[name];
		const outcome = await execute(home, name);
		await examples[name].verify(outcome, context);
		const [{ password }] = service.accounts;
		for (const secret of [service.apiKey, password]) {
			expect(outcome.printed).not.toContain(secret);
		}
	});
});
