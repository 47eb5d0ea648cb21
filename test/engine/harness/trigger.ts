import './environment';

import { PollContext, TriggersAndPollers } from 'n8n-core';
import type {
	IDataObject,
	INodeParameters,
	NodeApiError,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { activations } from './built';
import { selectionOf, typeOf, type AnyCredential } from './credentials';
import type { Engine } from './engine';
import { makeNode, makeWorkflow } from './execution';

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
	context?: PollContext;
	/** The static data in n8n's database, as JSON */
	stored?: string;

	private readonly id = `trigger-${workflows++}`;

	constructor(
		private readonly n8n: { engine: Engine; credential: AnyCredential },
		private parameters: INodeParameters,
	) {}

	/** Throws the error that refuses the activation. */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<void> {
		const { node, workflow, additionalData } = this.makeWorkflow();
		const next = new PollContext(workflow, node, additionalData('trigger'), 'trigger', mode);
		const logger = {
			error: (line: string) => this.logged.push(line),
			warn: (line: string) => this.warnings.push(line),
			debug() {},
			info() {},
		};
		Object.defineProperties(next, {
			__emitError: { value: (error: NodeApiError) => this.errors.push(error) },
			logger: { value: logger },
		});
		this.context = next;
		await this.pollOnce().catch((error: unknown) => {
			this.deactivate();
			throw error;
		});
		this.store(next);
	}

	/** Polls once and returns the items. */
	async poll(): Promise<IDataObject[]> {
		return await this.pollOnce().catch((error: NodeApiError) => {
			this.errors.push(error);
			return [];
		});
	}

	deactivate(): void {
		this.context = undefined;
	}

	/** Ends n8n's process and starts another one. */
	async restart(mode: WorkflowActivateMode = 'init'): Promise<void> {
		activations.clear();
		await this.activate(mode);
	}

	/** Saves the workflow with other parameters and publishes it again. */
	async change(parameters: INodeParameters): Promise<void> {
		this.parameters = parameters;
		await this.activate('update');
	}

	/** Runs the trigger alone, like the button in the editor. */
	async fetchTestEvent(): Promise<IDataObject[]> {
		const { node, workflow, execute } = this.makeWorkflow();
		const before = JSON.stringify(workflow.staticData);
		const { runData, error } = (await execute([{}])).data.resultData;
		const failure = runData[node.name]?.[0]?.error ?? error;
		// n8n stores errors of runs as plain objects.
		if (failure !== undefined) {
			const { message, description } = failure;
			throw Object.assign(new Error(message), { description });
		}
		if (JSON.stringify(workflow.staticData) !== before) throw new Error('It remembered something');
		return (runData[node.name]?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
	}

	private makeWorkflow() {
		const { id, n8n, stored = '{}' } = this;
		const { engine, credential } = n8n;
		const parameters = { ...selectionOf(credential), ...this.parameters };
		const type = 'n8n-nodes-activepieces.activepiecesTrigger';
		const credentials = { [typeOf(credential)]: { id: '1', name: 'Activepieces' } };
		const node = { ...makeNode('Activepieces Trigger', type, parameters), credentials };
		const staticData = JSON.parse(stored) as IDataObject;
		const setting = { loader: engine.loader, credential, nodes: [node], id, staticData };
		return { node, ...makeWorkflow(setting) };
	}

	private store({ workflow: { staticData } }: PollContext): void {
		if (staticData.__dataChanged !== true) return;
		this.stored = JSON.stringify(staticData);
		staticData.__dataChanged = false;
	}

	private async pollOnce(): Promise<IDataObject[]> {
		const { context } = this;
		if (context === undefined) throw new Error('Not active');
		const { workflow, node } = context;
		const output = await new TriggersAndPollers().runPollFunction(workflow, node, context);
		if (output === null) return [];
		this.store(context);
		const items = output.flat().map(({ json }) => json);
		this.given.push(...items);
		return items;
	}
}

export async function activeTrigger(
	...given: ConstructorParameters<typeof TriggerRun>
): Promise<TriggerRun> {
	const run = new TriggerRun(...given);
	await run.activate();
	return run;
}
