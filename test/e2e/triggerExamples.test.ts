import { type Service, startService } from '../service';
import { examples } from './examples';
import { type Inbox, startInbox } from './examples/inbox';
import { readExamples, withCredential } from './support/exampleFiles';
import { credentialJson, importCredentials, importWorkflows } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { eventually } from './support/longRunning';
import { useN8n } from './support/running';
import { createActivation, POLL_TIMES, triggerWorkflowId } from './support/triggerEvents';
import { CREDENTIAL_TYPE, TRIGGER_TYPE, type WorkflowJson } from './support/workflow';

const CREDENTIAL = 'good';

const started = readExamples().filter(({ workflow }) =>
	workflow.nodes.some(({ type }) => type === TRIGGER_TYPE),
);

/** Every example that starts with an event instead of manually. */
describe.each(N8N_RELEASES)('examples that the trigger starts, in n8n %s', (n8n) => {
	let service: Service;
	let inbox: Inbox;

	/** The workflow after somebody has selected the credential and set the values in the note. */
	function prepared(name: string, json: WorkflowJson): WorkflowJson {
		const workflow = withCredential(json, CREDENTIAL_TYPE, CREDENTIAL);
		for (const node of workflow.nodes) {
			if (node.type === TRIGGER_TYPE) node.parameters.pollTimes = POLL_TIMES;
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
			'deleted-flow-alert',
			'failed-run-message',
			'failed-step-ticket',
			'queue-backlog',
		]);
	});

	test('failed-run-message posts a link to the failed run', async () => {
		await activate('failed-run-message');
		const { id, projectId } = service.live.addFlowRun({ status: 'FAILED' });
		const link = `${service.origin}/projects/${projectId}/runs/${id}`;
		await eventually(async () => expect(texts('/runs')).toEqual([expect.stringContaining(link)]));
	});

	test('deleted-flow-alert posts who deleted which flow', async () => {
		await activate('deleted-flow-alert');
		service.live.addAuditEvent({ action: 'flow.deleted' });
		const text = expect.stringContaining('has deleted the flow') as string;
		await eventually(async () => expect(texts('/deleted')).toEqual([text]));
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
});
