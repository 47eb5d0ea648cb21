/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { RecordedRequest } from './types';

type ParseQuery = (text: string) => Record<string, unknown>;

/** Watches what reaches a server: requests, connections, how many at once. */
export class Traffic {
	readonly requests: RecordedRequest[] = [];
	readonly connections = { peak: 0 };
	readonly inFlight = { now: 0, peak: 0 };
	/** Requests in flight to which no response comes by itself */
	held = 0;
	private readonly sockets = new Set<Socket>();
	private readonly current = new AsyncLocalStorage<ServerResponse>();

	constructor(private readonly parseQuery: ParseQuery) {}

	watch(server: Server): void {
		server.on('connection', (socket) => {
			this.sockets.add(socket);
			this.connections.peak = Math.max(this.connections.peak, this.sockets.size);
			socket.on('close', () => this.sockets.delete(socket));
		});
	}

	/** Records a request on arrival; its status is added with the response. */
	enter(request: IncomingMessage, response: ServerResponse): RecordedRequest {
		const url = request.url ?? '/';
		const [path, ...query] = url.split('?');
		const record: RecordedRequest = {
			method: request.method ?? 'GET',
			url,
			path: path.replace(/^\/api(?=\/|$)/, ''),
			query: this.parseQuery(query.join('?')),
			headers: request.headers,
			body: undefined,
			status: 0,
		};
		this.requests.push(record);
		this.inFlight.now++;
		this.inFlight.peak = Math.max(this.inFlight.peak, this.inFlight.now);
		response.on('close', () => {
			this.inFlight.now--;
			if (response.headersSent) record.status = response.statusCode;
		});
		// 'close' may follow after the client has read everything, so the status has to be set before.
		response.on('finish', () => (record.status = response.statusCode));
		return record;
	}

	/** Handles a request, so that `hold` knows which one waits. */
	handle(response: ServerResponse, handler: () => void): void {
		this.current.run(response, handler);
	}

	/** Counts a request as held until its wait ends, or nobody waits for its response any more. */
	readonly hold = async <T>(wait: Promise<T>): Promise<T> => {
		let isHeld = true;
		const release = () => {
			if (isHeld) this.held--;
			isHeld = false;
		};
		this.held++;
		this.current.getStore()?.once('close', release);
		return await wait.finally(release);
	};

	clearRequests(): void {
		this.requests.length = 0;
		this.connections.peak = this.sockets.size;
		this.inFlight.peak = this.inFlight.now;
	}

	/** Destroys every open connection. */
	cut(): void {
		for (const socket of this.sockets) socket.destroy();
	}
}
