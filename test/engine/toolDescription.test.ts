/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the schemas in Node, never inside n8n */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	type INodeParameters,
	type INodeTypeDescription,
	type INodeTypes,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';

import { cases } from '../operations';
import { createEngine } from './harness/engine';
import { packageRoot } from './harness/environment';
import { ACTIVEPIECES, createNodeTypes, TOOL } from './harness/nodeTypes';

const fieldsOf = (pair: string) => {
	const path = `dist/nodes/Activepieces/__schema__/v1.0.0/${pair.replace('.', '/')}.json`;
	const schema = JSON.parse(readFileSync(join(packageRoot, path), 'utf8')) as {
		properties: object;
	};
	return `Fields: ${Object.keys(schema.properties).join(', ')}.`;
};

let nodeTypes: INodeTypes;
let node: INodeTypeDescription;
beforeAll(async () => {
	nodeTypes = createNodeTypes((await createEngine()).loader);
	node = nodeTypes.getByNameAndVersion(ACTIVEPIECES, 1).description;
});

/** The description and the name of the tool that n8n gives to a model. */
function toolOf(parameters: INodeParameters) {
	const position: [number, number] = [0, 0];
	const data = { id: 'tool', name: 'Tool', type: TOOL, typeVersion: 1, position, parameters };
	const workflow = new Workflow({ nodes: [data], connections: {}, active: false, nodeTypes });
	const tool = workflow.getNode('Tool')!;
	const type = nodeTypes.getByNameAndVersion(TOOL, 1);
	return {
		description: NodeHelpers.getToolDescriptionForNode(tool, type),
		name: NodeHelpers.makeNodeName(tool.parameters, node),
	};
}

const pairs = cases.map(({ pair }) => {
	const [resource, operation] = pair.split('.');
	return { pair, resource, operation };
});

test.each(pairs)('$pair: a model reads what it does', ({ resource, operation }) => {
	const { description, name } = toolOf({ resource, operation });
	expect(description).toContain('Activepieces');
	expect(description).toMatch(/^(Permanently |Immediately )?[A-Za-z][a-z]+s /);
	expect(description).toMatch(/\breturns?\b/i);
	expect(description.length).toBeLessThanOrEqual(700);
	// Models accept no longer names of tools; n8n makes "<name> in Activepieces".
	expect(`${name} in Activepieces`.length).toBeLessThanOrEqual(64);
	// Hints for a person in the editor.
	expect(description).not.toMatch(/input item|nodes that follow|turn .* off|plan with|Simplify/i);
});

const lists = pairs.filter(({ operation }) => operation === 'getAll');
test.each(lists)(
	'$pair: how much comes back, fields and filters',
	({ pair, resource, operation }) => {
		const { description } = toolOf({ resource, operation });
		expect(description).toContain('at most 50 unless Limit or Return All is set');
		expect(description).toContain(fieldsOf(pair));
		for (const filter of node.properties.find(
			({ name, displayOptions }) =>
				name === 'filters' && displayOptions?.show?.resource?.includes(resource),
		)?.options ?? []) {
			expect(description).toContain('displayName' in filter ? filter.displayName : filter.name);
		}
	},
);

test.each(pairs)('$pair: the fields, if one may select them', ({ pair, resource, operation }) => {
	const { description } = toolOf({ resource, operation });
	const hasOutput = node.properties.some(
		({ name, displayOptions: { show } = {} }) =>
			name === 'output' &&
			show?.resource?.includes(resource) &&
			show.operation?.includes(operation),
	);
	expect(description.includes(fieldsOf(pair))).toBe(hasOutput);
});

test('a filter is described with its values', () => {
	const { description } = toolOf({ resource: 'flow', operation: 'getAll' });
	expect(description).toContain('Status (DISABLED, ENABLED)');
});

test('a person can change it', () => {
	const toolDescription = 'Only for invoices';
	const { description } = toolOf({ resource: 'flow', operation: 'get', toolDescription });
	expect(description).toBe(toolDescription);
});
