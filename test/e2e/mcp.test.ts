import { byId } from '../engine/harness/byId';
import { startService, type Service } from '../service';
import { credentialJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import { createActivation } from './support/triggerEvents';
import { activepieces, NODE_TYPE, type WorkflowJson } from './support/workflow';

const TOOL = 'Get Flow';

/** A workflow whose MCP server has the node as its only tool. */
function mcpWorkflow(): WorkflowJson {
	const flowId = byId("={{ $fromAI('flow', 'The ID of the flow', 'string') }}");
	const tool = activepieces(TOOL, 'example', { resource: 'flow', operation: 'get', flowId });
	return {
		id: 'mcp',
		name: 'mcp',
		active: false,
		nodes: [
			{
				name: 'MCP Server Trigger',
				type: '@n8n/n8n-nodes-langchain.mcpTrigger',
				typeVersion: 2,
				parameters: { path: 'activepieces' },
				webhookId: 'a5bdf6f4-1d1e-4bb3-a5b4-0b0c4fcd5b1f',
				id: 'trigger',
				position: [0, 0],
			},
			{ ...tool, type: `${NODE_TYPE}Tool`, id: 'tool', position: [0, 220] },
		],
		connections: {
			[TOOL]: { ai_tool: [[{ node: 'MCP Server Trigger', type: 'ai_tool', index: 0 }]] },
		},
	};
}

interface Result {
	tools?: Array<{ name: string; description: string; inputSchema: { properties: object } }>;
	content?: Array<{ type: string; text: string }>;
	isError?: boolean;
}

/** A client of an MCP server, over Streamable HTTP. */
function connectTo(url: string) {
	let id = 0;
	const session: Record<string, string> = {};
	async function send(method: string, params: object, isNotification = false): Promise<Result> {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...session,
			},
			body: JSON.stringify({
				jsonrpc: '2.0',
				method,
				params,
				...(isNotification ? {} : { id: ++id }),
			}),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`);
		const sessionId = response.headers.get('mcp-session-id');
		if (sessionId !== null) session['mcp-session-id'] = sessionId;
		if (isNotification) return {};
		const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
		return (JSON.parse(json) as { result: Result }).result;
	}
	return {
		async open() {
			await send('initialize', {
				protocolVersion: '2025-03-26',
				capabilities: {},
				clientInfo: { name: 'test', version: '1' },
			});
			await send('notifications/initialized', {}, true);
		},
		tools: async () => (await send('tools/list', {})).tools ?? [],
		call: async (name: string, args: object) => await send('tools/call', { name, arguments: args }),
	};
}

// n8n calls its router for the tools of the MCP Server Trigger, with one item each time.
describe.each(N8N_RELEASES)('n8n %s, the node as a tool of the MCP Server Trigger', (n8n) => {
	let service: Service;
	const running = useN8n(n8n, async (ends) => {
		service = await ends(startService({ data: { flows: 12 } }));
		return [[credentialJson('example', service)], [mcpWorkflow()]];
	});
	const activation = createActivation(running);

	test('a client lists the tool, reads a record with it, and reads what is wrong', async () => {
		await activation.activate(running.workflows.mcp);
		const client = connectTo(`${running.server.url}/mcp/activepieces`);
		await client.open();
		const [tool, ...others] = await client.tools();
		expect(others).toEqual([]);
		expect(tool.name).toBe('Get_Flow');
		expect(tool.description).toMatch(/^Returns /);
		expect(Object.keys(tool.inputSchema.properties)).toEqual(['flow']);
		const [, flow] = service.data.flows;
		service.clearRequests();
		const { content = [] } = await client.call(tool.name, { flow: flow.id });
		expect(content[0].text).toContain(flow.version.displayName);
		expect(service.requests.map(({ path }) => path)).toEqual([`/v1/flows/${flow.id}`]);
		const unknown = await client.call(tool.name, { flow: 'x'.repeat(21) });
		expect(unknown.content?.[0].text).toMatch(/Flow "x+" was not found/);
		await activation.deactivate(running.workflows.mcp);
	});
});
