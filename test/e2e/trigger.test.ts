import type { INodeParameters } from 'n8n-workflow';

import { startService, type Service } from '../service';
import { HAPPENINGS } from '../service/happenings';
import { prepared } from './examples';
import { startInbox, type Inbox } from './examples/inbox';
import { credentialJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { eventually, pause } from './support/longRunning';
import { useOwnN8n } from './support/running';
import {
	createActivation,
	POLL_MS,
	POLL_TIMES,
	receivedBy,
	triggerWorkflow,
	triggerWorkflowId,
} from './support/triggerEvents';
import { TRIGGER_TYPE } from './support/workflow';

const EVENTS = Object.keys(HAPPENINGS);

describe.each(N8N_RELEASES)('the trigger in n8n %s', (n8n) => {
	let service: Service;
	let inbox: Inbox;

	/** The example, polling as often as the other workflows. */
	function queueBacklog() {
		const context = { service, inbox, folder: '' };
		const workflow = prepared('queue-backlog', credentialJson('good', service), context);
		for (const { type, parameters } of workflow.nodes) {
			if (type === TRIGGER_TYPE) parameters.pollTimes = POLL_TIMES;
		}
		return { ...workflow, id: triggerWorkflowId('queue-backlog') };
	}

	const running = useOwnN8n(n8n, async (ends) => {
		service = await ends(startService({ data: { flows: 40, connections: 12, flowRuns: 20 } }));
		inbox = await ends(startInbox());
		const joined = { event: 'userJoined' };
		return [
			[
				credentialJson('good', service),
				credentialJson('wrong', { ...service, apiKey: service.tokens.wrongKey }),
				credentialJson('down', { ...service, baseUrl: 'http://127.0.0.1:9/api' }),
			],
			[
				...EVENTS.map((event) => {
					const parameters = HAPPENINGS[event].parameters?.(service);
					return triggerWorkflow(event, inbox, { event, ...parameters } as INodeParameters);
				}),
				triggerWorkflow('inactive', inbox, joined),
				triggerWorkflow('wrong', inbox, joined, 'wrong'),
				triggerWorkflow('down', inbox, joined, 'down'),
				queueBacklog(),
			],
		];
	});

	const activation = createActivation(running);
	const activate = async (name: string) =>
		await activation.activate(running.workflows[triggerWorkflowId(name)]);
	const deactivate = async (name: string) =>
		await activation.deactivate(running.workflows[triggerWorkflowId(name)]);
	const log = () => running.server.log();
	const received = (name: string) => receivedBy(inbox, name);
	const receives = async (name: string, ids: unknown[]) =>
		await eventually(() => expect(received(name).sort()).toEqual([...ids].sort()));

	/** At least two polls take place in this time. */
	const twoPolls = async () => await pause(2.5 * POLL_MS);

	test('a wrong key prevents the activation, with the node’s message', async () => {
		await expect(activate('wrong')).rejects.toThrow(/did not accept the API key/);
	});

	test('a server that is down does not prevent the activation', async () => {
		await activate('down');
		await deactivate('down');
		expect(log()).toMatch(/No server responds at 127\.0\.0\.1:9.*The next poll tries again/);
	});

	test('every event is returned once, and two restarts of n8n neither lose nor repeat any', async () => {
		for (const event of EVENTS) await activate(event);
		const expected = new Map<string, string[]>(EVENTS.map((event) => [event, []]));
		const happenAll = () => {
			for (const event of EVENTS) {
				const { happen, also = [] } = HAPPENINGS[event];
				const id = happen(service);
				for (const each of [event, ...also]) expected.get(each)?.push(id);
			}
		};
		const allReceived = async () => {
			for (const [event, ids] of expected) await receives(event, ids);
		};

		await twoPolls();
		expect(inbox.received()).toEqual([]);
		happenAll();
		await allReceived();

		await twoPolls();
		await running.server.stop();
		happenAll();
		await running.start();
		await allReceived();

		await twoPolls();
		await running.server.stop('SIGKILL');
		happenAll();
		await running.start();
		happenAll();
		await allReceived();
		await twoPolls();
		await allReceived();
		expect(log()).not.toContain(service.apiKey);
	});

	test('changes while the workflow is inactive are not returned', async () => {
		await activate('inactive');
		const first = service.live.addUser().id;
		await receives('inactive', [first]);
		await deactivate('inactive');
		// n8n 1 starts the workflow even after that if a poll is in progress.
		await pause(POLL_MS);
		service.live.addUser();
		await activate('inactive');
		await twoPolls();
		const second = service.live.addUser().id;
		await receives('inactive', [first, second]);
		await deactivate('inactive');
	});

	test('a key that is refused while n8n starts does not leave the workflow without its trigger', async () => {
		await activate('inactive');
		const before = received('inactive');
		await running.server.stop();
		service.fault({ path: '/v1/users', kind: { status: 401, shape: 'application' } });
		await running.start();
		await eventually(() =>
			expect(log()).toMatch(/did not accept the API key.*The next poll tries again/),
		);
		// n8n 2 would try the activation five times in 15 seconds, and never again.
		if (n8n.startsWith('2.')) await pause(20_000);
		service.clearFaults();
		const { id } = service.live.addUser();
		await receives('inactive', [...before, id]);
		await deactivate('inactive');
	});

	test('the example queue-backlog posts a backlog once, its end, and the next one', async () => {
		service.live.setQueue({ waiting: 0, prioritized: 0 });
		await activate('queue-backlog');
		const posts = async (...texts: unknown[]) =>
			await eventually(() => expect(inbox.texts('queue')).toEqual(texts));
		const alert = (jobs: number): unknown =>
			expect.stringContaining(`has a backlog: ${jobs} jobs are waiting`);
		const gone = 'The Activepieces backlog is gone: 3 jobs are waiting';
		service.live.setQueue({ waiting: 5000 });
		await posts(alert(5000));
		await twoPolls();
		service.live.setQueue({ waiting: 3 });
		await posts(alert(5000), gone);
		await twoPolls();
		service.live.setQueue({ waiting: 6000 });
		await posts(alert(5000), gone, alert(6000));
	});
});
