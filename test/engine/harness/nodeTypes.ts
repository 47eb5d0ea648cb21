import { RoutingNode, type PackageDirectoryLoader } from 'n8n-core';
import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	NodeConnectionTypes,
	NodeHelpers,
} from 'n8n-workflow';

export const ACTIVEPIECES = 'n8n-nodes-activepieces.activepieces';
/** The node as a tool of an agent, which n8n makes from a node with `usableAsTool`. */
export const TOOL = `${ACTIVEPIECES}Tool`;
/** The node as n8n's command line and older agents run it: through its router. */
export const ROUTED = `${ACTIVEPIECES}Routed`;
export const START = 'test.start';
export const EVALUATE = 'test.evaluate';

const helper = (name: string, inputs: INodeTypeDescription['inputs']): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: '',
	defaults: { name },
	inputs,
	outputs: [NodeConnectionTypes.Main],
	properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
});

/** Returns the items that the run is started with. */
const start: INodeType = {
	description: helper('start', []),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** Evaluates the expression in its parameter `value` for every item, as any later node would. */
const evaluate: INodeType = {
	description: helper('evaluate', [NodeConnectionTypes.Main]),
	async execute(this: IExecuteFunctions) {
		return [
			this.getInputData().map((item, index) => ({
				json: { ...item.json, value: this.getNodeParameter('value', index) as string },
				pairedItem: { item: index },
			})),
		];
	},
};

/** The package's node and two helpers, looked up as n8n does. */
export function createNodeTypes(loader: PackageDirectoryLoader): INodeTypes {
	const helpers: Record<string, INodeType> = { [START]: start, [EVALUATE]: evaluate };
	const getByName = (type: string) =>
		helpers[type] ?? loader.getNode(type.slice(type.lastIndexOf('.') + 1)).type;

	const nodeTypes: INodeTypes = {
		getByName,
		getByNameAndVersion(type, version) {
			if (type === ROUTED) {
				const node = nodeTypes.getByNameAndVersion(ACTIVEPIECES, version);
				return Object.create(node, { customOperations: { value: undefined } }) as INodeType;
			}
			if (type === TOOL) return asTool(nodeTypes.getByNameAndVersion(ACTIVEPIECES, version));
			const node = NodeHelpers.getVersionedNodeType(getByName(type), version);
			// The rule of n8n's node types: a declarative node is executed by its routing.
			if (!node.execute && node.description.requestDefaults) {
				node.execute = async function (this: IExecuteFunctions) {
					const context = this as unknown as ConstructorParameters<typeof RoutingNode>[0];
					return (await new RoutingNode(context, node).runNode()) ?? [];
				};
			}
			return node;
		},
		getKnownTypes: () => ({}),
	};
	return nodeTypes;
}

/** The same node under the name by which its fields recognize a tool (`@tool`). */
function asTool(node: INodeType): INodeType {
	const { description } = node;
	return Object.create(node, {
		description: { value: { ...description, name: `${description.name}Tool` } },
	}) as INodeType;
}
