import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client/client';
import { Fields } from './fields';
import type { GroupPlace } from './group';
import type { BinaryFile, ItemOutput } from './itemOutput';
import type { TriedItem } from './retryOnFail';

interface ItemContext {
	/** The value of `{{ $json }}` for the input item; undefined in n8n's router, whose agents use another item */
	json?: IDataObject;
	/** What earlier tries of the node did for the item */
	tried: TriedItem;
	group?: GroupPlace;
	/** Shows a hint at the output in the editor, once per text; a model does not read it */
	showHint(this: void, message: string): void;
	/**
	 * Reads the file of the input item that a field names.
	 *
	 * @param label the field in messages
	 */
	readFile(this: void, label: string, name: string): Promise<Buffer>;
}

/** What an operation gets for one input item. */
export class OperationContext extends Fields implements ItemContext {
	readonly json?: IDataObject;
	readonly tried: TriedItem;
	readonly group?: GroupPlace;
	readonly showHint: ItemContext['showHint'];
	readonly readFile: ItemContext['readFile'];
	/** Files by the record of the output that has them, as its binary data `data` */
	readonly files: ItemOutput['files'] = new Map();

	constructor(
		{ getParameter, getTimezone }: Fields,
		readonly client: ApiClient,
		item: ItemContext,
	) {
		super(getParameter, getTimezone);
		this.json = item.json;
		this.tried = item.tried;
		this.group = item.group;
		this.showHint = item.showHint;
		this.readFile = item.readFile;
	}

	/** Attaches a file to a record of the output. */
	attach(record: IDataObject, file: BinaryFile): void {
		this.client.run.keep(file.content.length);
		this.files.set(record, file);
	}
}

/** Processes one input item and returns its records. */
export type RunOperation = (context: OperationContext) => Promise<IDataObject[]>;
