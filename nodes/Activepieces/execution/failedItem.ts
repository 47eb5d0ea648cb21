import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { type ErrorOrigin, userMessageOf } from './toNodeError';

/**
 * The input fields that the error's fields replace, to keep them under `input`; undefined when the input
 * has neither `error` nor `message`. An input field called `input` is kept there too.
 */
function replacedFields(json: IDataObject): IDataObject | undefined {
	if (!Object.hasOwn(json, 'error') && !Object.hasOwn(json, 'message')) return undefined;
	const names = ['error', 'message', 'input'].filter((name) => Object.hasOwn(json, name));
	return Object.fromEntries(names.map((name) => [name, json[name]]));
}

/**
 * The output of a failed item when the workflow continues. n8n recognizes it by exactly these keys. n8n
 * itself adds the input's fields on the error output only; here they are always added.
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
	// With a third key, n8n recognizes a failed item only by its `error` and replaces the whole item with
	// it. n8n reads the property but copies the item first, without properties that are not enumerable.
	if (isErrorOutput && input !== undefined) {
		Object.defineProperty(item, 'error', { value: new Error(message), enumerable: false });
	}
	return item;
}
