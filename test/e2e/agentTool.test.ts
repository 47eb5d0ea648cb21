import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { type Service, startService } from '../service';
import { INPUT } from '../service/routes/webhooks';
import { stepsOf } from '../service/webhookSteps';
import { credentialJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { readExecution, useN8n } from './support/running';
import { activepieces, NODE_TYPE, trigger, workflow } from './support/workflow';

const NAME = 'Ask Activepieces';
const TOOL = 'Ask_Activepieces';

/** A value that the model selects. */
const fromAI = (name: string, type = 'string') =>
	`={{ $fromAI('${name}', 'The ${name}', '${type}') }}`;

/** A workflow in which an agent has one tool, without a model. */
function withTool(parameters: INodeParameters) {
	const agent = {
		name: 'Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: 2,
		parameters: { promptType: 'define', text: 'Use the tool' },
	};
	const tool = { ...activepieces(NAME, 'example', parameters), type: `${NODE_TYPE}Tool` };
	const made = workflow('agent', [trigger(), agent]);
	made.nodes.push({ ...tool, id: 'tool', position: [0, 220] });
	made.connections[NAME] = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] };
	return made;
}

describe.each(N8N_RELEASES)('n8n %s, the node as the tool of an agent', (n8n) => {
	let service: Service;
	const running = useN8n(n8n, async (ends) => {
		service = await ends(startService({ data: { flows: 240, flowRuns: 80, invitations: 24 } }));
		return [[credentialJson('example', service)]];
	});

	/** Calls the tool as a model would, and returns what the model would read. */
	async function call(parameters: INodeParameters, args: object): Promise<string> {
		const { rest } = running;
		const made = withTool(parameters);
		await running.add([], [made]);
		const path = `/rest/workflows/${running.workflows[made.id]}`;
		const { executionId } = await rest.post<{ executionId: string }>(`${path}/run`, {
			workflowData: await rest.get(path),
			destinationNode: { nodeName: NAME, mode: 'inclusive' },
			// n8n 2.x reads the arguments below the tool's name, 1.x beside it.
			agentRequest: { query: { ...args, [TOOL]: args }, tool: { name: TOOL } },
		});
		const { runData, error } = await readExecution(rest, executionId);
		const [run] = runData.PartialExecutionToolExecutor ?? [];
		const answer: unknown = run?.data?.main?.[0]?.[0]?.json;
		if (typeof answer === 'string') return answer;
		return JSON.stringify(answer ?? error?.message);
	}

	test('lists with a filter: short records, within the limit, because a model pays for each character', async () => {
		const list = { resource: 'flow', operation: 'getAll', limit: 5 };
		const answer = await call({ ...list, filters: { name: fromAI('name') } }, { name: 'cleanup' });
		const flows = JSON.parse(answer) as Array<{ name: string }>;
		expect(flows).toHaveLength(5);
		for (const { name } of flows) expect(name.toLowerCase()).toContain('cleanup');
		expect(answer.length / flows.length).toBeLessThan(800);
		expect(answer).not.toContain('"version":');
	});

	test('reports what failed last night, and why, at little cost', async () => {
		const filters = { runStatus: ['FAILED'], createdAfter: fromAI('time') };
		const list = { resource: 'flowRun', operation: 'getAll', limit: 10, filters };
		const answer = await call(list, { time: '2026-11-30T20:00:00Z' });
		const runs = JSON.parse(answer) as Array<{ failedStep: { message: string } }>;
		expect(runs).toHaveLength(10);
		for (const { failedStep } of runs) expect(failedStep.message).toMatch(/\w/);
		// The raw runs have 66,000.
		expect(answer.length).toBeLessThanOrEqual(5_000);
	});

	test('runs a flow with the model’s input, and returns its response', async () => {
		const { live, webhooks } = service;
		const steps = stepsOf('webhook', {}, { body: INPUT });
		const { id } = live.addFlow({ name: 'Orders', enabled: true, steps });
		const run = { resource: 'flow', operation: 'run', flowId: byId(id) };
		const order = { order: 7, lines: [1] };
		const own = { ...run, waitForResponse: true, input: fromAI('input', 'json') };
		expect(JSON.parse(await call(own, { input: order }))).toEqual([order]);
		// Without further settings, too.
		expect(JSON.parse(await call(run, { Input: order }))).toEqual([order]);
		expect(webhooks.runs.filter(({ flowId }) => flowId === id)).toHaveLength(2);
	});

	test('deletes a record once, and reports that an unknown one was not found', async () => {
		const { data } = service;
		const [{ id }, ...others] = data.invitations;
		const invitationId = byId(fromAI('invitation'));
		const deletion = { resource: 'userInvitation', operation: 'delete', invitationId };
		expect(JSON.parse(await call(deletion, { invitation: id }))).toEqual([{ deleted: true }]);
		const answer = await call(deletion, { invitation: 'nosuchinvitation' });
		expect(answer).toContain('User invitation \\"nosuchinvitation\\" was not found');
		// n8n 2 gives an agent only the message of an error.
		expect(answer).toMatch(/was not found\. Check Invitation\. .*Nothing was changed\./);
		expect(answer).not.toContain('"deleted":true');
		expect(data.invitations).toEqual(others);
	});
});
