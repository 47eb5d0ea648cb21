/** An item in n8n's router. */
import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { MAYBE_DONE } from '../transport/errors/ledger';
import { fieldsOf } from './fieldReader';
import { createGroup } from './group';
import { toNodeError } from './nodeError';
import type { Runnable } from './operationContext';
import { Run } from './run';

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
export function runInRouter(operation: Runnable) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const { grouping } = operation;
		const fields = fieldsOf(this);
		const run = new Run(this, operation, () => fields);
		const result = await run.item(this.getItemIndex(), {
			input: this.getInputData() as INodeExecutionData,
			tryKey: keptItem(this),
			group: grouping && createGroup(1, grouping.send)[0],
			findFile: (field) => this.helpers.assertBinaryData(field),
			// n8n shows no hints where its router runs.
			showHint: () => {},
		});
		run.end();
		const { output, failed, ended, mayHaveChanged } = result;
		if (output !== undefined) return output;
		if (failed !== undefined) throw toNodeError(this.getNode(), failed.error, failed.origin);
		throw new NodeOperationError(this.getNode(), 'The execution was cancelled', {
			description: ended?.note ?? (mayHaveChanged ? MAYBE_DONE : undefined),
		});
	};
}
