import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client/client';
import type { Fields } from './fields';
import type { GroupPlace } from './group';
import type { BinaryFile } from './itemOutput';
import type { TriedItem } from './retryOnFail';

export interface OperationContext extends Fields {
	readonly client: ApiClient;
	/** The value of `{{ $json }}` for the input item; undefined in n8n's router, whose agents use another item */
	readonly json?: IDataObject;
	/** What earlier tries of the node did for the item */
	readonly tried: TriedItem;
	readonly group?: GroupPlace;
	/** Shows a hint at the output in the editor, once per text; a model does not read it */
	showHint(message: string): void;
	/**
	 * Reads the file of the input item that a field names.
	 *
	 * @param label the field in messages
	 */
	readFile(label: string, name: string): Promise<Buffer>;
	/** Attaches a file to a record of the output, as its binary data `data` */
	attach(record: IDataObject, file: BinaryFile): void;
}

/** Processes one input item and returns its records. */
export type RunOperation = (context: OperationContext) => Promise<IDataObject[]>;
