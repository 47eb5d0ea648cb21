import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Endpoint } from '../transport/endpoint';
import { limits } from '../transport/limits';
import { createRunState, type RunState } from '../transport/runState';
import { keepDoneItems } from './doOnce';
import { handleItem, type InputItem } from './itemHandler';
import type { Concurrency, RunOperation } from './operationContext';
import { parseRequestOptions, type RequestOptions } from './requestOptions';
import { type ErrorOrigin, toNodeError } from './toNodeError';
import { triedItem } from './triedItem';

/** An item that failed, and where its error leaves the node. */
interface Failure {
	index: number;
	error: unknown;
	origin: ErrorOrigin;
}

/**
 * Request Options hold for all items, so they are read once, when the first item asks for them. Where
 * they cannot be used every item fails.
 */
function readOptions(context: IExecuteFunctions): () => RequestOptions {
	let options: RequestOptions | undefined;
	return () => (options ??= parseRequestOptions(context.getNodeParameter('requestOptions', 0, {})));
}

/** Batching; nothing if Request Options cannot be used, which every item then reports itself. */
function readBatching(requestOptions: () => RequestOptions): RequestOptions['batching'] {
	try {
		return requestOptions().batching;
	} catch {
		return undefined;
	}
}

/**
 * Waits, with Batching, until the group of an item may begin.
 *
 * @returns whether it may begin at all
 */
function createBatchGate(batching: RequestOptions['batching'], run: RunState) {
	let turn: Promise<unknown> = Promise.resolve();
	return async (index: number): Promise<boolean> => {
		if (batching !== undefined) {
			if (index > 0 && index % batching.size === 0) {
				turn = turn.then(async () => await run.wait(batching.intervalMs));
			}
			await turn;
		}
		return !run.isEnded;
	};
}

/** How many items are worked on at once: changes by POST may depend on each other, so they keep order. */
export const concurrencyOf = ({ method }: Endpoint): number =>
	method === 'POST' ? 1 : limits.maxConcurrency;

/** Says what had become of the items when the run ended before all were done; for operations that change something. */
function progressNote(done: number, ambiguous: number, total: number): string {
	const note = `${done} of ${total} items were completed`;
	return ambiguous === 0
		? `${note}.`
		: `${note}; ${ambiguous} may have been. Check in Activepieces before you run the node again.`;
}

/**
 * Makes the function that n8n calls for an operation (`customOperations`). Output follows the order of
 * the input. Reads and deletes run side by side, changes by POST one after the other, but for
 * an operation with a concurrency of its own. With On Error =
 * Stop the first item, in the order of the input, that fails ends the run: what has not begun is not
 * sent, requests in flight are awaited, and nothing is sent afterwards.
 */
export function executeItems(
	endpoint: Endpoint,
	operation: RunOperation,
	concurrency?: Concurrency,
): (this: IExecuteFunctions) => Promise<INodeExecutionData[][]> {
	const act = keepDoneItems(endpoint, operation);
	return async function () {
		const node = this.getNode();
		const input = this.getInputData();
		const run = createRunState({ cancelSignal: this.getExecutionCancelSignal() });
		const requestOptions = readOptions(this);
		const batching = readBatching(requestOptions);
		const isDue = createBatchGate(batching, run);

		const output: INodeExecutionData[][] = [];
		const failures: Failure[] = [];
		const hints = new Set<string>();
		let done = 0;
		let ambiguous = 0;
		const notes: string[] = [];
		let next = 0;

		const runItem = async (index: number) => {
			const item: InputItem = {
				context: this,
				itemIndex: index,
				input: input[index],
				runState: run,
				requestOptions,
				json: input[index].json,
				triedItem: triedItem(this, index, input[index]),
				getParameter: (name, fallback, options) =>
					this.getNodeParameter(name, index, fallback, options),
				getTimezone: () => this.getTimezone(),
				showHint: (message) => hints.add(message),
				getCredential: async (name) => await this.getCredentials(name, index),
			};
			const result = await handleItem(item, act);
			if ('output' in result) {
				output[index] = result.output;
				if (!result.hasFailed) done++;
			} else if ('ended' in result) {
				const { isAmbiguous, note } = result.ended;
				if (note !== undefined) notes.push(note);
				else if (isAmbiguous) ambiguous++;
			} else {
				failures.push({ index, ...result });
				run.stop();
			}
		};

		const work = async () => {
			while (next < input.length && !run.isEnded) {
				const index = next++;
				if (await isDue(index)) await runItem(index);
			}
		};
		const ownConcurrency = concurrency?.((name, fallback) =>
			this.getNodeParameter(name, 0, fallback, { rawExpressions: true }),
		);
		const atOnce =
			ownConcurrency === undefined
				? concurrencyOf(endpoint)
				: Math.min(batching?.size ?? ownConcurrency, limits.maxConcurrency);
		const workers = Math.min(atOnce, input.length);
		await Promise.all(Array.from({ length: workers }, work));
		// What was read ahead and not needed is not sent any more.
		run.stop();

		const isChange = endpoint.method !== 'GET';
		if (run.isCancelled) {
			const isBegun = isChange && done + ambiguous > 0;
			const progress = isBegun ? [progressNote(done, ambiguous, input.length)] : [];
			const description = [...progress, ...notes].join(' ') || undefined;
			throw new NodeOperationError(node, 'The execution was cancelled', { description });
		}
		const [failure] = failures.sort((a, b) => a.index - b.index);
		if (failure !== undefined) {
			await run.settled();
			const isNoted = isChange && input.length > 1;
			throw toNodeError(node, failure.error, {
				...failure.origin,
				note: isNoted ? progressNote(done, ambiguous, input.length) : undefined,
			});
		}
		for (const message of hints) this.addExecutionHints({ message, location: 'outputPane' });
		return [output.flat()];
	};
}
