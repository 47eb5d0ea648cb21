import type { ApiClient } from '../transport/client';
import { isSuccess } from '../transport/response';

/** A client, and the time of its server. */
export interface TimedClient {
	client: ApiClient;
	/** Milliseconds since 1970 by the first answer of the service that told it; nothing before one has */
	serviceTime(): number | undefined;
}

/** Reads the server's clock off its answers. That of n8n may differ, and decides nothing. */
export function timedClient(client: ApiClient): TimedClient {
	let time: number | undefined;
	return {
		client: {
			...client,
			async request(options) {
				const response = await client.request(options);
				// A proxy that refuses tells a time of its own.
				if (isSuccess(response)) time ??= response.date;
				return response;
			},
		},
		serviceTime: () => time,
	};
}
