import { packageRoot } from '../../engine/harness/environment';

import { PackageDirectoryLoader, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IVersionedNodeType,
	Workflow,
} from 'n8n-workflow';

import { additionalData, workflowData } from '../../engine/harness/execution';
import { createNodeTypes, START } from '../../engine/harness/nodeTypes';
import type { Task } from './contestant';

/** A node of the workflow that is measured. */
export interface Step {
	type: string;
	typeVersion?: number;
	parameters: INodeParameters;
}

/** Node types that are not in our package, by the last part of their name. */
export type OtherTypes = Record<string, INodeType | IVersionedNodeType>;

const START_NODE = 'Start';

/**
 * n8n's engine with nothing in the workflow but the steps: the harness of the tests has nodes behind the
 * node that is tested, which would be measured as well.
 */
export async function createBenchEngine(otherTypes: OtherTypes = {}) {
	const loader = new PackageDirectoryLoader(packageRoot);
	await loader.loadAll();
	const allTypes = {
		getNode: (name: string) =>
			name in otherTypes ? { type: otherTypes[name] } : loader.getNode(name),
	};
	const nodeTypes = createNodeTypes(allTypes as unknown as PackageDirectoryLoader);

	function workflowOf(steps: Step[]) {
		const names = steps.map((_, index) => `Step ${index + 1}`);
		const nodes: INode[] = [
			{ type: START, typeVersion: 1, parameters: {} },
			...steps.map((step) => ({ typeVersion: 1, ...step })),
		].map((node, index) => {
			const name = [START_NODE, ...names][index];
			return {
				id: name,
				name,
				position: [0, 0],
				credentials: { activepiecesApi: { id: '1', name: 'Activepieces' } },
				...node,
			};
		});
		const links = names.map((node, index) => [
			[START_NODE, ...names][index],
			{ main: [[{ node, type: 'main' as const, index: 0 }]] },
		]);
		const data = workflowData(nodes, Object.fromEntries(links));
		return { data, last: names[names.length - 1] };
	}

	/** Runs the steps one after the other; gives how many items the last one gave. */
	return async function run(steps: Step[], { place, ids, kind }: Task): Promise<number> {
		const { data, last } = workflowOf(steps);
		const workflow = new Workflow({ ...data, nodeTypes });
		const credential = { baseUrl: place.baseUrl, apiKey: place.apiKey };
		const json = kind === 'list' ? [{}] : ids.map((id) => ({ id }));
		const items = json.map((each): INodeExecutionData => ({ json: each }));
		const start = data.nodes[0];

		await workflow.expression.acquireIsolate?.();
		try {
			const execution = new WorkflowExecute(
				// As in production: what only the editor's runs do is not measured.
				additionalData(loader, credential, data, 'trigger'),
				'trigger',
				createRunExecutionData({
					executionData: {
						nodeExecutionStack: [{ node: start, data: { main: [items] }, source: null }],
					},
				}),
			);
			const { resultData } = (await execution.processRunExecutionData(workflow)).data;
			if (resultData.error) throw resultData.error;
			return resultData.runData[last]?.[0]?.data?.main?.[0]?.length ?? 0;
		} finally {
			await workflow.expression.releaseIsolate?.();
		}
	};
}
