import { type Service, startService } from '../service';
import { type Inbox, startInbox } from './examples/inbox';
import { credentialJson, importCredentials, importWorkflows } from './support/headless';
import { freshHome, type Home } from './support/homes';
import { N8N_RELEASES } from './support/install';
import { eventually, pause } from './support/longRunning';
import { countExecutions, type Rest, signIn } from './support/rest';
import { type Server, startServer } from './support/server';
import {
	alsoOccurs,
	createActivation,
	POLL_MS,
	receivedBy,
	RECORD_EVENTS,
	triggerWorkflow,
	triggerWorkflowId,
} from './support/triggerEvents';

const EVENTS = Object.keys(RECORD_EVENTS);

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
			...EVENTS.map((event) => triggerWorkflow(event, inbox, { event })),
			triggerWorkflow('queueBacklog', inbox, { event: 'queueBacklog', threshold: 1000 }),
			triggerWorkflow('inactive', inbox, { event: 'userJoined' }),
			triggerWorkflow('wrong', inbox, { event: 'userJoined' }, 'wrong'),
			triggerWorkflow('down', inbox, { event: 'userJoined' }, 'down'),
		]);
		await startN8n();
	});
	afterAll(async () => {
		await server?.stop();
		await inbox?.close();
		await service?.close();
	});

	const activate = async (name: string) =>
		await createActivation(n8n, rest).activate(triggerWorkflowId(name));
	const deactivate = async (name: string) =>
		await createActivation(n8n, rest).deactivate(triggerWorkflowId(name));
	const received = (name: string, field?: string) => receivedBy(inbox, name, field);

	/** At least two polls take place in this time. */
	const twoPolls = async () => await pause(2.5 * POLL_MS);

	test('a wrong key prevents the activation, with the node’s message', async () => {
		await expect(activate('wrong')).rejects.toThrow(/did not accept the API key/);
	});

	test('a server that is down does not prevent the activation', async () => {
		await activate('down');
		await deactivate('down');
		expect(server.log()).toMatch(/No server responds at 127\.0\.0\.1:9.*The next poll tries again/);
	});

	test('every event is returned once, and two restarts of n8n neither lose nor repeat any', async () => {
		for (const event of EVENTS) await activate(event);
		const expected = new Map<string, string[]>(EVENTS.map((event) => [event, []]));
		const happenAll = () => {
			for (const event of EVENTS) {
				const id = RECORD_EVENTS[event](service);
				for (const each of [event, ...alsoOccurs(event)]) expected.get(each)?.push(id);
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

	test('changes while the workflow is inactive are not returned', async () => {
		await activate('inactive');
		const first = service.live.addUser().id;
		await eventually(async () => expect(received('inactive')).toEqual([first]));
		await deactivate('inactive');
		// n8n 1 starts the workflow even after that if a poll is in progress.
		await pause(POLL_MS);
		service.live.addUser();
		await activate('inactive');
		await twoPolls();
		const second = service.live.addUser().id;
		await eventually(async () => expect(received('inactive')).toEqual([first, second]));
		await deactivate('inactive');
	});

	test('a backlog is reported once, and again after it had ended', async () => {
		await activate('queueBacklog');
		service.live.setQueue({ waiting: 2000, prioritized: 0 });
		await eventually(async () => expect(received('queueBacklog', 'count')).toEqual([2000]));
		await twoPolls();
		service.live.setQueue({ waiting: 3 });
		await twoPolls();
		service.live.setQueue({ waiting: 3000 });
		await eventually(async () => expect(received('queueBacklog', 'count')).toEqual([2000, 3000]));
	});

	test('an outage is an error only from the third consecutive poll on', async () => {
		await deactivate('queueBacklog');
		for (const event of EVENTS) {
			if (event !== 'userJoined') await deactivate(event);
		}
		const failures = async () =>
			await countExecutions(rest, {
				workflowId: triggerWorkflowId('userJoined'),
				status: ['error'],
			});
		const before = received('userJoined');
		service.fault({ path: '/v1/users', kind: { status: 429, headers: { 'retry-after': '60' } } });
		await eventually(async () => expect(await failures()).toBeGreaterThan(0));
		expect(server.log().match(/too many requests.*The next poll tries again/g)).toHaveLength(2);
		const { id } = service.live.addUser();
		service.clearFaults();
		await eventually(async () => expect(received('userJoined')).toEqual([...before, id]));
		expect(server.log()).not.toContain(service.apiKey);
	});

	test('a key that is refused while n8n starts does not leave the workflow without its trigger', async () => {
		await activate('inactive');
		const before = received('inactive');
		await server.stop();
		service.fault({ path: '/v1/users', kind: { status: 401, shape: 'application' } });
		await startN8n();
		await eventually(async () =>
			expect(server.log()).toMatch(/did not accept the API key.*The next poll tries again/),
		);
		// n8n 2 would try the activation five times in 15 seconds, and never again.
		await pause(20_000);
		service.clearFaults();
		const { id } = service.live.addUser();
		await eventually(async () => expect(received('inactive')).toEqual([...before, id]));
		await deactivate('inactive');
	});
});
