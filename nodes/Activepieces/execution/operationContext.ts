import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client/client';
import { Fields } from './fields';
import type { GroupPlace } from './group';
import type { ItemOutput } from './itemOutput';
import type { TriedItem } from './retryOnFail';

/** What an operation gets for one input item. */
export class OperationContext extends Fields {
	/** The value of `{{ $json }}` for the input item; undefined in n8n's router, whose agents use another item */
	readonly json?: IDataObject;
	/** What earlier tries of the node did for the item */
	readonly tried: TriedItem;
	readonly group?: GroupPlace;
	/** Shows a hint at the output in the editor, once per text; a model does not read it */
	readonly showHint: (message: string) => void;
	/** Reads the file of the input item that a field names; `label` is the field in messages */
	readonly readFile: (label: string, name: string) => Promise<Buffer>;
	/** Files by the record of the output that has them, as its binary data `data` */
	readonly files: ItemOutput['files'] = new Map();
	/** Whether the records were counted as they arrived */
	isCounted = false;

	constructor(
		{ getParameter, getTimezone }: Fields,
		readonly client: ApiClient,
		item: Pick<OperationContext, 'json' | 'tried' | 'group' | 'showHint' | 'readFile'>,
	) {
		super(getParameter, getTimezone);
		this.json = item.json;
		this.tried = item.tried;
		this.group = item.group;
		this.showHint = item.showHint;
		this.readFile = item.readFile;
	}

	/**
	 * Counts output of a list as it arrives, because a list may be larger than the memory. Other output is counted
	 * once the operation has returned it. Bytes are negative for what is dropped again.
	 */
	readonly countOutput = (bytes: number): void => {
		this.isCounted = true;
		this.client.run.keep(bytes);
	};
}

/** Processes one input item and returns its records. */
export type RunOperation = (context: OperationContext) => Promise<IDataObject[]>;
