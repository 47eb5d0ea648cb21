import type { INodeParameters, IRunExecutionData } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { INPUT } from '../service/routes/webhooks';
import { stepsOf } from '../service/webhookSteps';
import { credentialJson, importCredentials } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { pause } from './support/longRunning';
import { useN8n } from './support/running';
import { useServices } from './support/services';
import { activepieces, NODE_TYPE, trigger, workflow } from './support/workflow';

/** n8n stores executions in this format; the package's types are for ES modules only. */
const { parse } = jest.requireActual<{ parse(text: string): unknown }>('flatted');

const FINISHED = ['success', 'error', 'crashed', 'canceled'];

interface Execution {
	status: string;
	data: string;
}

/** A record that the model selects. */
const chosen = (what: string) => byId(`={{ $fromAI('${what}', 'ID of the ${what}', 'string') }}`);

/** A workflow in which an agent has one tool, without a model. */
function withTool(name: string, credential: string, parameters: INodeParameters) {
	const start = trigger();
	const agent = {
		name: 'Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: 2,
		parameters: { promptType: 'define', text: 'Use the tool' },
	};
	const tool = { ...activepieces(name, credential, parameters), type: `${NODE_TYPE}Tool` };
	const made = workflow('agent', [start, agent, tool], [{ from: start.name, to: agent.name }]);
	made.connections[name] = { ai_tool: [[{ node: agent.name, type: 'ai_tool', index: 0 }]] };
	return made;
}

describe.each(N8N_RELEASES)('n8n %s, the node as the tool of an agent', (n8n) => {
	const services = useServices();
	const running = useN8n(n8n, async (home) => {
		await importCredentials(home, [credentialJson('example', services['0.85'])]);
	});

	/** Calls the tool as a model would, and returns what the model would read. */
	async function call(parameters: INodeParameters, args: object): Promise<string> {
		const name = 'Ask Activepieces';
		const tool = 'Ask_Activepieces';
		const { rest } = running;
		const made = withTool(name, 'example', parameters);
		const { id } = await rest.post<{ id: string }>('/rest/workflows', { ...made, id: undefined });
		const { executionId } = await rest.post<{ executionId: string }>(`/rest/workflows/${id}/run`, {
			workflowData: { ...made, id },
			destinationNode: { nodeName: name, mode: 'inclusive' },
			// n8n 2.x reads the arguments below the tool's name, 1.x beside it.
			agentRequest: { query: { ...args, [tool]: args }, tool: { name: tool } },
		});
		for (;;) {
			const { status, data } = await rest.get<Execution>(`/rest/executions/${executionId}`);
			if (FINISHED.includes(status)) {
				const { resultData } = parse(data) as IRunExecutionData;
				const [run] = resultData.runData.PartialExecutionToolExecutor ?? [];
				const answer: unknown = run?.data?.main?.[0]?.[0]?.json;
				return typeof answer === 'string'
					? answer
					: JSON.stringify(answer ?? resultData.error?.message);
			}
			await pause(200);
		}
	}

	test('lists with a filter: short records, within the limit', async () => {
		const answer = await call(
			{
				...{ resource: 'flow', operation: 'getAll', limit: 5 },
				filters: { name: "={{ $fromAI('name', 'Part of the name', 'string') }}" },
			},
			{ name: 'cleanup' },
		);
		const flows = JSON.parse(answer) as Array<{ id: string; name: string }>;
		expect(flows).toHaveLength(5);
		for (const { name } of flows) expect(name.toLowerCase()).toContain('cleanup');
		// A raw flow has several kilobytes, and a model pays for each of them.
		expect(answer.length / flows.length).toBeLessThan(800);
		expect(answer).not.toContain('"version":');
	});

	test('reports in two calls what failed last night, and why, at little cost', async () => {
		const answer = await call(
			{
				resource: 'flowRun',
				operation: 'getAll',
				limit: 10,
				filters: {
					runStatus: ['FAILED'],
					createdAfter: "={{ $fromAI('since', 'Time from which on, in ISO 8601', 'string') }}",
				},
			},
			{ since: '2026-11-30T20:00:00Z' },
		);
		const runs = JSON.parse(answer) as Array<{ id: string; failedStep: { message: string } }>;
		expect(runs).toHaveLength(10);
		for (const { failedStep } of runs) expect(failedStep.message).toMatch(/\w/);
		// A model pays for each character. The raw runs have 66,000.
		expect(answer.length).toBeLessThanOrEqual(5_000);

		const one = await call(
			{ resource: 'flowRun', operation: 'get', flowRunId: chosen('run') },
			{ run: runs[0].id },
		);
		expect(JSON.parse(one)).toMatchObject([{ id: runs[0].id, failedStep: runs[0].failedStep }]);
		expect(one.length).toBeLessThan(500);
	});

	test('runs a flow with the model’s input, and returns its response', async () => {
		const { live, webhooks } = services['0.85'];
		const steps = stepsOf('webhook', {}, { body: INPUT });
		const { id } = live.addFlow({ name: 'Orders', enabled: true, steps });
		const answer = await call(
			{
				resource: 'flow',
				operation: 'run',
				flowId: byId(id),
				waitForResponse: true,
				input: "={{ $fromAI('input', 'The order', 'json') }}",
			},
			{ input: { order: 7, lines: [1] } },
		);
		expect(JSON.parse(answer)).toEqual([{ order: 7, lines: [1] }]);
		expect(webhooks.runs.filter(({ flowId }) => flowId === id)).toHaveLength(1);
	});

	const deletion: INodeParameters = {
		resource: 'userInvitation',
		operation: 'delete',
		invitationId: chosen('invitation'),
	};

	test('deletes, and reports it', async () => {
		const { data } = services['0.85'];
		const [{ id }] = data.invitations;
		expect(JSON.parse(await call(deletion, { invitation: id }))).toEqual([{ deleted: true }]);
		expect(data.invitations.map((each) => each.id)).not.toContain(id);
	});

	test('does not report a delete of an unknown record', async () => {
		const { data } = services['0.85'];
		const before = data.invitations.length;
		const answer = await call(deletion, { invitation: 'nosuchinvitation' });
		expect(answer).toContain('User invitation \\"nosuchinvitation\\" was not found');
		expect(answer).not.toContain('"deleted":true');
		expect(data.invitations).toHaveLength(before);
	});
});
