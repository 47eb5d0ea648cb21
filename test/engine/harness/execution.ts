import { ExecutionLifecycleHooks, type PackageDirectoryLoader } from 'n8n-core';
import type {
	IConnections,
	INode,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { type CredentialSource, TestCredentialsHelper } from './credentials';

/** n8n's own URLs. Nothing is sent there, but the engine parses some of them. */
const N8N_URLS = Object.fromEntries(
	[
		...['restApiUrl', 'instanceBaseUrl', 'formBaseUrl', 'formWaitingBaseUrl', 'formTestBaseUrl'],
		...['webhookBaseUrl', 'webhookWaitingBaseUrl', 'webhookTestBaseUrl'],
		...['mcpBaseUrl', 'mcpTestBaseUrl'],
	].map((name) => [name, `http://n8n.invalid/${name}`]),
);

/** A workflow in n8n's database. */
export function workflowData(nodes: INode[], connections: IConnections) {
	return {
		id: 'workflow',
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
}

/** What n8n's server adds to an execution, as far as the engine uses it for these nodes. */
export function additionalData(
	loader: PackageDirectoryLoader,
	credential: CredentialSource,
	workflow: IWorkflowBase,
	mode: WorkflowExecuteMode,
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper: new TestCredentialsHelper(loader, credential),
		hooks: new ExecutionLifecycleHooks(mode, '1', workflow),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		variables: {},
		...N8N_URLS,
		logAiEvent: () => {},
		setExecutionStatus: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
