import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { startService, type Service } from '../service';
import { INPUT } from '../service/routes/webhooks';
import { stepsOf } from '../service/webhookSteps';
import { modelCredential, startModel } from './examples/model';
import { credentialJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { readExecution, useN8n } from './support/running';
import { activepieces, NODE_TYPE, trigger, workflow } from './support/workflow';

const NAME = 'Ask Activepieces';
const TOOL = 'Ask_Activepieces';

/** A value that the model selects. */
const fromAI = (name: string, type = 'string') =>
	`={{ $fromAI('${name}', 'The ${name}', '${type}') }}`;

const MODEL = {
	name: 'Model',
	type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
	typeVersion: 1.2,
	parameters: { model: { __rl: true, mode: 'id', value: 'gpt-4o-mini' }, options: {} },
	credentials: { openAiApi: { id: 'openai-example', name: 'OpenAI account' } },
};

/** A workflow in which an agent has one tool, without a model. */
function withTool(parameters: INodeParameters, typeVersion = 2) {
	const agent = {
		name: 'Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion,
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
	/** With what the model calls the tool. */
	let given: object | undefined;
	const running = useN8n(n8n, async (ends) => {
		service = await ends(startService({ data: { flows: 240, flowRuns: 80, invitations: 24 } }));
		const model = await ends(startModel(() => given));
		return [[credentialJson('example', service), modelCredential(model)]];
	});

	/** Adds a workflow, runs it from the given node, and returns what it did. */
	async function run(made: ReturnType<typeof withTool>, from: object) {
		const { rest } = running;
		await running.add([], [made]);
		const path = `/rest/workflows/${running.workflows[made.id]}`;
		const data = { workflowData: await rest.get(path), ...from };
		const { executionId } = await rest.post<{ executionId: string }>(`${path}/run`, data);
		return await readExecution(rest, executionId);
	}

	/** Calls the tool as a model would, and returns what the model would read. */
	async function call(parameters: INodeParameters, args: object): Promise<string> {
		const { runData, error } = await run(withTool(parameters), {
			destinationNode: { nodeName: NAME, mode: 'inclusive' },
			// n8n 2.x reads the arguments below the tool's name, 1.x beside it.
			agentRequest: { query: { ...args, [TOOL]: args }, tool: { name: TOOL } },
		});
		const [tool] = runData.PartialExecutionToolExecutor ?? [];
		const answer: unknown = tool?.data?.main?.[0]?.[0]?.json;
		if (typeof answer === 'string') return answer;
		return JSON.stringify(answer ?? error?.message);
	}

	test('lists with a filter: short records, within the limit, because a model pays for each character', async () => {
		const list = { resource: 'flow', operation: 'getAll', limit: 5 };
		const answer = await call({ ...list, filters: { name: fromAI('name') } }, { name: 'cleanup' });
		const items = JSON.parse(answer) as Array<{ name: string; hint?: string }>;
		const flows = items.slice(0, 5);
		// The last item says that there are more.
		expect(items.slice(5)).toEqual([
			{ hint: expect.stringMatching(/^The list of flows is longer/) },
		]);
		for (const { name } of flows) expect(name.toLowerCase()).toContain('cleanup');
		expect(answer.length / flows.length).toBeLessThan(800);
		expect(answer).not.toContain('"version":');
	});

	test('reports what failed last night, and why, at little cost', async () => {
		const filters = { runStatus: ['FAILED'], createdAfter: fromAI('time') };
		const list = { resource: 'flowRun', operation: 'getAll', limit: 10, filters };
		const answer = await call(list, { time: '2026-11-30T20:00:00Z' });
		const items = JSON.parse(answer) as Array<{ failedStep: { message: string }; hint?: string }>;
		const runs = items.slice(0, 10);
		expect(items.slice(10)).toEqual([
			{ hint: expect.stringMatching(/^The list of flow runs is longer/) },
		]);
		for (const { failedStep } of runs) expect(failedStep.message).toMatch(/\w/);
		// The raw runs have 66,000.
		expect(answer.length).toBeLessThanOrEqual(5_000);
	});

	test('runs a flow with the model’s input, and returns its response', async () => {
		const { live, webhooks } = service;
		const steps = stepsOf('webhook', {}, { body: INPUT });
		const { id } = live.addFlow({ name: 'Orders', enabled: true, steps });
		const runFlow = { resource: 'flow', operation: 'run', flowId: byId(id) };
		const order = { order: 7, lines: [1] };
		const own = { ...runFlow, waitForResponse: true, input: fromAI('input', 'json') };
		expect(JSON.parse(await call(own, { input: order }))).toEqual([order]);
		// Without further settings, too.
		expect(JSON.parse(await call(runFlow, { Input: JSON.stringify(order) }))).toEqual([order]);
		expect(webhooks.runs.filter(({ flowId }) => flowId === id)).toHaveLength(2);
	});

	const order = { order: 7 };
	const text = JSON.stringify(order);
	// n8n tells a model that Input is text. Agents before version 3 check that, and do not run the tool if it is not.
	test.each<[agent: number, Input: unknown, body: object | undefined]>([
		[3, order, order],
		[3, {}, {}],
		[3, text, order],
		[3, undefined, {}],
		[2.2, text, order],
		[2.2, '{}', {}],
		[2.2, undefined, {}],
		[2.2, order, undefined],
	])(
		'an agent of version %d whose model fills in Input with %j runs the flow: %j',
		async (agent, Input, body) => {
			const { live, webhooks } = service;
			const { id } = live.addFlow({
				enabled: true,
				steps: stepsOf('webhook', {}, { body: INPUT }),
			});
			const made = withTool({ resource: 'flow', operation: 'run', flowId: byId(id) }, agent);
			made.nodes.push({ ...MODEL, id: 'model', position: [0, 440] });
			made.connections[MODEL.name] = {
				ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]],
			};
			given = { Input };
			const { runData } = await run(made, { triggerToStartFrom: { name: 'Start' } });
			const runs = webhooks.runs.filter(({ flowId }) => flowId === id);
			expect(runs.map((each) => each.body)).toEqual(body === undefined ? [] : [body]);
			const answer = runData.Agent?.at(-1)?.data?.main?.[0]?.[0]?.json.output ?? '';
			if (body !== undefined) expect(answer).toContain(`${TOOL} says: [`);
			// n8n 2 ends the agent, n8n 1 gives the model an empty text.
			else expect(answer).toBe(n8n.startsWith('2') ? '' : `${TOOL} says: `);
		},
	);

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
