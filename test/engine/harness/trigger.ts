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
import type { TestContext } from './service';

export const TRIGGER = 'n8n-nodes-activepieces.activepiecesTrigger';

/**
 * A workflow with the trigger in n8n's real poll context. Static data is kept as n8n keeps it: stored with
 * an execution that a poll has started and after the poll of an activation, not after one that gave
 * nothing.
 */
export interface TriggerRun {
	/** Everything that came out, in order */
	given: IDataObject[];
	/** What became an error execution */
	errors: NodeApiError[];
	/** Lines of n8n's log, those at level warn */
	warnings: string[];
	/** Those at level error */
	logged: string[];
	/** n8n's context, while the workflow is active */
	readonly context: object | undefined;
	/** What n8n has stored, as JSON */
	stored: string | undefined;
	/** Throws what refuses the activation. */
	activate(mode?: WorkflowActivateMode): Promise<void>;
	/** Polls once and gives what came out; nothing when the workflow was not started. */
	poll(): Promise<IDataObject[]>;
	deactivate(): void;
	/** Ends n8n's process and starts another one. */
	restart(mode?: WorkflowActivateMode): Promise<void>;
	/** Saves the workflow with other parameters and publishes it again. */
	change(parameters: INodeParameters): Promise<void>;
	/** Runs the trigger alone, as the button of the editor does. */
	fetchTestEvent(): Promise<IDataObject[]>;
}

export const ids = (items: IDataObject[]) => items.map(({ id }) => id);

let workflows = 0;

export function createTriggerRun(
	engine: Engine,
	credential: AnyCredential,
	parameters: INodeParameters,
): TriggerRun {
	const { loader } = engine;
	const nodeTypes = createNodeTypes(loader);
	const pollers = new TriggersAndPollers();
	const id = `trigger-${workflows++}`;
	let current = parameters;
	let workflow: Workflow | undefined;
	let context: PollContext | undefined;

	function makeWorkflow() {
		const node: INode = {
			id: 'trigger',
			name: 'Activepieces Trigger',
			type: TRIGGER,
			typeVersion: 1,
			position: [0, 0],
			parameters: current,
			credentials: { [typeOf(credential)]: { id: '1', name: 'Activepieces' } },
		};
		const data = { ...workflowData([node], {}), id };
		const staticData =
			run.stored === undefined ? undefined : (JSON.parse(run.stored) as IDataObject);
		return { data, node, workflow: new Workflow({ ...data, nodeTypes, staticData }) };
	}

	function store() {
		if (workflow === undefined || workflow.staticData.__dataChanged !== true) return;
		run.stored = JSON.stringify(workflow.staticData);
		workflow.staticData.__dataChanged = false;
	}

	async function pollOnce(): Promise<IDataObject[]> {
		if (workflow === undefined || context === undefined) throw new Error('Not active');
		const node = Object.values(workflow.nodes)[0];
		const output = await pollers.runPollFunction(workflow, node, context);
		if (output === null) return [];
		store();
		const items = output.flat().map(({ json }) => json);
		run.given.push(...items);
		return items;
	}

	const run: TriggerRun = {
		given: [],
		errors: [],
		warnings: [],
		logged: [],
		get context() {
			return context;
		},
		stored: undefined,
		async activate(mode = 'activate') {
			const made = makeWorkflow();
			const additional = additionalData(loader, credential, made.data, 'trigger');
			const next = new PollContext(made.workflow, made.node, additional, 'trigger', mode);
			Object.defineProperty(next, '__emitError', {
				value: (error: NodeApiError) => run.errors.push(error),
			});
			Object.defineProperty(next, 'logger', {
				value: {
					error: (line: string) => run.logged.push(line),
					warn: (line: string) => run.warnings.push(line),
					debug() {},
					info() {},
				},
			});
			workflow = made.workflow;
			context = next;
			await pollOnce().catch((error: unknown) => {
				run.deactivate();
				throw error;
			});
			store();
		},
		async poll() {
			try {
				return await pollOnce();
			} catch (error) {
				run.errors.push(error as NodeApiError);
				return [];
			}
		},
		deactivate() {
			workflow = undefined;
			context = undefined;
		},
		async restart(mode = 'init') {
			memories.clear();
			await run.activate(mode);
		},
		async change(next) {
			current = next;
			await run.activate('update');
		},
		async fetchTestEvent() {
			const { data, node, workflow: own } = makeWorkflow();
			const before = JSON.stringify(own.staticData);
			const input: INodeExecutionData[][] = [[{ json: {} }]];
			const execute = new WorkflowExecute(
				additionalData(loader, credential, data, 'manual'),
				'manual',
				createRunExecutionData({
					executionData: { nodeExecutionStack: [{ node, data: { main: input }, source: null }] },
				}),
			);
			const { runData, error } = (await execute.processRunExecutionData(own)).data.resultData;
			const failure = runData[node.name]?.[0]?.error ?? error;
			// n8n keeps errors of runs as plain objects.
			if (failure !== undefined) {
				const { message, description } = failure;
				throw Object.assign(new Error(message), { description });
			}
			if (JSON.stringify(own.staticData) !== before) throw new Error('It remembered something');
			return (runData[node.name]?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
		},
	};
	return run;
}

/** The trigger in a workflow that has been activated. */
export async function activeTrigger(
	{ engine, credential }: TestContext,
	parameters: INodeParameters,
): Promise<TriggerRun> {
	const run = createTriggerRun(engine, credential, parameters);
	await run.activate();
	return run;
}
