import {
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { NodeRun } from '../transport/client/run';
import { MAYBE_DONE } from '../transport/errors/ledger';
import { runItem } from './executeItems';
import { fieldsOf } from './fieldReader';
import { createGroup } from './group';
import { toNodeError } from './nodeError';
import type { Runnable } from './operationContext';
import { parseRequestOptions } from './credential';
import { triedItem } from './retryOnFail';

/** The item object that n8n keeps between tries. For a missing item n8n makes a new one each time. */
function keptItem(n8n: IExecutePaginationFunctions): INodeExecutionData {
	const input = n8n.getInputData();
	const isMadeUp = input !== n8n.getInputData();
	return isMadeUp ? n8n.getInputData(0, NodeConnectionTypes.AiTool) : input;
}

/**
 * Makes the function that runs an item in n8n's router, which calls it as the pagination of the operation. n8n does so
 * where it calls a node's `execute`, each time with one item: for the tools of the MCP Server Trigger and of agents before
 * version 3, for a tool that is executed alone, and for an operation that does not exist.
 */
export function runInRouter({ endpoint, grouping, run }: Runnable) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const node = this.getNode();
		const itemIndex = this.getItemIndex();
		const reader = fieldsOf(this);
		const nodeRun = new NodeRun(this.getExecutionCancelSignal());
		const { output, failed, ended, mayHaveChanged } = await runItem(
			{
				itemIndex,
				input: this.getInputData() as INodeExecutionData,
				findFile: (field) => this.helpers.assertBinaryData(field),
				nodeRun,
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
		).finally(() => nodeRun.end.stop());
		if (output !== undefined) return output;
		if (failed !== undefined) throw toNodeError(node, failed.error, failed.origin);
		throw new NodeOperationError(node, 'The execution was cancelled', {
			description: ended?.note ?? (mayHaveChanged ? MAYBE_DONE : undefined),
		});
	};
}
