import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../transport/client/client';
import { parseConnectionSettings } from '../transport/client/credential';
import { validationError } from '../transport/errors/error';
import type { ConnectionSettings } from '../transport/http/exchange';
import { isRecord, recordOf, textOf } from '../transport/values';
import type { GroupPlace } from './group';
import type { BinaryFile, ItemOutput, TriedItem } from './retryOnFail';

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

	get(name: string, fallback?: unknown): unknown {
		return this.getParameter(name, fallback);
	}

	raw(name: string, fallback?: unknown): unknown {
		return this.getParameter(name, fallback, { rawExpressions: true });
	}
}

/** The fields of a node, and the client that reads its records. */
export interface ClientFields extends Fields {
	readonly client: ApiClient;
}

export interface RequestOptions {
	settings: ConnectionSettings;
	/** Items start in groups of `size`, with this interval between groups; undefined without Batching */
	batching?: { size: number; intervalMs: number };
}

/** Batching as n8n documents it: -1 turns it off, 0 means 1. */
function parseBatching(value: unknown): RequestOptions['batching'] {
	const batch = isRecord(value) && isRecord(value.batch) ? value.batch : {};
	const size = Number(textOf(batch.batchSize)) || 1;
	const intervalMs = Number(textOf(batch.batchInterval));
	if (size < 0 || !(intervalMs > 0)) return undefined;
	return { size: Math.max(1, Math.floor(size)), intervalMs };
}

/** The fields of Request Options that may be an expression. */
const LABELS: Record<string, string> = {
	allowUnauthorizedCerts: 'Ignore SSL Issues',
	batchInterval: 'Batch Interval',
	batchSize: 'Items per Batch',
	proxy: 'Proxy',
	timeout: 'Timeout',
};

/** An expression without a value would turn its setting off: the key would be sent around the proxy. */
function assertValues(options: IDataObject, saved: IDataObject): void {
	for (const [name, expression] of Object.entries(saved)) {
		const value = options[name];
		if (isRecord(expression)) assertValues(recordOf(value), expression);
		if (typeof expression !== 'string' || !expression.startsWith('=')) continue;
		// An empty text means none, as in an empty field.
		const isBlank = typeof value === 'string' && value !== '' && value.trim() === '';
		if (value !== undefined && value !== null && !isBlank) continue;
		const label = LABELS[name] ?? name;
		throw validationError(
			`The expression in ${label} returns no value`,
			`Change the expression in ${WHERE}. If you do not want to set ${label}, remove it, or return an empty string.`,
		);
	}
}

const WHERE = "the node's Settings tab under Request Options";

/**
 * @param read reads a parameter of the node, like n8n's own function
 * @throws {ValidationError} when they cannot be used
 */
export function parseRequestOptions(read: Fields['getParameter']): RequestOptions {
	const options = recordOf(read('requestOptions', {}));
	assertValues(options, recordOf(read('requestOptions', {}, { rawExpressions: true })));
	return {
		settings: parseConnectionSettings(options, WHERE),
		batching: options.batching === undefined ? undefined : parseBatching(options.batching),
	};
}

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
