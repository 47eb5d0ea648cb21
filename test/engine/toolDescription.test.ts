/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the schemas in Node, never inside n8n */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type INodeParameters, NodeHelpers, Workflow } from 'n8n-workflow';

import { createEngine } from './harness/engine';
import { packageRoot } from './harness/environment';
import { ACTIVEPIECES, createNodeTypes, TOOL } from './harness/nodeTypes';
import { OPERATIONS } from './harness/operations';

interface Schema {
	properties: object;
}

const schemaOf = (pair: string) =>
	JSON.parse(
		readFileSync(
			join(packageRoot, `dist/nodes/Activepieces/__schema__/v1.0.0/${pair.replace('.', '/')}.json`),
			'utf8',
		),
	) as Schema;

/** What n8n tells a model of the node as a tool, and what it calls the tool. */
async function toolOf(parameters: INodeParameters) {
	const nodeTypes = createNodeTypes((await createEngine()).loader);
	const node = {
		id: 'tool',
		name: 'Tool',
		type: TOOL,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const tool = workflow.getNode('Tool')!;
	return {
		description: NodeHelpers.getToolDescriptionForNode(
			tool,
			nodeTypes.getByNameAndVersion(TOOL, 1),
		),
		name: NodeHelpers.makeNodeName(
			tool.parameters,
			nodeTypes.getByNameAndVersion(ACTIVEPIECES, 1).description,
		),
	};
}

const pairs = Object.keys(OPERATIONS).map((pair) => {
	const [resource, operation] = pair.split('.');
	return { pair, resource, operation };
});

test.each(pairs)('$pair: a model reads what it does', async ({ resource, operation }) => {
	const { description, name } = await toolOf({ resource, operation });
	expect(description).toContain('Activepieces');
	expect(description).toMatch(/^[A-Z][a-z]+s |^Returns /);
	expect(description).toMatch(/\breturns?\b/i);
	expect(description.length).toBeLessThanOrEqual(700);
	// Models take no longer names of tools, of which n8n makes "<name> in Activepieces".
	expect(`${name} in Activepieces`.length).toBeLessThanOrEqual(64);
	// Hints for a person in the editor.
	expect(description).not.toMatch(/input item|nodes that follow|turn .* off|plan with|Simplify/i);
});

test.each(pairs.filter(({ operation }) => operation === 'getAll'))(
	'$pair: a model reads how much comes back, its fields and the filters',
	async ({ pair, resource, operation }) => {
		const { description } = await toolOf({ resource, operation });
		expect(description).toContain('at most 50 unless Limit or Return All is set');
		const fields = Object.keys(schemaOf(pair).properties);
		expect(description).toContain(`Fields: ${fields.join(', ')}.`);
		const types = createNodeTypes((await createEngine()).loader);
		const filters = types
			.getByNameAndVersion(ACTIVEPIECES, 1)
			.description.properties.find(
				({ name, displayOptions }) =>
					name === 'filters' && displayOptions?.show?.resource?.includes(resource),
			);
		for (const filter of filters?.options ?? []) {
			expect(description).toContain('displayName' in filter ? filter.displayName : filter.name);
		}
	},
);

test.each(pairs)(
	'$pair: a model reads the fields if it may choose among them',
	async ({ pair, resource, operation }) => {
		const { description } = await toolOf({ resource, operation });
		const { properties } = createNodeTypes((await createEngine()).loader).getByNameAndVersion(
			ACTIVEPIECES,
			1,
		).description;
		const hasOutput = properties.some(
			({ name, displayOptions: { show } = {} }) =>
				name === 'output' &&
				show?.resource?.includes(resource) &&
				show.operation?.includes(operation),
		);
		const fields = Object.keys(schemaOf(pair).properties);
		expect(description.includes(`Fields: ${fields.join(', ')}.`)).toBe(hasOutput);
	},
);

test('a filter is described with its values', async () => {
	const { description } = await toolOf({ resource: 'flow', operation: 'getAll' });
	expect(description).toContain('Status (DISABLED, ENABLED)');
});

test('a person can change it', async () => {
	const toolDescription = 'Only for invoices';
	const { description } = await toolOf({ resource: 'flow', operation: 'get', toolDescription });
	expect(description).toBe(toolDescription);
});
