import {
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { createLimiter, type Limiter, NodeRun } from '../transport/client/run';
import { MAYBE_DONE } from '../transport/errors/ledger';
import { rememberedWith } from '../transport/n8nObjects';
import { concurrencyOf, runItem } from './executeItems';
import { fieldsOf } from './fieldReader';
import { createGroup } from './group';
import { toNodeError } from './nodeError';
import type { Runnable } from './operationContext';
import { parseRequestOptions } from './credential';
import { triedItem } from './retryOnFail';

interface RouterRun {
	nodeRun: NodeRun;
	limitItems: Limiter;
	open: number;
	/** Index of the first item that failed while On Error is Stop; no later item starts */
	firstFailed: number;
}

/** By an object that n8n makes for each run of a node */
const runs = rememberedWith<RouterRun>();

function joinRun(n8n: IExecutePaginationFunctions, atOnce: number): RouterRun {
	const key = n8n.getExecuteData();
	let joined = runs.get(key);
	if (joined === undefined || joined.open === 0) {
		joined = {
			nodeRun: new NodeRun(n8n.getExecutionCancelSignal()),
			limitItems: createLimiter(atOnce),
			open: 0,
			firstFailed: Infinity,
		};
		runs.set(key, joined);
	}
	joined.open++;
	return joined;
}

/** The item object that n8n keeps between tries. For a missing item n8n makes a new one each time. */
function keptItem(n8n: IExecutePaginationFunctions): INodeExecutionData {
	const input = n8n.getInputData();
	const isMadeUp = input !== n8n.getInputData();
	return isMadeUp ? n8n.getInputData(0, NodeConnectionTypes.AiTool) : input;
}

/**
 * Makes the function that runs an item in n8n's router, which calls it as the pagination of the operation.
 * n8n does so where it calls a node's `execute`: for tools of agents before version 3, in n8n 1 of any agent, for a tool
 * that is executed alone, and for an operation that does not exist. The router starts all items at once, so they wait for each other here.
 */
export function runInRouter(operation: Runnable) {
	const { endpoint, grouping, run } = operation;
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const node = this.getNode();
		const itemIndex = this.getItemIndex();
		const reader = fieldsOf(this);
		const joined = joinRun(this, concurrencyOf(operation));
		try {
			return await joined.limitItems(async () => {
				if (itemIndex > joined.firstFailed)
					throw new NodeOperationError(node, 'The node stopped because an earlier item failed');
				const { output, failed, ended, mayHaveChanged } = await runItem(
					{
						itemIndex,
						input: this.getInputData() as INodeExecutionData,
						findFile: (field) => this.helpers.assertBinaryData(field),
						nodeRun: joined.nodeRun,
						isChange: endpoint.method !== 'GET',
						tried: triedItem(this, itemIndex, keptItem(this), node.retryOnFail === true),
						group: grouping && createGroup(1, grouping.send)[0],
						n8n: this,
						requestOptions: () => parseRequestOptions(reader),
						reader,
						// n8n shows no hints where its router runs.
						showHint: () => {},
					},
					run,
				);
				if (output !== undefined) return output;
				if (failed === undefined) {
					throw new NodeOperationError(node, 'The execution was cancelled', {
						description: ended?.note ?? (mayHaveChanged ? MAYBE_DONE : undefined),
					});
				}
				joined.firstFailed = Math.min(joined.firstFailed, itemIndex);
				throw toNodeError(node, failed.error, failed.origin);
			});
		} finally {
			joined.open--;
			if (joined.open === 0) joined.nodeRun.end.stop();
		}
	};
}
