import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { isInDoubt } from '../transport/errors/activepiecesError';
import { limits } from '../transport/limits';
import type { Endpoint } from '../transport/request/endpoint';
import { createRunState, type RunState } from '../transport/run/runState';
import { reuseEarlierResults } from './doOnce';
import { type FailedItem, handleItem, type InputItem } from './itemHandler';
import type { Concurrency, RunOperation } from './operationContext';
import { parseRequestOptions, type RequestOptions } from './requestOptions';
import { toNodeError } from './toNodeError';
import { triedItem } from './triedItem';

/**
 * Reads Request Options once, when the first item needs them, because they apply to all items. If they
 * cannot be used, every item fails.
 */
function readOptions(context: IExecuteFunctions): () => RequestOptions {
	let options: RequestOptions | undefined;
	return () => (options ??= parseRequestOptions(context.getNodeParameter('requestOptions', 0, {})));
}

/** Batching; undefined if Request Options cannot be used, since every item then reports that itself. */
function readBatching(requestOptions: () => RequestOptions): RequestOptions['batching'] {
	try {
		return requestOptions().batching;
	} catch {
		return undefined;
	}
}

/**
 * Waits, with Batching, until the group of an item may start.
 *
 * @returns whether the item may start at all
 */
function createBatchGate(batching: RequestOptions['batching'], run: RunState) {
	let turn: Promise<unknown> = Promise.resolve();
	return async (index: number): Promise<boolean> => {
		if (batching !== undefined) {
			if (index > 0 && index % batching.size === 0) {
				turn = turn.then(async () => await run.end.wait(batching.intervalMs));
			}
			await turn;
		}
		return !run.end.isEnded;
	};
}

/** How many items run at once. Changes by POST may depend on each other, so they keep their order. */
export const concurrencyOf = ({ method }: Endpoint): number =>
	method === 'POST' ? 1 : limits.maxConcurrency;

/** Runs the input items of one run of the node. */
class ItemsRun {
	private readonly input: INodeExecutionData[];

	private readonly run: RunState;

	private readonly requestOptions: () => RequestOptions;

	private readonly batching: RequestOptions['batching'];

	private readonly isDue: (index: number) => Promise<boolean>;

	private readonly output: INodeExecutionData[][] = [];

	private readonly failures: FailedItem[] = [];

	private readonly hints = new Set<string>();

	/** Notes of items that were interrupted by the end of the run */
	private readonly notes: string[] = [];

	private done = 0;

	private ambiguous = 0;

	private next = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly endpoint: Endpoint,
		private readonly operation: RunOperation,
	) {
		this.input = context.getInputData();
		this.run = createRunState({ cancelSignal: context.getExecutionCancelSignal() });
		this.requestOptions = readOptions(context);
		this.batching = readBatching(this.requestOptions);
		this.isDue = createBatchGate(this.batching, this.run);
	}

	async execute(concurrency: Concurrency | undefined): Promise<INodeExecutionData[][]> {
		const length = Math.min(this.atOnce(concurrency), this.input.length);
		await Promise.all(Array.from({ length }, async () => await this.work()));
		// Stops requests that were sent ahead and are not needed any more.
		this.run.end.stop();

		if (this.run.end.isCancelled) throw this.cancelled();
		const [failure] = this.failures.sort((a, b) => a.origin.itemIndex - b.origin.itemIndex);
		if (failure !== undefined) {
			await this.run.settled();
			throw this.failed(failure);
		}
		for (const message of this.hints) {
			this.context.addExecutionHints({ message, location: 'outputPane' });
		}
		return [this.output.flat()];
	}

	/** How many items run at once. */
	private atOnce(concurrency: Concurrency | undefined): number {
		const own = concurrency?.((name, fallback) =>
			this.context.getNodeParameter(name, 0, fallback, { rawExpressions: true }),
		);
		return own === undefined
			? concurrencyOf(this.endpoint)
			: Math.min(this.batching?.size ?? own, limits.maxConcurrency);
	}

	private async work(): Promise<void> {
		while (this.next < this.input.length && !this.run.end.isEnded) {
			const index = this.next++;
			if (await this.isDue(index)) await this.runItem(index);
		}
	}

	private itemAt(index: number): InputItem {
		const { context } = this;
		const input = this.input[index];
		return {
			context,
			itemIndex: index,
			input,
			runState: this.run,
			requestOptions: this.requestOptions,
			json: input.json,
			triedItem: triedItem(context, index, input),
			getParameter: (name, fallback, options) =>
				context.getNodeParameter(name, index, fallback, options),
			getTimezone: () => context.getTimezone(),
			showHint: (message) => this.hints.add(message),
			getCredential: async (name) => await context.getCredentials(name, index),
		};
	}

	private async runItem(index: number): Promise<void> {
		const result = await handleItem(this.itemAt(index), this.operation);
		if ('ended' in result) {
			const { isAmbiguous, note } = result.ended;
			if (note !== undefined) this.notes.push(note);
			else if (isAmbiguous) this.ambiguous++;
			return;
		}
		const { failed } = result;
		if (failed?.mayHaveChanged) this.ambiguous++;
		if ('output' in result) {
			this.output[index] = result.output;
			if (failed === undefined) this.done++;
		} else {
			this.failures.push(result.failed);
			this.run.end.stop();
		}
	}

	private get isChange(): boolean {
		return this.endpoint.method !== 'GET';
	}

	/** Reports how many items were completed when the run ended early, for operations that change something. */
	private progress(ambiguous: number): string {
		const note = `${this.done} of ${this.input.length} items were completed`;
		return ambiguous === 0
			? `${note}.`
			: `${note}; ${ambiguous} may have been. Check in Activepieces before you run the node again.`;
	}

	private cancelled(): NodeOperationError {
		const isBegun = this.isChange && this.done + this.ambiguous > 0;
		const texts = [...(isBegun ? [this.progress(this.ambiguous)] : []), ...this.notes];
		return new NodeOperationError(this.context.getNode(), 'The execution was cancelled', {
			description: texts.join(' ') || undefined,
		});
	}

	private failed({ error, origin }: FailedItem): ReturnType<typeof toNodeError> {
		const isNoted = this.isChange && this.input.length > 1;
		// This error says itself that its item is in doubt.
		const others = this.ambiguous - (isInDoubt(error) ? 1 : 0);
		return toNodeError(this.context.getNode(), error, {
			...origin,
			note: isNoted ? this.progress(others) : undefined,
		});
	}
}

/**
 * Makes the function that n8n calls for an operation (`customOperations`). The output keeps the order of
 * the input. Reads and deletes run in parallel, changes by POST one after the other, except for
 * operations with a concurrency of their own. If On Error is Stop, the first failed item in the order of
 * the input ends the run: items that have not started are not sent, requests in flight are awaited, and
 * nothing is sent afterwards.
 */
export function executeItems(
	endpoint: Endpoint,
	operation: RunOperation,
	concurrency?: Concurrency,
): (this: IExecuteFunctions) => Promise<INodeExecutionData[][]> {
	const act = reuseEarlierResults(endpoint, operation);
	return async function () {
		return await new ItemsRun(this, endpoint, act).execute(concurrency);
	};
}
