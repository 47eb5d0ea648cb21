import {
	type IAllExecuteFunctions,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import {
	type ApiClient,
	authenticatedSender,
	createClient,
	type DecryptedCredential,
	type RequestContext,
	secretsOfCredential,
} from '../transport/client';
import type { CredentialName } from '../transport/credential';
import type { Endpoint } from '../transport/endpoint';
import { ActivepiecesError, isInDoubt, RunEndedError } from '../transport/error';
import { limits } from '../transport/limits';
import { MAYBE_DONE } from '../transport/messages';
import { createRunState, type RunState } from '../transport/run';
import { sizeOf } from '../transport/values';
import {
	type BinaryFile,
	type Concurrency,
	Fields,
	type OperationContext,
	type RunOperation,
} from './item';
import { type ErrorOrigin, failedItem, toNodeError } from './nodeError';
import { reuseEarlierResults, triedItem } from './retryOnFail';
import { parseRequestOptions, readCredential, type RequestOptions } from './settings';

/** One input item, however n8n calls the node. */
interface InputItem extends Omit<
	OperationContext,
	'client' | 'attach' | 'get' | 'raw' | 'timezone'
> {
	context: RequestContext &
		Pick<IAllExecuteFunctions, 'getNode'> &
		Pick<IExecuteFunctions, 'continueOnFail'>;
	itemIndex: number;
	/** The item as the node received it */
	input: INodeExecutionData;
	runState: RunState;
	/** n8n's Request Options; throws if they cannot be used */
	requestOptions(): RequestOptions;
	/** Reads and decrypts the credential, with expressions evaluated for the item */
	getCredential(name: CredentialName): Promise<ICredentialDataDecryptedObject>;
}

/** The outcome of an item. */
type ItemResult =
	/** Its records; with On Error = Continue also the output of a failed item */
	| { output: INodeExecutionData[]; failed?: FailedItem }
	/** The run ended before the item was completed */
	| { ended: RunEndedError }
	/** The item failed, which ends the run */
	| { failed: FailedItem };

/** An item that failed. */
interface FailedItem {
	error: unknown;
	/** What the error needs when it leaves the node */
	origin: ErrorOrigin & { itemIndex: number };
	/** Whether the item has changed something, or may have */
	mayHaveChanged: boolean;
}

/** Items of which an earlier try of the node has changed something, or may have */
const changedEarlier = new WeakSet<object>();

/** Counts the output of an item. The error for too much of it says that a change was made. */
const keepOutput =
	(run: RunState, client: ApiClient) =>
	(bytes: number): void => {
		try {
			run.keep(bytes);
		} catch (error) {
			const isChanged = error instanceof ActivepiecesError && client.mayHaveChanged;
			throw isChanged ? error.withDescription(error.description + MAYBE_DONE) : error;
		}
	};

/**
 * Runs an operation for one input item. It reads the credential first, so that no later error can show
 * what is in it. Every record is paired with the item, because n8n's own guess is wrong when several
 * input items return lists.
 */
export async function handleItem(item: InputItem, operation: RunOperation): Promise<ItemResult> {
	const { itemIndex, context } = item;
	let credential: DecryptedCredential | undefined;
	let client: ApiClient | undefined;
	try {
		const authentication = item.getParameter('authentication', 'apiKey');
		credential = await readCredential(authentication, item.getCredential);
		client = createClient(authenticatedSender(context, credential), {
			credential,
			runState: item.runState,
			place: 'node',
			settings: item.requestOptions().settings,
		});
		const { json, triedItem, showHint } = item;
		client.mayHaveChanged = triedItem !== undefined && changedEarlier.has(triedItem);
		const keep = keepOutput(item.runState, client);
		const files = new Map<IDataObject, BinaryFile>();
		const attach: OperationContext['attach'] = (record, file) => {
			keep(file.content.length);
			files.set(record, file);
		};
		const fields = new Fields(item.getParameter, item.getTimezone);
		const own = { client, json, triedItem, showHint, attach };
		const records = await operation(Object.assign(fields, own));
		// Lists count their records as they arrive.
		if (records.length === 1) keep(sizeOf(records[0]));
		const output = records.map((json): INodeExecutionData => ({
			json,
			pairedItem: { item: itemIndex },
		}));
		// Every context that runs items has these helpers.
		const helpers = context.helpers as IExecuteFunctions['helpers'];
		for (const item of output) {
			const file = files.get(item.json);
			if (file === undefined) continue;
			const { content, mimeType } = file;
			item.binary = {
				data: await helpers.prepareBinaryData(content, undefined, mimeType),
			};
		}
		return { output };
	} catch (error) {
		const mayHaveChanged = client?.mayHaveChanged === true;
		if (mayHaveChanged && item.triedItem !== undefined) changedEarlier.add(item.triedItem);
		if (error instanceof RunEndedError) return { ended: error };
		// Read here, because the credential may have signed in since the start.
		const origin = { itemIndex, secrets: secretsOfCredential(credential) };
		const failed = { error, origin, mayHaveChanged };
		if (!context.continueOnFail()) return { failed };
		return { output: [failedItem(context.getNode(), item.input, error, origin)], failed };
	}
}

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
