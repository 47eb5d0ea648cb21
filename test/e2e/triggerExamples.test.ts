import type { IRunExecutionData } from 'n8n-workflow';

import { type Service, startService } from '../service';
import { examples } from './examples';
import { type Inbox, startInbox } from './examples/inbox';
import { readExamples, withCredential } from './support/exampleFiles';
import { credentialJson, importCredentials, importWorkflows } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { eventually } from './support/longRunning';
import { outcomeOf } from './support/outcome';
import { executionData } from './support/rest';
import { useN8n } from './support/running';
import { createActivation, POLL_TIMES, triggerWorkflowId } from './support/triggerEvents';
import { CREDENTIAL_TYPE, TRIGGER_TYPE, type WorkflowJson } from './support/workflow';

/** n8n stores executions in this format; the package's types are for ES modules only. */
const { parse } = jest.requireActual<{ parse(text: string): unknown }>('flatted');

const CREDENTIAL = 'good';
/** The example whose flow responds by itself, possibly hours later. */
const CALLBACK = 'flow-with-callback';

const started = readExamples().filter(
	({ name, workflow }) =>
		name === CALLBACK || workflow.nodes.some(({ type }) => type === TRIGGER_TYPE),
);

/** Every example that starts with an event instead of manually, or continues with one. */
describe.each(N8N_RELEASES)('examples that the trigger starts, in n8n %s', (n8n) => {
	let service: Service;
	let inbox: Inbox;

	/** The workflow after somebody has selected the credential and set the values in the note. */
	function prepared(name: string, json: WorkflowJson): WorkflowJson {
		const workflow = withCredential(json, CREDENTIAL_TYPE, CREDENTIAL);
		for (const node of workflow.nodes) {
			if (node.type === TRIGGER_TYPE) node.parameters.pollTimes = POLL_TIMES;
			// Started by a call instead of manually, so that n8n runs it like any active workflow.
			if (name !== CALLBACK || node.name !== 'Run Manually') continue;
			const parameters = { path: CALLBACK, httpMethod: 'POST' };
			const type = 'n8n-nodes-base.webhook';
			Object.assign(node, { type, typeVersion: 2, webhookId: CALLBACK, parameters });
		}
		examples[name].prepare?.(workflow, { service, inbox, model: { url: '' }, folder: '' });
		return { ...workflow, id: triggerWorkflowId(name) };
	}

	const running = useN8n(n8n, async (home) => {
		service = await startService({ data: { flows: 10, connections: 12, flowRuns: 5 } });
		inbox = await startInbox();
		await importCredentials(home, [credentialJson(CREDENTIAL, service)]);
		await importWorkflows(
			home,
			started.map(({ name, workflow }) => prepared(name, workflow)),
		);
	});
	afterAll(async () => {
		await inbox?.close();
		await service?.close();
	});

	const activate = async (name: string) =>
		await createActivation(n8n, running.rest).activate(triggerWorkflowId(name));

	const texts = (path: string) =>
		inbox.received
			.filter((each) => each.path === path)
			.map(({ body }) => (body as { text: string }).text);

	test('are all listed here', () => {
		expect(started.map(({ name }) => name)).toEqual([
			'connection-ticket',
			'failed-run-message',
			CALLBACK,
			'queue-backlog',
		]);
	});

	test('failed-run-message posts a link to the failed run', async () => {
		await activate('failed-run-message');
		const { id, projectId } = service.live.addFlowRun({ status: 'FAILED' });
		const link = `${service.origin}/projects/${projectId}/runs/${id}`;
		await eventually(async () => expect(texts('/runs')).toEqual([expect.stringContaining(link)]));
	});

	test('connection-ticket opens a ticket for the broken connection', async () => {
		await activate('connection-ticket');
		const active = service.data.connections.find(({ status }) => status === 'ACTIVE');
		const { displayName } = service.live.setConnectionStatus(String(active?.id), 'ERROR');
		await eventually(async () =>
			expect(
				await executionData(running.rest, triggerWorkflowId('connection-ticket'), 'success'),
			).toEqual([
				expect.stringContaining(`Activepieces connection \\"${displayName}\\" needs attention`),
			]),
		);
	});

	test('queue-backlog posts the alert, and a message when the backlog has ended', async () => {
		await activate('queue-backlog');
		service.live.setQueue({ waiting: 5000 });
		const alert = expect.stringContaining('has a backlog: 5000 jobs are waiting') as string;
		await eventually(async () => expect(texts('/queue')).toEqual([alert]));
		service.live.setQueue({ waiting: 3 });
		await eventually(async () =>
			expect(texts('/queue')).toEqual([
				alert,
				'The Activepieces backlog is gone: 3 jobs are waiting',
			]),
		);
	});

	test('flow-with-callback continues with what the flow sends to the URL that it received', async () => {
		await activate(CALLBACK);
		await eventually(async () => {
			const { status } = await fetch(`${running.server.url}/webhook/${CALLBACK}`, {
				method: 'POST',
			});
			expect(status).toBe(200);
		});
		const callbackUrl = await eventually(async () => {
			const [run] = service.webhooks.runs;
			const { callbackUrl: url } = run.body as { callbackUrl: string };
			return await Promise.resolve(url);
		});
		// The body that Activepieces sends (recorded); n8n refuses it until the workflow waits.
		const data = { produced: true };
		await eventually(async () => {
			const { status } = await fetch(callbackUrl, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ status: 'success', data }),
			});
			expect(status).toBe(200);
		});
		const [stored] = await eventually(async () => {
			const all = await executionData(running.rest, triggerWorkflowId(CALLBACK), 'success');
			expect(all).toHaveLength(1);
			return all;
		});
		const { resultData } = parse(stored) as IRunExecutionData;
		const outcome = outcomeOf(resultData.runData);
		expect(outcome.items('Response').map(({ json }) => json)).toEqual([
			{ order: 1001, status: 'success', response: data },
		]);
		expect(outcome.executed).not.toContain('No Response in Time');
		expect(service.webhooks.runs).toHaveLength(1);
	});
});
