import type { INodeParameters } from 'n8n-workflow';

import { type Service, startService } from '../service';
import { type Inbox, startInbox } from './examples/inbox';
import { eventually } from './support/eventually';
import { importCredentials, importWorkflows, signInJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import { createActivation, POLL_TIMES, triggerWorkflowId } from './support/triggerEvents';
import { chain, NODE_TYPE, SIGN_IN_TYPE, TRIGGER_TYPE, workflow } from './support/workflow';

const CREDENTIAL = 'community';
const RELEASES = ['0.73', '0.79', '0.85', '0.86'] as const;

/** The Community edition has no API keys, so its users sign in. */
const signedIn = (name: string, type: string, credential: string, parameters: INodeParameters) => ({
	name,
	type,
	typeVersion: 1,
	parameters: { authentication: 'signIn', ...parameters },
	credentials: { [SIGN_IN_TYPE]: { id: credential, name: credential } },
});

/** Posts a message for each flow that a broken connection stops. */
function alert(id: string, credential: string, inbox: Inbox) {
	const steps = [
		signedIn('Connection Breaks', TRIGGER_TYPE, credential, {
			event: 'connectionNeedsAttention',
			pollTimes: POLL_TIMES,
		}),
		{
			name: 'One Item per Flow',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: {
				fieldToSplitOut: 'flowIds',
				include: 'allOtherFields',
				options: { destinationFieldName: 'flowId' },
			},
		},
		signedIn('Get Flow', NODE_TYPE, credential, {
			resource: 'flow',
			operation: 'get',
			flowId: { __rl: true, mode: 'id', value: '={{ $json.flowId }}' },
		}),
		{
			name: 'Post',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				method: 'POST',
				url: `${inbox.url}/${id}`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody:
					"={{ JSON.stringify({ text: $('One Item per Flow').item.json.name + ' stops ' + $json.name }) }}",
				options: {},
			},
		},
	];
	return workflow(triggerWorkflowId(id), steps, chain(...steps));
}

describe.each(N8N_RELEASES)('a broken connection of the Community edition, in n8n %s', (n8n) => {
	const services = new Map<string, Service>();
	let inbox: Inbox;

	const running = useN8n(n8n, async (home) => {
		inbox = await startInbox();
		for (const release of RELEASES) {
			services.set(
				release,
				await startService({ release, edition: 'community', data: { flows: 4 } }),
			);
		}
		const credentialOf = (release: string) => `${CREDENTIAL}-${release}`;
		await importCredentials(
			home,
			[...services].map(([release, service]) => signInJson(credentialOf(release), service)),
		);
		await importWorkflows(
			home,
			RELEASES.map((release) => alert(release, credentialOf(release), inbox)),
		);
	});
	afterAll(async () => {
		await inbox?.close();
		for (const service of services.values()) await service.close();
	});

	test.each(RELEASES)('starts a workflow that names the flows it stops, on %s', async (release) => {
		const { live } = services.get(release) as Service;
		const { id, projectIds } = live.addConnection({ externalId: 'crm', name: 'CRM' });
		for (const name of ['New order', 'New customer']) {
			live.addFlow({ projectId: projectIds[0], connectionIds: ['crm'], name, enabled: true });
		}
		await createActivation(n8n, running.rest).activate(triggerWorkflowId(release));
		live.setConnectionStatus(id, 'ERROR');
		await eventually(async () => {
			const texts = inbox.received
				.filter(({ path }) => path === `/${release}`)
				.map(({ body }) => (body as { text: string }).text);
			expect(texts.sort()).toEqual(['CRM stops New customer', 'CRM stops New order']);
		});
	});
});
