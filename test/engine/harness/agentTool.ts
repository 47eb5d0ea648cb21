import { SupplyDataContext } from 'n8n-core';
import { createRunExecutionData, NodeConnectionTypes, type INodeParameters } from 'n8n-workflow';

import type { AnyCredential } from './credentials';
import type { Engine, NodeSettings } from './engine';
import { makeNode, makeWorkflow } from './execution';
import { HELPER, ROUTED } from './nodeTypes';

/** How an agent up to n8n 1 calls a node: n8n has this code beside its engine, and does not export it. */
const { makeHandleToolInvocation } = requireNative<
	typeof import('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data')
>('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data');

/**
 * The node as a tool of an agent up to n8n 1, in one run of that agent, without a model.
 *
 * @returns a function that calls the tool with a model's input, and returns what the model would read
 */
export function agentTool(
	{ loader }: Engine,
	credential: AnyCredential,
	parameters: INodeParameters,
	settings: NodeSettings,
) {
	const agent = makeNode('Agent', HELPER, {});
	const credentials = { activepiecesApi: { id: '1', name: 'Activepieces' } };
	const tool = { ...makeNode('Tool', ROUTED, parameters), ...settings, credentials };
	const connections = {
		Tool: { ai_tool: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]] },
	};
	const setting = { loader, credential, nodes: [agent, tool], connections };
	const { workflow, additionalData } = makeWorkflow(setting);
	const runExecutionData = createRunExecutionData({});
	const items = [{ json: { chatInput: 'Use the tool' } }];
	// The run of the agent, which all calls of its tools share.
	const executeData = { node: agent, data: { main: [items] }, source: null };
	const contextOf = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			tool,
			additionalData(),
			'manual',
			runExecutionData,
			runIndex,
			items,
			{},
			NodeConnectionTypes.AiTool,
			executeData,
			[],
			undefined,
			agent,
		);
	const nodeType = workflow.nodeTypes.getByNameAndVersion(ROUTED);
	return makeHandleToolInvocation(contextOf, tool, nodeType, runExecutionData);
}
