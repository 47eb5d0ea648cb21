import type { INode, INodeExecutionData } from 'n8n-workflow';

import { type ErrorOrigin, userMessageOf } from './toNodeError';

/**
 * What an item that failed gives when the workflow goes on. n8n knows it by these very keys, and puts the
 * input's own fields beside them on the error output only; here they stand beside them wherever the item
 * goes.
 *
 * @param input the input item
 */
export function failedItem(
	{ onError }: INode,
	{ json }: INodeExecutionData,
	error: unknown,
	origin: ErrorOrigin & { itemIndex: number },
): INodeExecutionData {
	const { message, description } = userMessageOf(error, origin);
	const fields = onError === 'continueErrorOutput' ? {} : json;
	return {
		json: { ...fields, error: message, message: description },
		pairedItem: { item: origin.itemIndex },
	};
}
