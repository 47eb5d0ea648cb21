import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client';
import type { BinaryFile, TriedItem } from './retryOnFail';

/** What an operation needs to process one input item. */
export interface OperationContext {
	readonly client: ApiClient;
	/** The value of a parameter for the item, with expressions evaluated */
	getParameter(
		name: string,
		fallback?: unknown,
		/** Returns expressions as the workflow saves them */
		options?: { rawExpressions: true },
	): unknown;
	/** The value of `{{ $json }}` for the input item; undefined in n8n's router, whose agents use another item */
	readonly json?: IDataObject;
	/** The time zone of the workflow, for example Europe/Berlin */
	getTimezone(): string;
	/** What earlier tries of the node did for the item */
	readonly tried: TriedItem;
	/** Shows a hint at the output in the editor, once per text; a model does not read it */
	showHint(message: string): void;
	/** Attaches a file to a record of the output, as its binary data `data` */
	attach(record: IDataObject, file: BinaryFile): void;
}

/**
 * How many items of a run are processed at once.
 *
 * @param getParameter of the first item
 * @returns undefined when the endpoint decides
 */
export type Concurrency = (getParameter: OperationContext['getParameter']) => number | undefined;

/** Processes one input item and returns its records. */
export type RunOperation = (context: OperationContext) => Promise<IDataObject[]>;
