import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { type ErrorOrigin, userMessageOf } from './toNodeError';

/**
 * The fields of an input item whose place ours take, so that they are not lost; nothing when it has no
 * `error` and no `message`. One called `input` is among them, as they stand under that name.
 */
function replacedFields(json: IDataObject): IDataObject | undefined {
	if (!Object.hasOwn(json, 'error') && !Object.hasOwn(json, 'message')) return undefined;
	const names = ['error', 'message', 'input'].filter((name) => Object.hasOwn(json, name));
	return Object.fromEntries(names.map((name) => [name, json[name]]));
}

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
	const isErrorOutput = onError === 'continueErrorOutput';
	const input = replacedFields(json);
	const item: INodeExecutionData = {
		json: {
			...(isErrorOutput ? {} : json),
			error: message,
			message: description,
			...(input === undefined ? {} : { input }),
		},
		pairedItem: { item: origin.itemIndex },
	};
	// With a third key n8n knows a failed item only by its `error`, and then puts that in the place of the
	// whole item. It looks at the property, but copies the item before, without what is not enumerable.
	if (isErrorOutput && input !== undefined) {
		Object.defineProperty(item, 'error', { value: new Error(message), enumerable: false });
	}
	return item;
}
