import type { IDataObject } from 'n8n-workflow';

import {
	type ConnectionSettings,
	parseConnectionSettings,
} from '../transport/connection/connectionSettings';
import { isRecord } from '../transport/values/isRecord';

/** n8n's Request Options, which it adds to every declarative node. */
export interface RequestOptions {
	/** Override the settings of the credential */
	settings: ConnectionSettings;
	/** Items start in groups of `size`, with this interval between groups; undefined without Batching */
	batching?: { size: number; intervalMs: number };
}

/** Converts a number, also from text; 0 for any other value. */
const toNumber = (value: unknown): number =>
	(typeof value === 'number' || typeof value === 'string' ? Number(value) : 0) || 0;

/** Batching as n8n documents it: -1 turns it off, 0 means 1. */
function parseBatching(value: unknown): RequestOptions['batching'] {
	const batch = isRecord(value) && isRecord(value.batch) ? value.batch : {};
	const size = toNumber(batch.batchSize) || 1;
	const intervalMs = toNumber(batch.batchInterval);
	if (size < 0 || !(intervalMs > 0)) return undefined;
	return { size: Math.max(1, Math.floor(size)), intervalMs };
}

/**
 * Reads n8n's Request Options.
 *
 * @param value the parameter `requestOptions`
 * @throws {ValidationError} when an option cannot be used
 */
export function parseRequestOptions(value: unknown): RequestOptions {
	const options: IDataObject = isRecord(value) ? value : {};
	return {
		settings: parseConnectionSettings(options, "the node's Settings tab under Request Options"),
		batching: parseBatching(options.batching),
	};
}
