import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client/client';
import { Fields } from './fields';
import type { GroupPlace } from './group';
import type { BinaryFile, ItemOutput } from './itemOutput';
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

	/** Attaches a file to a record of the output. */
	attach(record: IDataObject, file: BinaryFile): void {
		this.client.run.keep(file.content.length);
		this.files.set(record, file);
	}
}

/** Processes one input item and returns its records. */
export type RunOperation = (context: OperationContext) => Promise<IDataObject[]>;
