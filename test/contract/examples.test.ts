/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the package's files in Node, never inside n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { examples, type WorkflowJson, type WorkflowNode } from '../e2e/examples';
import { createEngine, type Engine } from '../engine/harness/engine';
import { packageRoot } from '../engine/harness/environment';

type Placed = WorkflowNode & {
	position: [number, number];
	typeVersion: number;
	credentials?: Record<string, { id: string }>;
};

/** The newest version of each node that n8n 1.123 has; n8n 2.40 has them all. */
const NEWEST: Record<string, number> = {
	'n8n-nodes-base.compareDatasets': 2.3,
	'n8n-nodes-base.convertToFile': 1.1,
	'n8n-nodes-base.extractFromFile': 1.1,
	'n8n-nodes-base.filter': 2.3,
	'n8n-nodes-base.formTrigger': 2.3,
	'n8n-nodes-base.httpRequest': 4.3,
	'n8n-nodes-base.if': 2.3,
	'n8n-nodes-base.manualTrigger': 1,
	'n8n-nodes-base.merge': 3.2,
	'n8n-nodes-base.noOp': 1,
	'n8n-nodes-base.readWriteFile': 1,
	'n8n-nodes-base.removeDuplicates': 2,
	'n8n-nodes-base.scheduleTrigger': 1.3,
	'n8n-nodes-base.set': 3.4,
	'n8n-nodes-base.sort': 1,
	'n8n-nodes-base.splitOut': 1,
	'n8n-nodes-base.stickyNote': 1,
	'n8n-nodes-base.stopAndError': 1,
	'n8n-nodes-base.summarize': 1.1,
	'n8n-nodes-base.wait': 1.1,
	'@n8n/n8n-nodes-langchain.agent': 3,
	'@n8n/n8n-nodes-langchain.chatTrigger': 1.4,
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 1.3,
	'n8n-nodes-activepieces.activepieces': 1,
	'n8n-nodes-activepieces.activepiecesTool': 1,
	'n8n-nodes-activepieces.activepiecesTrigger': 1,
};

/** Parameters that n8n adds to the node and to its variant as a tool. */
const ADDED_BY_N8N = ['requestOptions', 'descriptionType', 'toolDescription'];

const folder = join(packageRoot, 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const workflow = (file: string) =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson & { nodes: Placed[] };

/** The area of a node on the canvas, including its name below it. */
function area({ type, position: [left, top], parameters }: Placed) {
	const sticky = type === 'n8n-nodes-base.stickyNote';
	const width = sticky ? Number(parameters.width) : 96;
	const height = sticky ? Number(parameters.height) : 144;
	return { left, top, right: left + width, bottom: top + height };
}

let engine: Engine;
beforeAll(async () => {
	engine = await createEngine();
});

test('every example is run by the end-to-end tests and listed in examples/README.md', () => {
	const run = Object.entries(examples).map(([name, { of = name }]) => `${of}.json`);
	expect([...new Set(run)].sort()).toEqual(files);
	const readme = readFileSync(join(folder, 'README.md'), 'utf8');
	for (const file of files) {
		expect(readme).toContain(`(${file})`);
		expect(readme).toContain(`example-${file.replace('.json', '.png')}`);
	}
});

describe.each(files)('%s', (file) => {
	const { id, name, nodes, connections } = workflow(file);

	test('can be imported into n8n 1.123 and 2.40, and contains no secret', () => {
		// PostgreSQL stores 36 characters.
		expect(id).toMatch(/^[\w-]{1,36}$/);
		expect(name).toMatch(/^Activepieces: /);
		for (const { type, typeVersion, credentials } of nodes) {
			expect(Object.keys(NEWEST)).toContain(type);
			expect(typeVersion).toBeLessThanOrEqual(NEWEST[type]);
			if (!type.startsWith('n8n-nodes-activepieces.')) continue;
			expect(credentials).toEqual({
				activepiecesApi: { id: 'activepieces-example', name: 'Activepieces account' },
			});
		}
		expect(JSON.stringify(nodes)).not.toMatch(/sk-\w|hooks\.slack\.com/);
	});

	test('describes itself and what to set, and can be run manually', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes).toHaveLength(1);
		expect(notes[0].parameters.content).toMatch(/^## .+\n\n[^]+### Set up\n1\. /);
		const names = nodes.map((node) => node.name);
		expect(names).toContain('Run Manually');
		expect(new Set(names).size).toBe(names.length);
	});

	test('has connected nodes that do not overlap', () => {
		const byName = new Map(nodes.map((node) => [node.name, node]));
		const linked = new Set<string>();
		for (const [from, kinds] of Object.entries(
			connections as Record<string, Record<string, Array<Array<{ node: string }>>>>,
		)) {
			for (const { node: to } of Object.values(kinds).flat(2)) {
				expect([byName.has(from), byName.has(to)]).toEqual([true, true]);
				linked.add(from).add(to);
			}
		}
		for (const node of nodes) {
			if (node.type !== 'n8n-nodes-base.stickyNote') expect(linked).toContain(node.name);
			const one = area(node);
			for (const other of nodes) {
				if (other === node) continue;
				const two = area(other);
				const apart =
					one.right <= two.left ||
					two.right <= one.left ||
					one.bottom <= two.top ||
					two.bottom <= one.top;
				expect(`${node.name} and ${other.name} apart: ${apart}`).toMatch(/true$/);
			}
		}
	});

	test('sets only parameters that the node has', () => {
		for (const { type, parameters } of nodes) {
			if (!type.startsWith('n8n-nodes-activepieces.')) continue;
			const isTrigger = type.endsWith('Trigger');
			const { properties } = engine.loader.types.nodes[isTrigger ? 1 : 0];
			const known = [...properties.map((property) => property.name), ...ADDED_BY_N8N];
			expect(known).toEqual(expect.arrayContaining(Object.keys(parameters)));
			if (isTrigger) continue;
			const { resource, operation } = parameters as INodeParameters;
			for (const collection of ['filters', 'options']) {
				const field = properties.find(
					(property) =>
						property.name === collection &&
						property.displayOptions?.show?.resource?.includes(resource as string) &&
						property.displayOptions.show.operation?.includes(operation as string),
				);
				const names = (field?.options ?? []).map((option) => option.name);
				expect(names).toEqual(
					expect.arrayContaining(Object.keys((parameters[collection] as object) ?? {})),
				);
			}
		}
	});
});
