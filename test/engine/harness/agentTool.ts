import { packageRoot } from './environment';

import { SupplyDataContext } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type IExecuteData,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRunExecutionData,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';

import type { AnyCredential } from './credentials';
import type { Engine, NodeSettings } from './engine';
import { additionalData, workflowData } from './execution';
import { createNodeTypes, ROUTED, START } from './nodeTypes';

/** How an agent up to n8n 1 calls a node: n8n has this code beside its engine, and does not export it. */
const { makeHandleToolInvocation } = requireNative<{
	makeHandleToolInvocation(
		contextOf: (runIndex: number) => SupplyDataContext,
		node: INode,
		nodeType: INodeType,
		runExecutionData: IRunExecutionData,
	): (toolArgs: IDataObject) => Promise<string>;
}>(
	`${packageRoot}/node_modules/n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data.js`,
);

/**
 * The node as a tool of an agent up to n8n 1, in one run of that agent, without a model.
 *
 * @returns a function that calls the tool with a model's input, and returns what the model would read
 */
export function agentTool(
	engine: Engine,
	credential: AnyCredential,
	parameters: INodeParameters,
	settings: NodeSettings = {},
): (toolArgs: IDataObject) => Promise<string> {
	const nodeTypes = createNodeTypes(engine.loader);
	const base = { typeVersion: 1, position: [0, 0] as [number, number] };
	const agent: INode = { ...base, id: '1', name: 'Agent', type: START, parameters: {} };
	const tool: INode = {
		...base,
		...settings,
		id: '2',
		name: 'Tool',
		type: ROUTED,
		parameters,
		credentials: { activepiecesApi: { id: '1', name: 'Activepieces' } },
	};
	const data = workflowData([agent, tool], {
		Tool: { ai_tool: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]] },
	});
	const workflow = new Workflow({ ...data, nodeTypes });
	const runExecutionData = createRunExecutionData({});
	const items: INodeExecutionData[] = [{ json: { chatInput: 'Use the tool' } }];
	// The run of the agent, which all calls of its tools share.
	const executeData: IExecuteData = { node: agent, data: { main: [items] }, source: null };
	const contextOf = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			tool,
			additionalData(engine.loader, credential, data, 'manual'),
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
	const nodeType = nodeTypes.getByNameAndVersion(ROUTED);
	return makeHandleToolInvocation(contextOf, tool, nodeType, runExecutionData);
}
