import type { IRunExecutionData } from 'n8n-workflow';

import { type Service, startService } from '../service';
import { examples } from './examples';
import { eventually } from './support/eventually';
import { executionData } from './support/executions';
import { readExamples, withCredential } from './support/exampleFiles';
import { credentialJson, importCredentials, importWorkflows } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { outcomeOf } from './support/outcome';
import { useN8n } from './support/running';
import { createActivation } from './support/triggerEvents';
import { CREDENTIAL_TYPE, type WorkflowJson } from './support/workflow';

/** n8n stores executions in this format; the package's types are for ES modules only. */
const { parse } = jest.requireActual<{ parse(text: string): unknown }>('flatted');

const CREDENTIAL = 'good';
const NAME = 'flow-with-callback';

/** The example whose flow responds by itself, possibly hours later. */
describe.each(N8N_RELEASES)(`the example ${NAME} in n8n %s`, (n8n) => {
	let service: Service;

	/** Started by a call instead of manually, so that n8n runs it like any active workflow. */
	function prepared(): WorkflowJson {
		const example = readExamples().find(({ name }) => name === NAME)!.workflow;
		const workflow = withCredential(example, CREDENTIAL_TYPE, CREDENTIAL);
		const start = workflow.nodes.find(({ name }) => name === 'Run by Hand')!;
		Object.assign(start, {
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: NAME,
			parameters: { path: NAME, httpMethod: 'POST' },
		});
		const context = { service, inbox: undefined as never, model: { url: '' }, folder: '' };
		examples[NAME].prepare?.(workflow, context);
		return { ...workflow, id: NAME };
	}

	const running = useN8n(n8n, async (home) => {
		service = await startService({ data: { flows: 4 } });
		await importCredentials(home, [credentialJson(CREDENTIAL, service)]);
		await importWorkflows(home, [prepared()]);
	});
	afterAll(async () => await service?.close());

	test('continues with what the flow sends to the URL that it received', async () => {
		const { rest, server } = running;
		await createActivation(n8n, rest).activate(NAME);
		await eventually(async () => {
			const { status } = await fetch(`${server.url}/webhook/${NAME}`, { method: 'POST' });
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
			const all = await executionData(rest, NAME, 'success');
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
