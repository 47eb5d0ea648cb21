import fastify from 'fastify';

import type { CredentialJson } from '../support/headless';

/** The fields of a request to `/chat/completions` that are used here. */
interface ChatRequest {
	model: string;
	messages: Array<{ role: string; content: unknown; tool_call_id?: string }>;
	tools?: Array<{
		function: { name: string; parameters?: { properties?: Record<string, { default?: unknown }> } };
	}>;
}

/** The credential of the example with an agent. */
export const modelCredential = ({ url }: { url: string }): CredentialJson => ({
	id: 'openai-example',
	name: 'OpenAI account',
	type: 'openAiApi',
	data: { apiKey: 'no key is needed here', url },
});

/** The arguments of a call, if they are not the defaults of the tool's fields. */
type Arguments = () => object | undefined;

/** Calls every tool in the request; once it has their results, it returns them. */
function reply({ messages, tools = [] }: ChatRequest, given: Arguments): object {
	const results = messages.filter(({ role }) => role === 'tool');
	if (results.length > 0) {
		const told = results.map(({ tool_call_id: name, content }) => `${name} says: ${content}`);
		return { content: told.join('\n\n') };
	}
	const calls = tools.map(({ function: { name, parameters: { properties = {} } = {} } }) => {
		const values = Object.entries(properties).map(([field, { default: usual = '' }]) => [
			field,
			usual,
		]);
		const args = JSON.stringify(given() ?? Object.fromEntries(values));
		// The ID is its name, to recognize the result.
		return { id: name, type: 'function', function: { name, arguments: args } };
	});
	return { content: null, tool_calls: calls };
}

/**
 * Starts a stand-in for OpenAI on 127.0.0.1. It calls each tool once, and then responds with the results, so that an agent's output can be compared with what its tools read.
 */
export async function startModel(given: Arguments = () => undefined) {
	const app = fastify({ forceCloseConnections: true, bodyLimit: 54 * 1024 * 1024 });
	app.post('/v1/chat/completions', async ({ body }) => {
		const message = { role: 'assistant', ...reply(body as ChatRequest, given) };
		const finish = 'tool_calls' in message ? 'tool_calls' : 'stop';
		return {
			id: 'chatcmpl-1',
			object: 'chat.completion',
			created: 1_767_225_600,
			model: (body as ChatRequest).model,
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			choices: [{ index: 0, finish_reason: finish, message }],
		};
	});
	const origin = await app.listen({ port: 0, host: '127.0.0.1' });
	// As the URL of an OpenAI credential
	return { url: `${origin}/v1`, close: async () => await app.close() };
}
