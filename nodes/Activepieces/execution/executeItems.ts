/** The input items in n8n's engine. */
import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { MAX_MESSAGE } from '../transport/errors/error';
import { besideCompleted, runNote } from '../transport/errors/ledger';
import { limits } from '../transport/limits';
import { shorten, unended } from '../transport/texts';
import { fieldsOfItems } from './fieldReader';
import { createGroup, type GroupPlace } from './group';
import { toNodeError } from './nodeError';
import { RunLater, type Hint, type Runnable } from './operationContext';
import type { RequestOptions } from './requestOptions';
import { Run, textOfHint, type ItemResult } from './run';

/** Without an output for the item the failure ends the run. */
const endsRun = ({ failed, output }: ItemResult): boolean =>
	failed !== undefined && output === undefined;

/** How many items run at once. Changes by POST may depend on each other, so they keep their order. */
const concurrencyOf = ({ endpoint, isParallel = endpoint.method !== 'POST' }: Runnable): number =>
	isParallel ? limits.maxConcurrency : 1;

const MAX_HINTS = 3;

const runLater = (): never => {
	throw new RunLater();
};

class ItemsRun extends Run<IExecuteFunctions> {
	private readonly input: INodeExecutionData[];
	/** By index. Items that were not started are holes, which `filter` and `flatMap` skip */
	private readonly results: ItemResult[] = [];
	private readonly sharedHints = new Set<Exclude<Hint, string>>();
	/** By kind, the texts and the indexes of the items that have one */
	private readonly hints = new Map<string, { texts: Set<string>; indexes: Set<number> }>();
	/** The indexes of the items in the order in which they run; those that run once more are at its end */
	private readonly queue: number[];
	private next = 0;
	/** By index, how many items had ended when an item was put off */
	private readonly putOff = new Map<number, number>();
	private endedCount = 0;
	/** With Batching, resolves when the group of the next item may start */
	private turn: Promise<unknown> = Promise.resolve();

	constructor(n8n: IExecuteFunctions, operation: Runnable) {
		super(n8n, operation, fieldsOfItems(n8n));
		this.input = n8n.getInputData();
		this.queue = [...this.input.keys()];
	}

	async execute(): Promise<INodeExecutionData[][]> {
		let batching: RequestOptions['batching'];
		try {
			({ batching } = this.requestOptions());
			this.nodeRun.batchSize = batching?.size;
		} catch {
			// Every item reports that itself.
		}
		const most = Math.min(concurrencyOf(this.operation), batching?.size ?? Infinity);
		const length = Math.min(most, this.input.length);
		await Promise.all(Array.from({ length }, async () => await this.work(batching)));
		this.end();

		if (this.nodeRun.end.isCancelled) throw this.cancelled();
		const reported = this.results.filter(endsRun).at(0);
		if (reported?.failed !== undefined) throw this.failed(reported, reported.failed);
		this.showHints();
		return [this.results.flatMap(({ output = [] }) => output)];
	}

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

	/** Whether an item may still get what it lacks from others: some have not run, or have ended since it was put off. */
	private mayWait(index: number): boolean {
		const last = this.putOff.get(index);
		return last === undefined ? this.next < this.queue.length : last < this.endedCount;
	}

	private async runInput(index: number, group?: GroupPlace) {
		const input = this.input[index];
		const result = await this.item(index, {
			input,
			tryKey: input,
			json: input.json,
			group,
			findFile: (field) => this.n8n.helpers.assertBinaryData(index, field),
			runLater: this.mayWait(index) ? runLater : undefined,
			showHint: (hint, kind) => this.addHint(index, hint, kind),
		});
		if (result.isLater) {
			this.putOff.set(index, this.endedCount);
			this.queue.push(index);
			return;
		}
		this.endedCount++;
		this.results[index] = result;
		if (endsRun(result)) this.end();
		group?.leave();
	}

	private addHint(index: number, hint: Hint, kind = ''): void {
		if (typeof hint !== 'string') {
			this.sharedHints.add(hint);
			return;
		}
		const { texts, indexes } = this.hints.get(kind) ?? { texts: new Set(), indexes: new Set() };
		this.hints.set(kind, { texts: texts.add(textOfHint(hint)), indexes: indexes.add(index) });
	}

	/** Of many texts of one kind, the first one and their number are enough. */
	private showHints(): void {
		const messages = [...this.sharedHints].map(textOfHint);
		for (const { texts, indexes } of this.hints.values()) {
			const [first] = texts;
			const more = `. The same applies to ${indexes.size - 1} more input items.`;
			if (texts.size <= MAX_HINTS) messages.push(...texts);
			else messages.push(shorten(unended(first), MAX_MESSAGE - more.length) + more);
		}
		for (const message of messages) {
			this.n8n.addExecutionHints({ message, location: 'outputPane' });
		}
	}

	private cancelled(): NodeOperationError {
		const notes = this.results.flatMap(({ ended }) => ended?.note ?? []);
		const progress = this.progress((result) => result.ended?.note !== undefined);
		return new NodeOperationError(this.n8n.getNode(), 'The execution was cancelled', {
			description: [progress, ...notes].filter(Boolean).join(' ') || undefined,
		});
	}

	private failed(reported: ItemResult, { error, origin }: NonNullable<ItemResult['failed']>) {
		const progress = this.progress((result) => result === reported);
		const isAlone = !this.results.some(({ output, failed }) => output && !failed);
		const noteOfItem = isAlone ? origin.note : besideCompleted(origin.note);
		const note = [noteOfItem, progress].filter(Boolean).join(' ');
		return toNodeError(this.n8n.getNode(), error, { ...origin, note });
	}

	/** @param isTold whether the message says of an item what it may have changed */
	private progress(isTold: (result: ItemResult) => boolean): string {
		if (!this.isChange) return '';
		const isCompleted = ({ output, failed }: ItemResult) => output && !failed;
		const inDoubt = this.results.flatMap((result, index) =>
			result.mayHaveChanged && !isCompleted(result) && !isTold(result) ? index : [],
		);
		const completed = this.results.filter(isCompleted);
		const unchanged = completed.filter(({ mayHaveChanged }) => !mayHaveChanged).length;
		return runNote({ completed: completed.length, unchanged, total: this.input.length }, inDoubt);
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
