import './environment';

import { PollContext, TriggersAndPollers, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type NodeApiError,
	Workflow,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { memories } from './built';
import { type AnyCredential, typeOf } from './credentials';
import type { Engine } from './engine';
import { additionalData, workflowData } from './execution';
import { createNodeTypes } from './nodeTypes';

export const TRIGGER = 'n8n-nodes-activepieces.activepiecesTrigger';

export { ids } from './byId';

let workflows = 0;

/**
 * A workflow with the trigger in n8n's real poll context. Static data is stored as n8n does: with an
 * execution that a poll has started and after the first poll of an activation, not after a poll without
 * items.
 */
export class TriggerRun {
	/** All items, in order */
	readonly given: IDataObject[] = [];
	/** The error executions */
	readonly errors: NodeApiError[] = [];
	/** Lines of n8n's log at level warn */
	readonly warnings: string[] = [];
	/** Lines at level error */
	readonly logged: string[] = [];
	/** n8n's context, while the workflow is active */
	context: PollContext | undefined;
	/** The static data in n8n's database, as JSON */
	stored: string | undefined;

	private readonly id = `trigger-${workflows++}`;
	private workflow: Workflow | undefined;

	constructor(
		private readonly n8n: { engine: Engine; credential: AnyCredential },
		private parameters: INodeParameters,
	) {}

	/** Throws the error that refuses the activation. */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<void> {
		const { data, node, workflow } = this.makeWorkflow();
		const next = new PollContext(workflow, node, this.additional(data, 'trigger'), 'trigger', mode);
		const emitError = (error: NodeApiError) => this.errors.push(error);
		Object.defineProperty(next, '__emitError', { value: emitError });
		const logger = {
			error: (line: string) => this.logged.push(line),
			warn: (line: string) => this.warnings.push(line),
			debug() {},
			info() {},
		};
		Object.defineProperty(next, 'logger', { value: logger });
		this.workflow = workflow;
		this.context = next;
		await this.pollOnce().catch((error: unknown) => {
			this.deactivate();
			throw error;
		});
		this.store();
	}

	/** Polls once and returns the items; undefined when the workflow was not started. */
	async poll(): Promise<IDataObject[]> {
		return await this.pollOnce().catch((error: NodeApiError) => {
			this.errors.push(error);
			return [];
		});
	}

	deactivate(): void {
		this.workflow = undefined;
		this.context = undefined;
	}

	/** Ends n8n's process and starts another one. */
	async restart(mode: WorkflowActivateMode = 'init'): Promise<void> {
		memories.clear();
		await this.activate(mode);
	}

	/** Saves the workflow with other parameters and publishes it again. */
	async change(parameters: INodeParameters): Promise<void> {
		this.parameters = parameters;
		await this.activate('update');
	}

	/** Runs the trigger alone, like the button in the editor. */
	async fetchTestEvent(): Promise<IDataObject[]> {
		const { data, node, workflow } = this.makeWorkflow();
		const before = JSON.stringify(workflow.staticData);
		const main: INodeExecutionData[][] = [[{ json: {} }]];
		const nodeExecutionStack = [{ node, data: { main }, source: null }];
		const execute = new WorkflowExecute(
			this.additional(data, 'manual'),
			'manual',
			createRunExecutionData({ executionData: { nodeExecutionStack } }),
		);
		const { runData, error } = (await execute.processRunExecutionData(workflow)).data.resultData;
		const failure = runData[node.name]?.[0]?.error ?? error;
		// n8n stores errors of runs as plain objects.
		if (failure !== undefined) {
			const { message, description } = failure;
			throw Object.assign(new Error(message), { description });
		}
		if (JSON.stringify(workflow.staticData) !== before) throw new Error('It remembered something');
		return (runData[node.name]?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
	}

	private additional(data: ReturnType<typeof workflowData>, mode: 'manual' | 'trigger') {
		return additionalData(this.n8n.engine.loader, this.n8n.credential, data, mode);
	}

	private makeWorkflow() {
		const { engine, credential } = this.n8n;
		const node: INode = {
			id: 'trigger',
			name: 'Activepieces Trigger',
			type: TRIGGER,
			typeVersion: 1,
			position: [0, 0],
			parameters: this.parameters,
			credentials: { [typeOf(credential)]: { id: '1', name: 'Activepieces' } },
		};
		const data = { ...workflowData([node], {}), id: this.id };
		const nodeTypes = createNodeTypes(engine.loader);
		const staticData =
			this.stored === undefined ? undefined : (JSON.parse(this.stored) as IDataObject);
		return { data, node, workflow: new Workflow({ ...data, nodeTypes, staticData }) };
	}

	private store(): void {
		if (this.workflow?.staticData.__dataChanged !== true) return;
		this.stored = JSON.stringify(this.workflow.staticData);
		this.workflow.staticData.__dataChanged = false;
	}

	private async pollOnce(): Promise<IDataObject[]> {
		const { workflow, context } = this;
		if (workflow === undefined || context === undefined) throw new Error('Not active');
		const node = Object.values(workflow.nodes)[0];
		const output = await new TriggersAndPollers().runPollFunction(workflow, node, context);
		if (output === null) return [];
		this.store();
		const items = output.flat().map(({ json }) => json);
		this.given.push(...items);
		return items;
	}
}

/** The trigger in a workflow that has been activated. */
export async function activeTrigger(
	...given: ConstructorParameters<typeof TriggerRun>
): Promise<TriggerRun> {
	const run = new TriggerRun(...given);
	await run.activate();
	return run;
}
