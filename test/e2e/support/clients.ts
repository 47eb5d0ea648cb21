/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { createRequire } from 'node:module';

import type { Installation } from './install';

/** The little of `pg` that is needed. */
export interface PostgresClient {
	connect(): Promise<void>;
	query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
	end(): Promise<void>;
}

/** The little of `ioredis` that is needed. */
export interface RedisClient {
	ping(): Promise<string>;
	scan(cursor: string, ...args: Array<string | number>): Promise<[string, string[]]>;
	unlink(...keys: string[]): Promise<number>;
	disconnect(): void;
	on(event: 'error', listener: (error: Error) => void): void;
}

/** Clients for both databases: those that n8n brings along, so that nothing more has to be installed. */
export function clientsOf({ bin }: Installation): {
	postgres(connectionString: string): PostgresClient;
	redis(url: string): RedisClient;
} {
	const requireFromN8n = createRequire(bin);
	const { Client } = requireFromN8n('pg') as {
		Client: new (options: { connectionString: string }) => PostgresClient;
	};
	const Redis = requireFromN8n('ioredis') as new (url: string, options: object) => RedisClient;
	return {
		postgres: (connectionString) => new Client({ connectionString }),
		redis: (url) => {
			const client = new Redis(url, { maxRetriesPerRequest: null });
			// It connects by itself until it can; what cannot be reached is reported by who waits for it.
			client.on('error', () => {});
			return client;
		},
	};
}
