import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client';
import type { BinaryFile, TriedItem } from './retryOnFail';

/** Reads the parameters of a node: for one input item, for a poll, or in the editor. */
export class Fields {
	constructor(
		/** n8n's own function; with `rawExpressions` it returns expressions as the workflow saves them */
		readonly getParameter: (
			name: string,
			fallback?: unknown,
			options?: { rawExpressions: true },
		) => unknown,
		readonly getTimezone: () => string,
	) {}

	/** The value of a parameter, with expressions evaluated */
	get(name: string, fallback?: unknown): unknown {
		return this.getParameter(name, fallback);
	}

	/** The value as the workflow saves it, with its expressions */
	raw(name: string, fallback?: unknown): unknown {
		return this.getParameter(name, fallback, { rawExpressions: true });
	}

	/** The time zone of the workflow, for example Europe/Berlin */
	get timezone(): string {
		return this.getTimezone();
	}
}

/** What an operation needs to process one input item. */
export interface OperationContext extends Fields {
	readonly client: ApiClient;
	/** The value of `{{ $json }}` for the input item; undefined in n8n's router, whose agents use another item */
	readonly json?: IDataObject;
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
