import type { INodeParameters } from 'n8n-workflow';

import { type Service, startService } from '../service';
import { type Inbox, startInbox } from './examples/inbox';
import { eventually } from './support/eventually';
import { credentialJson, importCredentials, importWorkflows } from './support/headless';
import type { Home } from './support/home';
import { freshHome } from './support/homes';
import { N8N_RELEASES } from './support/install';
import { pause } from './support/longRunning';
import { type Rest, signIn } from './support/rest';
import { type Server, startServer } from './support/server';
import { chain, CREDENTIAL_TYPE, workflow, type WorkflowJson } from './support/workflow';

/** n8n refuses an interval below a minute, but takes several times in a minute. */
const POLL_MS = 5000;
const POLL_TIMES = {
	item: Array.from({ length: 60_000 / POLL_MS }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${(index * POLL_MS) / 1000} * * * * *`,
	})),
};

/** What n8n 2 tells of a workflow that it activates. */
interface Publication {
	status: string;
	triggers: Array<{ errorMessage: string }>;
}

/** n8n 1 keeps the state only of workflows with ids of up to 16 characters, as its own are. */
const idOf = (name: string) => `ap-${name}`.slice(0, 16);

/** Posts whatever the trigger gives to the inbox, under its event. */
function watching(
	name: string,
	inbox: Inbox,
	parameters: INodeParameters,
	credential = 'good',
): WorkflowJson {
	const steps = [
		{
			name: 'Activepieces Trigger',
			type: 'n8n-nodes-activepieces.activepiecesTrigger',
			typeVersion: 1,
			parameters: { pollTimes: POLL_TIMES, ...parameters },
			credentials: { [CREDENTIAL_TYPE]: { id: credential, name: credential } },
		},
		{
			name: 'Post',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				method: 'POST',
				url: `${inbox.url}/${name}`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ JSON.stringify($json) }}',
				options: {},
			},
		},
	];
	return workflow(idOf(name), steps, chain(...steps));
}

const EVENTS: Array<{
	event: string;
	more?: INodeParameters;
	/** Lets it happen and gives what is to come out, by id or by the number of jobs */
	happen: (service: Service) => unknown;
}> = [
	{ event: 'flowRunFailed', happen: ({ live }) => live.addFlowRun({ status: 'FAILED' }).id },
	{ event: 'flowCreated', happen: ({ live }) => live.addFlow().id },
	{ event: 'flowPublished', happen: ({ live }) => live.publishFlow(live.addFlow().id).id },
	{
		event: 'flowStatusChanged',
		happen: ({ live, data }) =>
			live.setFlowStatus(data.flows.filter(({ status }) => status === 'ENABLED')[0].id, 'DISABLED')
				.id,
	},
	{ event: 'userInvitationCreated', happen: ({ live }) => live.addInvitation().id },
	{ event: 'userJoined', happen: ({ live }) => live.addUser().id },
	{
		event: 'connectionNeedsAttention',
		happen: ({ live, data }) =>
			live.setConnectionStatus(
				data.connections.filter(({ status }) => status === 'ACTIVE')[0].id,
				'ERROR',
			).id,
	},
];

describe.each(N8N_RELEASES)('the trigger in n8n %s', (n8n) => {
	let service: Service;
	let inbox: Inbox;
	let home: Home;
	let server: Server;
	let rest: Rest;

	async function startN8n() {
		server = await startServer(home);
		rest = await signIn(server.url);
	}

	beforeAll(async () => {
		service = await startService({ data: { flows: 40, connections: 12, flowRuns: 20 } });
		inbox = await startInbox();
		home = await freshHome(n8n);
		await importCredentials(home, [
			credentialJson('good', service),
			credentialJson('wrong', { ...service, apiKey: service.tokens.wrongKey }),
			credentialJson('down', { ...service, baseUrl: 'http://127.0.0.1:9/api' }),
		]);
		await importWorkflows(home, [
			...EVENTS.map(({ event, more }) => watching(event, inbox, { event, ...more })),
			watching('queueBacklog', inbox, { event: 'queueBacklog', threshold: 1000 }),
			watching('inactive', inbox, { event: 'userJoined' }),
			watching('wrong', inbox, { event: 'userJoined' }, 'wrong'),
			watching('down', inbox, { event: 'userJoined' }, 'down'),
		]);
		await startN8n();
	});
	afterAll(async () => {
		await server?.stop();
		await inbox?.close();
		await service?.close();
	});

	/** n8n 2 answers before it has polled, and tells afterwards what became of it. */
	async function published(name: string, ...statuses: string[]): Promise<Publication> {
		return await eventually(async () => {
			const path = `/rest/workflows/${idOf(name)}/publication-status`;
			const publication = await rest.get<Publication>(path);
			expect(statuses).toContain(publication.status);
			return publication;
		});
	}

	async function activate(name: string): Promise<void> {
		const path = `/rest/workflows/${idOf(name)}`;
		const { versionId } = await rest.get<{ versionId: string }>(path);
		await rest.post(`${path}/activate`, { versionId });
		if (!n8n.startsWith('2.')) return;
		const { status, triggers } = await published(name, 'published', 'failed');
		if (status === 'failed') throw new Error(triggers[0].errorMessage);
	}

	async function deactivate(name: string): Promise<void> {
		await rest.post(`/rest/workflows/${idOf(name)}/deactivate`, {});
		if (n8n.startsWith('2.')) await published(name, 'not_published');
	}

	const received = (name: string, field = 'id') =>
		inbox.received
			.filter(({ path }) => path === `/${name}`)
			.map(({ body }) => (body as Record<string, unknown>)[field]);

	/** Two polls at least have been since. */
	const twoPolls = async () => await pause(2.5 * POLL_MS);

	test('a wrong key refuses the activation in the words of the node', async () => {
		await expect(activate('wrong')).rejects.toThrow(/does not accept the API key/);
	});

	test('a server that is down does not refuse the activation', async () => {
		await activate('down');
		await deactivate('down');
		expect(server.log()).toMatch(/Nothing answers at 127\.0\.0\.1:9.*The next poll looks again/);
	});

	test('every event is given once, and neither lost nor repeated by two restarts of n8n', async () => {
		for (const { event } of EVENTS) await activate(event);
		const expected = new Map<string, unknown[]>(EVENTS.map(({ event }) => [event, []]));
		const happenAll = () => {
			for (const { event, happen } of EVENTS) {
				const made = happen(service);
				// What one case makes is an event of another, too.
				if (event === 'flowPublished') {
					expected.get('flowCreated')?.push(made);
					expected.get('flowStatusChanged')?.push(made);
				}
				expected.get(event)?.push(made);
			}
		};
		const allReceived = async () =>
			await eventually(async () => {
				for (const [event, ids] of expected)
					expect(received(event).sort()).toEqual([...ids].sort());
			});

		await twoPolls();
		expect(inbox.received).toEqual([]);
		happenAll();
		await allReceived();

		await twoPolls();
		await server.stop();
		happenAll();
		await startN8n();
		await allReceived();

		await twoPolls();
		await server.stop('SIGKILL');
		happenAll();
		await startN8n();
		happenAll();
		await allReceived();
		await twoPolls();
		await allReceived();
	});

	test('what happens while the workflow is inactive stays out', async () => {
		await activate('inactive');
		const first = service.live.addUser().id;
		await eventually(async () => expect(received('inactive')).toEqual([first]));
		await deactivate('inactive');
		// n8n 1 starts the workflow even after that, when a poll is under way.
		await pause(POLL_MS);
		service.live.addUser();
		await activate('inactive');
		await twoPolls();
		const second = service.live.addUser().id;
		await eventually(async () => expect(received('inactive')).toEqual([first, second]));
		await deactivate('inactive');
	});

	test('a backlog is told once, and again after it was gone', async () => {
		await activate('queueBacklog');
		service.live.setQueue({ waiting: 2000, prioritized: 0 });
		await eventually(async () => expect(received('queueBacklog', 'count')).toEqual([2000]));
		await twoPolls();
		service.live.setQueue({ waiting: 3 });
		await twoPolls();
		service.live.setQueue({ waiting: 3000 });
		await eventually(async () => expect(received('queueBacklog', 'count')).toEqual([2000, 3000]));
	});

	test('an outage is an error only from the third poll in a row', async () => {
		await deactivate('queueBacklog');
		for (const { event } of EVENTS) {
			if (event !== 'userJoined') await deactivate(event);
		}
		const failures = async () => {
			const filter = encodeURIComponent(
				JSON.stringify({ workflowId: idOf('userJoined'), status: ['error'] }),
			);
			const { results } = await rest.get<{ results: unknown[] }>(
				`/rest/executions?filter=${filter}`,
			);
			return results.length;
		};
		const before = received('userJoined');
		service.fault({ path: '/v1/users', kind: { status: 429, headers: { 'retry-after': '60' } } });
		await eventually(async () => expect(await failures()).toBeGreaterThan(0));
		expect(server.log().match(/too many requests.*The next poll looks again/g)).toHaveLength(2);
		const { id } = service.live.addUser();
		service.clearFaults();
		await eventually(async () => expect(received('userJoined')).toEqual([...before, id]));
		expect(server.log()).not.toContain(service.apiKey);
	});
});
