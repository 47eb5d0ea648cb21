/** The Request Options of the node. */
import type { IDataObject } from 'n8n-workflow';

import { parseConnectionSettings } from '../transport/credential/connectionSettings';
import { validationError } from '../transport/errors/error';
import type { ConnectionSettings } from '../transport/http/exchange';
import { isRecord, recordOf, textOf } from '../transport/values';
import type { NodeFields } from './fieldReader';

export interface RequestOptions {
	settings: ConnectionSettings;
	/**
	 * Items start in groups of `size`, with this interval between groups, and no more than `size` run at once: with one,
	 * requests are in the order of the input; undefined without Batching
	 */
	batching?: { size: number; intervalMs: number };
}

/** Batching as n8n documents it: -1 turns it off, 0 means 1. */
function parseBatching(value: unknown): RequestOptions['batching'] {
	const batch = isRecord(value) && isRecord(value.batch) ? value.batch : {};
	const size = Number(textOf(batch.batchSize)) || 1;
	const intervalMs = Number(textOf(batch.batchInterval));
	const hasInterval = intervalMs > 0;
	if (size < 0 || (textOf(batch.batchSize) === '' && !hasInterval)) return undefined;
	return { size: Math.max(1, Math.floor(size)), intervalMs: hasInterval ? intervalMs : 0 };
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

/** @throws {ValidationError} when they cannot be used */
export function parseRequestOptions(fields: Pick<NodeFields, 'get' | 'raw'>): RequestOptions {
	const options = recordOf(fields.get('requestOptions', {}));
	assertValues(options, recordOf(fields.raw('requestOptions', {})));
	return {
		settings: parseConnectionSettings(options, WHERE),
		batching: options.batching === undefined ? undefined : parseBatching(options.batching),
	};
}
