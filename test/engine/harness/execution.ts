import { ExecutionLifecycleHooks, WorkflowExecute, type PackageDirectoryLoader } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IBinaryKeyData,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { credentialsHelper, type CredentialSource } from './credentials';
import { createNodeTypes } from './nodeTypes';

/** n8n's own URLs. Nothing is sent there, but the engine parses some of them. */
const N8N_URLS = Object.fromEntries(
	[
		...['restApiUrl', 'instanceBaseUrl', 'formBaseUrl', 'formWaitingBaseUrl', 'formTestBaseUrl'],
		...['webhookBaseUrl', 'webhookWaitingBaseUrl', 'webhookTestBaseUrl'],
		...['mcpBaseUrl', 'mcpTestBaseUrl'],
	].map((name) => [name, `http://n8n.invalid/${name}`]),
);

export const makeNode = (name: string, type: string, parameters: INodeParameters): INode => {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
};

interface Setting {
	loader: PackageDirectoryLoader;
	credential: CredentialSource;
	nodes: INode[];
	connections?: IConnections;
	/** The ID of the workflow, and what its nodes have stored in it */
	id?: string;
	staticData?: IDataObject;
}

/** A workflow in n8n's database, and what n8n's server adds to execute it. */
export function makeWorkflow({ loader, credential, nodes, connections = {}, ...more }: Setting) {
	const { id = 'workflow', staticData } = more;
	const data = {
		id,
		name: 'workflow',
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes,
		connections,
		settings: { executionOrder: 'v1' as const, timezone: 'Europe/Berlin' },
	};
	const workflow = new Workflow({ ...data, nodeTypes: createNodeTypes(loader), staticData });
	/** As far as the engine uses it for these nodes. */
	const additionalData = (mode: WorkflowExecuteMode = 'manual') =>
		({
			credentialsHelper: credentialsHelper(loader, credential),
			hooks: new ExecutionLifecycleHooks(mode, '1', data),
			executionId: '1',
			currentNodeExecutionIndex: 0,
			variables: {},
			...N8N_URLS,
			logAiEvent: () => {},
			setExecutionStatus: () => {},
		}) as unknown as IWorkflowExecuteAdditionalData;
	/** Executes the workflow from its first node, which receives the items, each with the same files. */
	function execute(items: IDataObject[], binary?: IBinaryKeyData) {
		const main = [items.map((json) => ({ json, ...(binary && { binary }) }))];
		const nodeExecutionStack = [{ node: nodes[0], data: { main }, source: null }];
		const runExecutionData = createRunExecutionData({ executionData: { nodeExecutionStack } });
		const execution = new WorkflowExecute(additionalData(), 'manual', runExecutionData);
		return execution.processRunExecutionData(workflow);
	}
	return { workflow, additionalData, execute };
}
