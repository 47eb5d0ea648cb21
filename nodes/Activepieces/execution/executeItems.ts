import {
	type IAllExecuteFunctions,
	type IBinaryData,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import { ApiClient } from '../transport/api/client';
import { type DecryptedCredential, secretsOfCredential } from '../transport/credential/credential';
import { NodeRun } from '../transport/client/run';
import { ActivepiecesError, MAX_MESSAGE, RunEndedError } from '../transport/errors/error';
import { besideCompleted, Ledger, outcomeNote, runNote } from '../transport/errors/ledger';
import { limits } from '../transport/limits';
import { plainText, shorten, unended } from '../transport/values';
import {
	authenticatedSender,
	isTool,
	parseRequestOptions,
	readCredential,
	type RequestContext,
	type RequestOptions,
} from './credential';
import type { FieldReader } from './fieldReader';
import { createGroup, type GroupPlace } from './group';
import { readInputFile } from './inputFile';
import type { Hint, ItemOutput } from './itemOutput';
import { type ErrorOrigin, failedItem, toNodeError } from './nodeError';
import {
	type OperationContext,
	type Runnable,
	RunLater,
	type RunOperation,
} from './operationContext';
import { triedItem, type TriedItem } from './retryOnFail';

/* n8n calls `executeItems`, at the end; `ItemsRun` runs the items, and `runItem` one of them. */

interface InputItem extends Pick<OperationContext, 'json' | 'group' | 'showHint' | 'runLater'> {
	/** What earlier tries of *Retry On Fail* did for the item */
	tried: TriedItem;
	n8n: RequestContext &
		Pick<IAllExecuteFunctions, 'getNode' | 'getCredentials'> &
		Pick<IExecuteFunctions, 'continueOnFail'>;
	itemIndex: number;
	reader: Omit<FieldReader, 'client'>;
	input: INodeExecutionData;
	/** n8n's own function: the binary field with this name; throws if there is none */
	findFile(field: string): IBinaryData;
	nodeRun: NodeRun;
	/** Whether the operation changes something, so that a completed item is not run again */
	isChange: boolean;
	/** n8n's Request Options; throws if they cannot be used */
	requestOptions(): RequestOptions;
}

interface ItemResult {
	/** Its records; with On Error = Continue also the output of a failed item */
	output?: INodeExecutionData[];
	/** The error needs its origin when it leaves the node */
	failed?: { error: unknown; origin: ErrorOrigin };
	ended?: RunEndedError;
	/** Whether it runs once more after others */
	isLater?: true;
	/** Whether it was not completed, and has changed something, or may have */
	mayHaveChanged?: boolean;
}

const textOfHint = (hint: Hint): string =>
	plainText(typeof hint === 'string' ? hint : hint(), MAX_MESSAGE);

/** Without an output for the item the failure ends the run. */
const endsRun = ({ failed, output }: ItemResult): boolean =>
	failed !== undefined && output === undefined;

/**
 * Runs an operation for one input item. It reads the credential first, so that no later error can show
 * what is in it. Every record is paired with the item, because n8n's own guess is wrong when several
 * input items return lists.
 */
export async function runItem(item: InputItem, runOperation: RunOperation): Promise<ItemResult> {
	const { itemIndex, n8n, reader, json, tried, group, nodeRun, showHint } = item;
	let credential: DecryptedCredential | undefined;
	/** The client adds them, when a field with a secret is read */
	const itemSecrets: string[] = [];
	try {
		const authentication = reader.get('authentication', 'apiKey');
		credential = await readCredential(n8n, authentication, itemIndex);
		const client = new ApiClient(authenticatedSender(n8n, credential), {
			credential,
			nodeRun,
			place: 'node',
			ledger: tried.ledger,
			itemSecrets,
			settings: item.requestOptions().settings,
		});
		const hints: Hint[] = [];
		const hint = (message: Hint) => {
			if (!hints.includes(message)) hints.push(message);
			showHint(message);
		};
		const firstWith = (key: string) => {
			tried.claimedKey = key;
			return client.once(`first item with ${key}`, () => itemIndex);
		};
		const files: ItemOutput['files'] = new Map();
		// Every context that runs items has these helpers.
		const helpers = n8n.helpers as IExecuteFunctions['helpers'];
		const operationContext: OperationContext = {
			...reader,
			client,
			json,
			isTool: isTool(n8n.getNode()),
			itemIndex,
			firstWith,
			group,
			files,
			showHint: hint,
			runLater: item.runLater,
			onMore(noun) {
				hint(
					`The list of ${noun} is longer than Limit. To get the rest, raise Limit or turn on Return All`,
				);
			},
			hasInputFile: Object.keys(item.input.binary ?? {}).length > 0,
			readFile: async (label, name) =>
				await readInputFile(helpers, {
					label,
					field: reader.get(name, ''),
					find: item.findFile,
					files: item.input.binary,
				}),
		};
		// An earlier try of *Retry On Fail* may have completed the item. n8n shows no hints of a try that failed.
		tried.output?.hints.forEach(showHint);
		// Claims its key again, for the later items of this try.
		if (tried.output && tried.claimedKey !== undefined) firstWith(tried.claimedKey);
		const done = tried.output ?? { records: await runOperation(operationContext), files, hints };
		const { records } = done;
		if (item.isChange) tried.output = done;
		const output = records.map((json): INodeExecutionData => ({
			json,
			pairedItem: { item: itemIndex },
		}));
		for (const [record, { content, mimeType, fileName }] of done.files) {
			const data = await helpers.prepareBinaryData(content, fileName, mimeType);
			output[records.indexOf(record)].binary = { data };
		}
		// An agent takes the length of a page for the total, and reads no hints in the editor.
		if (done.hints.length > 0 && operationContext.isTool) {
			const hint = done.hints.map(textOfHint).join('. ');
			output.push({ json: { hint }, pairedItem: { item: itemIndex } });
		}
		return { output };
	} catch (error) {
		if (error instanceof RunLater) return { isLater: true };
		const { mayHaveChanged } = tried.ledger;
		if (error instanceof RunEndedError) return { ended: error, mayHaveChanged };
		const note = outcomeNote(error, tried.ledger, item.isChange);
		const isSettled = error instanceof ActivepiecesError && error.outcome === 'settled';
		// The flow has run and has responded, so another try of *Retry On Fail* calls it anew.
		if (isSettled) tried.ledger = new Ledger();
		// Read here, because the credential may have signed in since the start.
		const { tokens, passwords } = secretsOfCredential(credential);
		const secrets = { tokens, passwords: [...passwords, ...itemSecrets] };
		const origin = { itemIndex, secrets, note };
		const output = n8n.continueOnFail()
			? [failedItem(n8n.getNode(), item.input, error, origin)]
			: undefined;
		return { output, failed: { error, origin }, mayHaveChanged };
	}
}

/** How many items run at once. Changes by POST may depend on each other, so they keep their order. */
const concurrencyOf = ({ endpoint, isParallel = endpoint.method !== 'POST' }: Runnable): number =>
	isParallel ? limits.maxConcurrency : 1;

const MAX_HINTS = 3;

class ItemsRun {
	private readonly input: INodeExecutionData[];
	private readonly nodeRun: NodeRun;
	private readonly fixed = new Map<string, unknown>();
	private readonly expressions = new Set<string>();
	private readonly retryOnFail: boolean;
	private readonly isChange: boolean;
	private requestOptions: RequestOptions | undefined;
	/** By index. Items that were not started are holes, which `filter` and `flatMap` skip */
	private readonly results: ItemResult[] = [];
	private readonly hints = new Set<Hint>();
	private readonly hinted = new Set<number>();
	/** The indexes of the items in the order in which they run; those that run once more are at its end */
	private readonly queue: number[];
	private next = 0;
	/** By index, how many items had ended when an item was put off */
	private readonly putOff = new Map<number, number>();
	private endedCount = 0;
	/** With Batching, resolves when the group of the next item may start */
	private turn: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly n8n: IExecuteFunctions,
		private readonly operation: Runnable,
	) {
		this.input = n8n.getInputData();
		this.queue = [...this.input.keys()];
		this.nodeRun = new NodeRun(n8n.getExecutionCancelSignal());
		this.retryOnFail = n8n.getNode().retryOnFail === true;
		this.isChange = operation.endpoint.method !== 'GET';
	}

	async execute(): Promise<INodeExecutionData[][]> {
		let batching: RequestOptions['batching'];
		try {
			({ batching } = this.readRequestOptions());
			this.nodeRun.batchSize = batching?.size;
		} catch {
			// Every item reports that itself.
		}
		const most = Math.min(concurrencyOf(this.operation), batching?.size ?? Infinity);
		const length = Math.min(most, this.input.length);
		await Promise.all(Array.from({ length }, async () => await this.work(batching)));
		this.nodeRun.end.stop();

		if (this.nodeRun.end.isCancelled) throw this.cancelled();
		const failure = this.results.filter(endsRun).at(0);
		if (failure !== undefined) throw this.failed(failure);
		// Hints of many items are of one kind, so the first one and their number are enough.
		const hints = [...this.hints].filter((hint) => typeof hint === 'string');
		if (hints.length > MAX_HINTS) {
			const more = `. The same applies to ${this.hinted.size - 1} more input items.`;
			hints.splice(0, hints.length, shorten(unended(hints[0]), MAX_MESSAGE - more.length) + more);
		}
		const ofSeveral = [...this.hints].filter((hint) => typeof hint !== 'string').map(textOfHint);
		for (const message of [...ofSeveral, ...hints]) {
			this.n8n.addExecutionHints({ message, location: 'outputPane' });
		}
		return [this.results.flatMap(({ output = [] }) => output)];
	}

	/**
	 * Reads the fields of an item. One without an expression is read once for all items, because n8n takes longer for
	 * reading a parameter than the node for everything else.
	 */
	private fieldsOf(index: number): InputItem['reader'] {
		const { n8n, fixed, expressions } = this;
		const raw = (name: string, fallback?: unknown): unknown =>
			n8n.getNodeParameter(name, index, fallback, { rawExpressions: true });
		return {
			raw,
			get(name, fallback) {
				if (fixed.has(name)) return fixed.get(name);
				const value = n8n.getNodeParameter(name, index, fallback);
				if (expressions.has(name)) return value;
				const saved = raw(name, fallback);
				// A text in the value begins with =, so it is an expression.
				if (JSON.stringify(saved)?.includes('"=')) expressions.add(name);
				else fixed.set(name, value);
				return value;
			},
			getTimezone: () => n8n.getTimezone(),
		};
	}

	/** Reads Request Options once, because they apply to all items. If they cannot be used, every item fails. */
	private readonly readRequestOptions = (): RequestOptions => {
		this.requestOptions ??= parseRequestOptions(this.fieldsOf(0));
		return this.requestOptions;
	};

	private async work(batching: RequestOptions['batching']): Promise<void> {
		const { end } = this.nodeRun;
		while (this.next < this.queue.length && !end.isEnded) {
			const index = this.next;
			const { size, send } = this.operation.grouping ?? { size: 1 };
			const left = batching === undefined ? size : batching.size - (index % batching.size);
			const indexes = this.queue.slice(index, index + Math.min(size, left));
			this.next += indexes.length;
			if (batching !== undefined) {
				if (index > 0 && index % batching.size === 0) {
					this.turn = this.turn.then(async () => await end.wait(batching.intervalMs));
				}
				await this.turn;
				if (end.isEnded) return;
			}
			const places = send && createGroup(indexes.length, send);
			await Promise.all(indexes.map(async (each, i) => await this.runInput(each, places?.[i])));
		}
	}

	/** While an item may still get what it lacks from others: some have not run, or have ended since it was put off. */
	private laterOf(index: number): (() => never) | undefined {
		const last = this.putOff.get(index);
		if (last === undefined ? this.next >= this.queue.length : last === this.endedCount)
			return undefined;
		return () => {
			throw new RunLater();
		};
	}

	private async runInput(index: number, group?: GroupPlace) {
		const { n8n } = this;
		const input = this.input[index];
		const item: InputItem = {
			n8n,
			itemIndex: index,
			input,
			findFile: (field) => n8n.helpers.assertBinaryData(index, field),
			nodeRun: this.nodeRun,
			isChange: this.isChange,
			json: input.json,
			tried: triedItem(n8n, index, input, this.retryOnFail),
			group,
			requestOptions: this.readRequestOptions,
			reader: this.fieldsOf(index),
			runLater: this.laterOf(index),
			showHint: (message) => {
				this.hints.add(typeof message === 'string' ? plainText(message, MAX_MESSAGE) : message);
				this.hinted.add(index);
			},
		};
		const result = await runItem(item, this.operation.run);
		if (result.isLater) {
			this.putOff.set(index, this.endedCount);
			this.queue.push(index);
			return;
		}
		this.endedCount++;
		this.results[index] = result;
		if (endsRun(result)) this.nodeRun.end.stop();
		group?.leave();
	}

	private cancelled(): NodeOperationError {
		const notes = this.results.flatMap(({ ended }) => ended?.note ?? []);
		const progress = this.progress((result) => result.ended?.note !== undefined);
		return new NodeOperationError(this.n8n.getNode(), 'The execution was cancelled', {
			description: [progress, ...notes].filter(Boolean).join(' ') || undefined,
		});
	}

	private failed(reported: ItemResult): ReturnType<typeof toNodeError> {
		const { error, origin } = reported.failed!;
		const progress = this.progress((result) => result === reported);
		const isAlone = !this.results.some(({ output, failed }) => output && !failed);
		const noteOfItem = isAlone ? origin.note : besideCompleted(origin.note);
		const note = [noteOfItem, progress].filter(Boolean).join(' ');
		return toNodeError(this.n8n.getNode(), error, { ...origin, note });
	}

	/** @param isTold whether the message says of an item what it may have changed */
	private progress(isTold: (result: ItemResult) => boolean): string {
		if (!this.isChange) return '';
		const inDoubt = this.results.flatMap((result, index) =>
			result.mayHaveChanged && !isTold(result) ? index : [],
		);
		const completed = this.results.filter(({ output, failed }) => output && !failed);
		return runNote(completed.length, this.input.length, inDoubt);
	}
}

/**
 * Makes the function that n8n calls for an operation (`customOperations`). The output keeps the order of
 * the input. If On Error is Stop, the first failed item in the order of the input ends the run: items that
 * have not started are not sent, requests in flight are awaited, and nothing is sent afterwards.
 */
export function executeItems(
	operation: Runnable,
): (this: IExecuteFunctions) => Promise<INodeExecutionData[][]> {
	return async function () {
		return await new ItemsRun(this, operation).execute();
	};
}
