import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { limits } from '../transport/limits';
import { isRecord } from '../transport/isRecord';
import { parseProxy } from './proxy';

/** n8n's Request Options, which it adds to every declarative node. */
export interface RequestOptions {
	/** What each request starts from */
	requestDefaults: Partial<IHttpRequestOptions>;
	/** Items are started in groups of `size`, each so long after the one before; nothing without Batching */
	batching?: { size: number; intervalMs: number };
}

/** Batching as n8n describes it: -1 turns it off, 0 is 1. */
function parseBatching(value: unknown): RequestOptions['batching'] {
	const batch = isRecord(value) && isRecord(value.batch) ? value.batch : {};
	const size = Number(batch.batchSize ?? 1);
	const intervalMs = Number(batch.batchInterval ?? 0);
	if (size < 0 || !(intervalMs > 0)) return undefined;
	return { size: Math.max(1, Math.floor(size)), intervalMs };
}

/**
 * Reads n8n's Request Options.
 *
 * @param value the parameter `requestOptions`
 * @throws {ValidationError} when Proxy is not an address
 */
export function parseRequestOptions(value: unknown): RequestOptions {
	const { allowUnauthorizedCerts, batching, proxy, timeout }: IDataObject = isRecord(value)
		? value
		: {};
	return {
		requestDefaults: {
			skipSslCertificateValidation: allowUnauthorizedCerts === true,
			timeout: typeof timeout === 'number' && timeout > 0 ? timeout : limits.requestTimeoutMs,
			...parseProxy(proxy),
		},
		batching: parseBatching(batching),
	};
}
