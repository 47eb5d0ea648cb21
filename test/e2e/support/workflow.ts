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

export const trigger = (): Step => ({
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
});

const ours =
	(type: string) =>
	(
		name: string,
		credential: string,
		parameters: INodeParameters,
		more: Pick<Step, 'onError'> = {},
	): Step => {
		const credentials = { [CREDENTIAL_TYPE]: { id: credential, name: credential } };
		return { name, type, typeVersion: 1, parameters, credentials, ...more };
	};

export const activepieces = ours(NODE_TYPE);
export const activepiecesTrigger = ours(TRIGGER_TYPE);

/** Posts the value of an expression as JSON. */
export const post = (url: string, jsonBody: string): Step => ({
	name: 'Post',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody, options: {} },
});

/** Returns each value of a list as an item. */
export const splitOut = (name: string, fieldToSplitOut: string): Step => ({
	name,
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut, options: {} },
});

/** Returns each of the rows as an item. */
export const rows = (name: string, values: object[]): Step[] => [
	{
		name: `${name} as List`,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows: values }) },
	},
	splitOut(name, 'rows'),
];

/** Returns an item for each input item, with fields from expressions. */
export const fields = (name: string, values: Record<string, string>): Step => ({
	name,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: Object.entries(values).map(([field, value], index) => ({
				id: `${name}-${index}`,
				name: field,
				type: 'string',
				value,
			})),
		},
	},
});

/** A connection between two nodes. */
interface Link {
	from: string;
	to: string;
}

/** Connects nodes in a row. */
export function chain(...steps: Step[]): Link[] {
	return steps.slice(1).map(({ name }, index) => ({ from: steps[index].name, to: name }));
}

/** Connects nodes in a row, and the last one with each of the others. */
export function fromEach(first: Step[], others: Step[]): Link[] {
	const [last] = first.slice(-1);
	return [...chain(...first), ...others.map(({ name }) => ({ from: last.name, to: name }))];
}

export function workflow(id: string, steps: Step[], links: Link[]): WorkflowJson {
	const connections: IConnections = {};
	for (const { from, to } of links) {
		const { main } = (connections[from] ??= { main: [[]] });
		main[0]?.push({ node: to, type: 'main', index: 0 });
	}
	return {
		id,
		name: id,
		active: false,
		nodes: steps.map((step, at) => ({ ...step, id: `${id}-${at}`, position: [at * 220, 0] })),
		connections,
		settings: { executionOrder: 'v1' },
	};
}
