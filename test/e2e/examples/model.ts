/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import type { AddressInfo } from 'node:net';

import fastify from 'fastify';

interface ToolCall {
	id: string;
	type: 'function';
	function: { name: string; arguments: string };
}

interface Message {
	role: string;
	content: unknown;
	tool_calls?: ToolCall[];
	tool_call_id?: string;
}

interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
	default?: unknown;
	enum?: unknown[];
}

/** The fields of a request to `/chat/completions` that are used here. */
interface ChatRequest {
	model: string;
	messages: Message[];
	tools?: Array<{ function: { name: string; parameters?: Schema } }>;
	stream?: boolean;
}

/** A stand-in for OpenAI's chat completions, which calls every tool once. */
export interface Model {
	/** Ends in /v1, as the URL of an OpenAI credential does */
	url: string;
	close(): Promise<void>;
}

/** A value that a tool's schema accepts, and that filters nothing. */
function valueFor({ type, default: usual, enum: values }: Schema): unknown {
	if (usual !== undefined) return usual;
	if (values !== undefined) return values[0];
	const kind = Array.isArray(type) ? type[0] : type;
	if (kind === 'number' || kind === 'integer') return 50;
	if (kind === 'boolean') return false;
	if (kind === 'array') return [];
	return kind === 'object' ? {} : '';
}

/** Calls every tool in the request; once it has their results, it returns them. */
function reply({ messages, tools = [] }: ChatRequest): Partial<Message> {
	const asked = messages.map(({ role }) => role).lastIndexOf('user');
	const since = messages.slice(asked + 1);
	const results = since.filter(({ role }) => role === 'tool');
	if (results.length === 0 && tools.length > 0) {
		const calls = tools.map(({ function: { name, parameters } }, index): ToolCall => {
			const values = Object.entries(parameters?.properties ?? {}).map(([property, schema]) => [
				property,
				valueFor(schema),
			]);
			const text = JSON.stringify(Object.fromEntries(values));
			return { id: `call_${index}`, type: 'function', function: { name, arguments: text } };
		});
		return { content: null, tool_calls: calls };
	}
	const calls = since.flatMap(({ tool_calls: made = [] }) => made);
	const told = results.map(({ tool_call_id: id, content }) => {
		const name = calls.find((call) => call.id === id)?.function.name ?? 'A tool';
		return `${name} says: ${typeof content === 'string' ? content : JSON.stringify(content)}`;
	});
	return { content: told.join('\n\n') || 'There are no tools to ask.' };
}

/**
 * Starts a stand-in for OpenAI on 127.0.0.1. It calls each tool once and then responds with the results,
 * so that an agent's output can be compared with what its tools read.
 */
export async function startModel(): Promise<Model> {
	const app = fastify({ forceCloseConnections: true, bodyLimit: 54 * 1024 * 1024 });

	app.post('/v1/chat/completions', async (request, response) => {
		const chat = request.body as ChatRequest;
		const message = { role: 'assistant', ...reply(chat) };
		const choice = { index: 0, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' };
		const completion = {
			id: 'chatcmpl-1',
			object: 'chat.completion',
			created: 1_767_225_600,
			model: chat.model,
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
		if (!chat.stream) return { ...completion, choices: [{ ...choice, message }] };
		// The same as a stream, with everything in one event.
		const toolCalls = message.tool_calls?.map((call, index) => ({ index, ...call }));
		const delta = { ...message, ...(toolCalls && { tool_calls: toolCalls }) };
		const object = 'chat.completion.chunk';
		const chunk = { ...completion, object, choices: [{ ...choice, delta }] };
		const events = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
		return await response.type('text/event-stream').send(events);
	});

	await app.listen({ port: 0, host: '127.0.0.1' });
	const { port } = app.server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/v1`, close: async () => await app.close() };
}
