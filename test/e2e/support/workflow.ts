import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

export interface WorkflowJson {
	id: string;
	name: string;
	active: boolean;
	nodes: Array<Partial<INode> & Pick<INode, 'name' | 'type' | 'parameters'>>;
	connections: IConnections;
	settings?: object;
}

/** The node's type when the package is installed as users install it. */
export const NODE_TYPE = 'n8n-nodes-activepieces.activepieces';
export const TRIGGER_TYPE = 'n8n-nodes-activepieces.activepiecesTrigger';
export const CREDENTIAL_TYPE = 'activepiecesApi';
export const SIGN_IN_TYPE = 'activepiecesSignInApi';

/** A node of a workflow, without a position. */
export type Step = Pick<
	INode,
	'name' | 'type' | 'typeVersion' | 'parameters' | 'credentials' | 'onError'
>;

export const step = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): Step => ({ name, type: `n8n-nodes-base.${type}`, typeVersion, parameters });

export const trigger = () => step('Start', 'manualTrigger', 1, {});

const ours =
	(type: string) =>
	(name: string, credential: string, parameters: INodeParameters): Step => {
		const credentials = { [CREDENTIAL_TYPE]: { id: credential, name: credential } };
		return { name, type, typeVersion: 1, parameters, credentials };
	};

export const activepieces = ours(NODE_TYPE);
export const activepiecesTrigger = ours(TRIGGER_TYPE);

/** Returns each value of a list as an item. */
export const splitOut = (name: string, fieldToSplitOut: string) =>
	step(name, 'splitOut', 1, { fieldToSplitOut, options: {} });

/** Returns this record for each input item; its texts may contain expressions in `{{ }}`. */
export const set = (name: string, record: object) =>
	step(name, 'set', 3.4, { mode: 'raw', jsonOutput: `=${JSON.stringify(record)}` });

/** A workflow with nodes in a row, each with the next one, and the last one with each of the branches. */
export function workflow(id: string, row: Step[], branches: Step[][] = []): WorkflowJson {
	const connections: IConnections = {};
	const [last] = row.slice(-1);
	for (const steps of [row, ...branches.map((branch) => [last, ...branch])]) {
		steps.slice(1).forEach(({ name: node }, index) => {
			const { main } = (connections[steps[index].name] ??= { main: [[]] });
			main[0]?.push({ node, type: 'main', index: 0 });
		});
	}
	const nodes = [...row, ...branches.flat()];
	return {
		id,
		name: id,
		active: false,
		nodes: nodes.map((node, at) => ({ ...node, id: `${id}-${at}`, position: [at * 220, 0] })),
		connections,
		settings: { executionOrder: 'v1' },
	};
}
