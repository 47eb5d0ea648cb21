import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client';

/** A file among what an operation gives. */
export interface BinaryFile {
	content: Buffer;
	mimeType: string;
}

/** What an operation has to do its work for one input item. */
export interface OperationContext {
	readonly client: ApiClient;
	/** The value of a parameter for the item, its expressions evaluated */
	getParameter(
		name: string,
		fallback?: unknown,
		/** Gives expressions as the workflow holds them */
		options?: { rawExpressions: true },
	): unknown;
	/** What `{{ $json }}` gives for the input item; nothing if n8n's router runs the node, for whose agents it is another item */
	readonly json?: IDataObject;
	/** The time zone of the workflow, for example Europe/Berlin */
	getTimezone(): string;
	/** Stands for the input item in every try of *Retry On Fail*; nothing without that setting */
	readonly triedItem?: object;
	/** Shows a note at the output in the editor, the same one once; a model does not read it */
	showHint(message: string): void;
	/** Puts a file beside a record that the operation gives, as its binary data `data` */
	attach(record: IDataObject, file: BinaryFile): void;
}

/**
 * How many items of a run are worked on at once.
 *
 * @param getParameter of the first item
 * @returns nothing when its endpoint says it
 */
export type Concurrency = (getParameter: OperationContext['getParameter']) => number | undefined;

/** What an operation does for one input item: gives its records. */
export type RunOperation = (context: OperationContext) => Promise<IDataObject[]>;
