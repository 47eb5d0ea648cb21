/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { startService, type Edition } from '../service';
import { examples, prepared, type ExampleContext, type WorkflowJson } from './examples';
import { startInbox } from './examples/inbox';
import { modelCredential, startModel } from './examples/model';
import { credentialJson, signInJson } from './support/headless';
import { N8N_RELEASES, type N8nRelease } from './support/install';
import { useN8n } from './support/running';

const DATA = { projects: 3, flows: 120, connections: 30, templates: 12, invitations: 12 };

/** Community has no API keys, so its users sign in. */
const EDITIONS: Array<[N8nRelease, Edition]> = [
	...N8N_RELEASES.map((n8n): [N8nRelease, Edition] => [n8n, 'enterprise']),
	[N8N_RELEASES[0], 'community'],
];

describe.each(EDITIONS)('examples in n8n %s on Activepieces %s', (n8n, edition) => {
	const isEnterprise = edition === 'enterprise';
	const names = Object.keys(examples).filter(
		(name) => isEnterprise || !examples[name].isForEnterprise,
	);
	const contexts: Record<string, ExampleContext> = {};

	const running = useN8n(n8n, async (ends, { folder: home }) => {
		const credentials = [modelCredential(await ends(startModel()))];
		const workflows: WorkflowJson[] = [];
		for (const name of names) {
			const service = await ends(startService({ edition, data: DATA }));
			const folder = join(home, edition, name);
			mkdirSync(folder, { recursive: true });
			contexts[name] = { service, inbox: await ends(startInbox()), folder };
			const credential = (isEnterprise ? credentialJson : signInJson)(name, service);
			credentials.push(credential);
			workflows.push(prepared(name, credential, contexts[name]));
		}
		return [credentials, workflows];
	});

	test.each(names)('%s', async (name) => {
		const { service } = contexts[name];
		const { stopsWith, verify, verifyAgain } = examples[name];
		const execute = async () => {
			const outcome = await running.execute(name, stopsWith?.(contexts[name]));
			for (const secret of [service.apiKey, service.accounts[0].password]) {
				expect(outcome.printed).not.toContain(secret);
			}
			return outcome;
		};
		verify(await execute(), contexts[name]);
		if (verifyAgain === undefined) return;
		const before = structuredClone(service.data);
		service.clearRequests();
		verifyAgain(await execute(), contexts[name], before);
	});
});
