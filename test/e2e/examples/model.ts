/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import type { AddressInfo } from 'node:net';

import fastify from 'fastify';

interface Message {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: unknown;
	tool_calls?: ToolCall[];
	tool_call_id?: string;
}

interface ToolCall {
	id: string;
	type: 'function';
	function: { name: string; arguments: string };
}

interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	required?: string[];
	default?: unknown;
	enum?: unknown[];
}

interface Tool {
	function: { name: string; description?: string; parameters?: Schema };
}

/** A request to `/chat/completions`, as far as it is used here. */
export interface ChatRequest {
	model: string;
	messages: Message[];
	tools?: Tool[];
	stream?: boolean;
}

/** A server that speaks OpenAI's chat completions, with a very simple mind. */
export interface Model {
	/** Ends in /v1, as the URL of an OpenAI credential does */
	url: string;
	requests: ChatRequest[];
	close(): Promise<void>;
}

/** A value that a tool's schema accepts, and that narrows nothing down. */
function valueFor({ type, default: usual, enum: values }: Schema): unknown {
	if (usual !== undefined) return usual;
	if (values !== undefined) return values[0];
	const kind = Array.isArray(type) ? type[0] : type;
	if (kind === 'number' || kind === 'integer') return 50;
	if (kind === 'boolean') return false;
	if (kind === 'array') return [];
	return kind === 'object' ? {} : '';
}

function callOf({ function: { name, parameters } }: Tool, index: number): ToolCall {
	const values = Object.entries(parameters?.properties ?? {}).map(([property, schema]) => [
		property,
		valueFor(schema),
	]);
	return {
		id: `call_${index}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(Object.fromEntries(values)) },
	};
}

const textOf = (content: unknown): string =>
	typeof content === 'string' ? content : JSON.stringify(content);

/** Calls every tool it is offered; once it has their results, it tells them. */
function reply({ messages, tools = [] }: ChatRequest): Partial<Message> {
	const asked = messages.map(({ role }) => role).lastIndexOf('user');
	const since = messages.slice(asked + 1);
	const results = since.filter(({ role }) => role === 'tool');
	if (results.length === 0 && tools.length > 0) {
		return { content: null, tool_calls: tools.map(callOf) };
	}
	const calls = since.flatMap(({ tool_calls: made = [] }) => made);
	const told = results.map(({ tool_call_id: id, content }) => {
		const name = calls.find((call) => call.id === id)?.function.name ?? 'A tool';
		return `${name} says: ${textOf(content)}`;
	});
	return { content: told.join('\n\n') || 'There are no tools to ask.' };
}

/** The same answer in the form of a stream: everything in one event. */
function asEvents(completion: object, message: Partial<Message>): string {
	const toolCalls = message.tool_calls?.map((call, index) => ({ index, ...call }));
	const delta = { role: 'assistant', ...message, ...(toolCalls ? { tool_calls: toolCalls } : {}) };
	const finish = message.tool_calls ? 'tool_calls' : 'stop';
	const chunk = {
		...completion,
		object: 'chat.completion.chunk',
		choices: [{ index: 0, delta, finish_reason: finish }],
	};
	return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}

/**
 * Starts a stand-in for OpenAI on 127.0.0.1. It calls each tool it is offered once and then answers
 * with what they gave, so that what an agent says can be compared with what the tools read.
 */
export async function startModel(): Promise<Model> {
	const requests: ChatRequest[] = [];
	const app = fastify({ forceCloseConnections: true, bodyLimit: 54 * 1024 * 1024 });

	app.post('/v1/chat/completions', async (request, response) => {
		const chat = request.body as ChatRequest;
		requests.push(chat);
		const message = reply(chat);
		const completion = {
			id: `chatcmpl-${requests.length}`,
			object: 'chat.completion',
			created: 1_767_225_600,
			model: chat.model,
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
		if (chat.stream) {
			return await response.type('text/event-stream').send(asEvents(completion, message));
		}
		return {
			...completion,
			choices: [
				{
					index: 0,
					message: { role: 'assistant', ...message },
					finish_reason: message.tool_calls ? 'tool_calls' : 'stop',
				},
			],
		};
	});

	await app.listen({ port: 0, host: '127.0.0.1' });
	const { port } = app.server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/v1`, requests, close: async () => await app.close() };
}
