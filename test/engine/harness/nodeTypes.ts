import { RoutingNode, type PackageDirectoryLoader } from 'n8n-core';
import { NodeHelpers, type IExecuteFunctions, type INodeType, type INodeTypes } from 'n8n-workflow';

export const ACTIVEPIECES = 'n8n-nodes-activepieces.activepieces';
/** The node as a tool of an agent, which n8n makes from a node with `usableAsTool`. */
export const TOOL = `${ACTIVEPIECES}Tool`;
/** The node as n8n's router runs it: for the MCP Server Trigger, older agents, and a tool that is executed alone. */
export const ROUTED = `${ACTIVEPIECES}Routed`;
/** The nodes before and after it */
export const HELPER = 'test.helper';

/** Evaluates the expression in its parameter `value`, if it has one, for every item, as any other node would. */
const helper: INodeType = {
	description: {
		displayName: 'Helper',
		name: 'helper',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: 'Helper' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	},
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData().map(({ json, ...more }, item) => {
			const value = this.getNodeParameter('value', item) as string;
			return { ...more, json: value === '' ? json : { ...json, value }, pairedItem: { item } };
		});
		return [items];
	},
};

/** The package's nodes and the helper, looked up as n8n does. */
export function createNodeTypes(loader: PackageDirectoryLoader): INodeTypes {
	const getByName = (type: string) =>
		type === HELPER ? helper : loader.getNode(type.slice(type.lastIndexOf('.') + 1)).type;

	const nodeTypes: INodeTypes = {
		getByName,
		getByNameAndVersion(type, version) {
			if (type === ROUTED || type === TOOL) {
				const node = nodeTypes.getByNameAndVersion(ACTIVEPIECES, version);
				// Its fields recognize a tool by the name (`@tool`).
				const description = { ...node.description, name: `${node.description.name}Tool` };
				const tool = { description: { value: description } };
				const routed = { customOperations: { value: undefined } };
				return Object.create(node, type === TOOL ? tool : routed) as INodeType;
			}
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
