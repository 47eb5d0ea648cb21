import {
	type DeclarativeRestApiSettings,
	type IDataObject,
	type IExecutePaginationFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { MOST_RECORDS } from './bounds';
import { tooManyRecords } from './explanation';
import { openSession, runOf, type Session } from './session';

/** What an operation does for one input item. */
export interface Work {
	/** Reads the parameters of the item */
	context: IExecutePaginationFunctions;
	session: Session;
	/** What the fields' own routing put together: query and body */
	query: IDataObject;
	body: IDataObject;
}

export type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/**
 * Keeps what n8n took from the node's Options. The credential's list of allowed domains is left out:
 * it holds for requests whose address the person types, and n8n adds a node's own host to it.
 */
function engineOptions(options: Partial<IHttpRequestOptions>): Partial<IHttpRequestOptions> {
	const { timeout, proxy, skipSslCertificateValidation } = options;
	return { timeout, proxy, skipSslCertificateValidation };
}

/** "Nothing sent for what is not set": an emptied field counts as not set. */
function onlySet(query: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(query).filter(
			([, value]) =>
				value !== undefined &&
				value !== null &&
				value !== '' &&
				!(Array.isArray(value) && value.length === 0),
		),
	);
}

function toNodeError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

function refuseTooMany(node: INode, count: number) {
	if (count <= MOST_RECORDS) return;
	const { message, description } = tooManyRecords(count);
	throw new NodeOperationError(node, message, { description });
}

/**
 * What Continue On Fail and the error output give: what happened, and what to do. n8n 1.x and 2.x
 * know an item that went wrong by these very keys, and put the input item's own fields beside them;
 * with an error object on the item they would drop those fields.
 */
function failureOf({ message, description }: NodeApiError | NodeOperationError): IDataObject {
	return { error: message, ...(description ? { message: description } : {}) };
}

/**
 * Makes the pagination function of an operation. In a declarative node it is the one place from
 * which requests can be bounded, repeated and judged, so operations that give one record use it too.
 *
 * Every item is paired with its input item, on the error output as well: n8n's router pairs neither,
 * and what it guesses afterwards is wrong when several input items give lists.
 */
export function perItem(work: (work: Work) => Promise<IDataObject[]>): Pagination {
	return async function (requestData) {
		const pairedItem = { item: this.getItemIndex() };
		try {
			const options = requestData.options as Partial<IHttpRequestOptions>;
			const run = runOf(this);
			const records = await run.items(
				async () =>
					await work({
						context: this,
						session: await openSession(this, engineOptions(options), run),
						query: onlySet((options.qs ?? {}) as IDataObject),
						body: (options.body ?? {}) as IDataObject,
					}),
			);
			refuseTooMany(this.getNode(), records.length);
			return records.map((json) => ({ json, pairedItem: { ...pairedItem } }));
		} catch (error) {
			const nodeError = toNodeError(this.getNode(), error);
			if (this.continueOnFail()) return [{ json: failureOf(nodeError), pairedItem }];
			nodeError.context.itemIndex = pairedItem.item;
			// n8n's linter accepts no bare identifier here; the function hands a node's error back.
			throw toNodeError(this.getNode(), nodeError);
		}
	};
}
