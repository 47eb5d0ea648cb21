/** What an operation gets for an input item, and what it gives. */
import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../transport/client/request';
import type { FieldReader } from './fieldReader';
import type { Grouping, GroupPlace } from './group';

/** Ends an item that runs once more after others; nothing was sent but reads. */
export class RunLater extends Error {}

/** A text, or one about several items of the run, which is read when they have run */
export type Hint = string | (() => string);

interface BinaryFile {
	content: Buffer;
	mimeType: string;
	fileName?: string;
}

export interface ItemOutput {
	records: IDataObject[];
	/** By the record that has it, as its binary data `data` */
	files: Map<IDataObject, BinaryFile>;
	/** Shown with it in the editor, and told a model; with their kinds */
	hints: Map<Hint, string | undefined>;
}

export interface OperationContext extends FieldReader {
	/** The value of `{{ $json }}` for the input item; undefined in n8n's router, whose agents use another item */
	json?: IDataObject;
	/** Whether a model calls the node */
	isTool: boolean;
	/**
	 * Claims a key for this item, in all tries of *Retry On Fail*. Returns what messages call the item that claimed it first;
	 * undefined if that is this one
	 */
	claim: (key: string) => string | undefined;
	/** For an operation whose items are sent together */
	group?: GroupPlace;
	/**
	 * Shows a hint at the output in the editor, once per text; a model gets it as the last item. Of many texts of one kind,
	 * the editor shows the first and their number. An operation with hints of several kinds names them
	 */
	showHint: (hint: Hint, kind?: string) => void;
	/** Runs the item once more after others, which may make what it lacks; undefined when none is left to wait for */
	runLater?: () => never;
	/** Says that a list goes on after its Limit */
	onMore: (noun: string) => void;
	/** Whether the input item has files */
	hasInputFile: boolean;
	/** Reads the file of the input item that a field names; `label` is the field in messages */
	readFile: (label: string, name: string) => Promise<Buffer>;
	/** Files of the output */
	files: ItemOutput['files'];
}

/** Processes one input item and returns its records. */
export type RunOperation = (context: OperationContext) => Promise<IDataObject[]>;

/** What of an operation processes the input items. */
export interface Runnable {
	/** As written in the contract; `test/contract` compares both directions */
	endpoint: Endpoint;
	/** Whether items run at once; by default unless it sends a POST */
	isParallel?: boolean;
	/** For items that are sent together, which `join` the group of the context */
	grouping?: Grouping;
	run: RunOperation;
}
