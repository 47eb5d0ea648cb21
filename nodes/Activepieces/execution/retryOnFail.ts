import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Endpoint } from '../transport/endpoint';
import {
	ActivepiecesError,
	AuthenticationError,
	RunEndedError,
	type UserMessage,
	ValidationError,
} from '../transport/error';
import { isTurnedAway } from '../transport/httpStatus';
import type { BinaryFile, OperationContext, RunOperation } from './item';

/**
 * Keyed by an object that n8n makes for each run of a node, then by the data of the item; the array is
 * indexed by item.
 */
const runs = new WeakMap<object, WeakMap<object, object[]>>();

/**
 * Returns an object that represents an input item in every try of *Retry On Fail*, and in no other run
 * of the node, even in a loop. With that setting n8n runs the node again with all its items, including
 * completed ones. Operations that must not repeat an action look up what they did by this object
 * (`doOnce.ts`).
 *
 * The data of the item is part of the key, because an agent up to n8n 1 calls the node many times within
 * one run of its own.
 *
 * @returns undefined when n8n makes no further try
 */
export function triedItem(
	context: Pick<IExecuteFunctions, 'getNode' | 'getExecuteData'>,
	itemIndex: number,
	{ json }: INodeExecutionData,
): object | undefined {
	if (context.getNode().retryOnFail !== true) return undefined;
	const run = context.getExecuteData();
	const items = runs.get(run) ?? new WeakMap<object, object[]>();
	runs.set(run, items);
	// A model may enter any value.
	const data: unknown = json;
	const key = typeof data === 'object' && data !== null ? data : run;
	const places = items.get(key) ?? [];
	items.set(key, places);
	return (places[itemIndex] ??= {});
}

/** The result of an input item. */
interface KeptResult {
	records: IDataObject[];
	/** Files that belong to the records */
	files: Map<IDataObject, BinaryFile>;
}

type Attach = OperationContext['attach'];

/** Runs an action and keeps its result. */
async function runAndKeep(
	attach: Attach,
	act: (attach: Attach) => Promise<IDataObject[]>,
): Promise<KeptResult> {
	const files: KeptResult['files'] = new Map();
	const records = await act((record, file) => {
		files.set(record, file);
		attach(record, file);
	});
	return { records, files };
}

/** Returns a kept result again. */
function replayResult({ records, files }: KeptResult, attach: Attach): IDataObject[] {
	for (const [record, file] of files) attach(record, file);
	return records;
}

/** What an earlier try of the node did for an input item. */
interface EarlierTry {
	/** Identifies the action, because expressions may give other values for the item in another try */
	key: string;
	/** The record before the action */
	before?: IDataObject;
	/** The result of the action; undefined when it is not known */
	result?: KeptResult;
}

/**
 * Keyed by the object that represents the input item in every try (`triedItem.ts`), so entries disappear
 * with the run of the node.
 */
const tries = new WeakMap<object, EarlierTry>();

type Tried = Pick<OperationContext, 'triedItem' | 'attach'>;

/** The same action in an earlier try, unless it certainly did nothing. */
export function earlierTry({ triedItem }: Tried, key: string): EarlierTry | undefined {
	const earlier = triedItem && tries.get(triedItem);
	return earlier?.key === key ? earlier : undefined;
}

/** Whether an action certainly did nothing, or its outcome is known from the response. */
function mayRepeat(error: unknown): boolean {
	if (error instanceof ValidationError || error instanceof AuthenticationError) return true;
	if (error instanceof RunEndedError) return !error.isAmbiguous;
	if (!(error instanceof ActivepiecesError) || error.isAmbiguous) return false;
	const { connectionError, httpStatus: status, isSettled } = error;
	if (status === undefined || isSettled) return connectionError !== 'other';
	// A web page with status 200 comes from something in front of the service.
	return isTurnedAway(status);
}

/** Runs an action and remembers it for further tries, whatever its outcome. */
export async function runAndRemember(
	{ triedItem, attach }: Tried,
	{ key, before }: Pick<EarlierTry, 'key' | 'before'>,
	act: (attach: Attach) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	if (triedItem === undefined) return await act(attach);
	const current: EarlierTry = { key, before };
	tries.set(triedItem, current);
	current.result = await runAndKeep(attach, act).catch((error: unknown) => {
		if (mayRepeat(error)) tries.delete(triedItem);
		throw error;
	});
	return current.result.records;
}

/** The message when the outcome of an action in an earlier try is unknown. */
export const unconfirmed = (
	what: string,
	{ attempt, check }: { attempt: string; check: string },
): UserMessage => ({
	message: `Could not confirm whether ${what}`,
	description: `An earlier attempt ${attempt}, so the node did not try again. Check ${check} in Activepieces before you run the node again.`,
});

/** An action that runs once, and the error when the outcome of an earlier try is unknown. */
interface Once extends Pick<EarlierTry, 'key'> {
	inDoubt: UserMessage;
}

/**
 * Runs an action, unless an earlier try of the node ran it; then it returns that result.
 *
 * @throws {ActivepiecesError} when the outcome of the earlier try is unknown
 */
export async function doOnce(
	context: Tried,
	{ key, inDoubt }: Once,
	act: (attach: Attach) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const earlier = earlierTry(context, key);
	if (earlier === undefined) return await runAndRemember(context, { key }, act);
	if (earlier.result === undefined) throw new ActivepiecesError(inDoubt);
	return replayResult(earlier.result, context.attach);
}

/**
 * Makes an operation that changes something return its earlier result for an item that an earlier try of
 * the node completed. Deleting the record again would report that it was not found, and creating it
 * again that it exists.
 */
export function reuseEarlierResults({ method }: Endpoint, operation: RunOperation): RunOperation {
	if (method === 'GET') return operation;
	const results = new WeakMap<object, KeptResult>();
	return async (context) => {
		const { triedItem, attach } = context;
		if (triedItem === undefined) return await operation(context);
		const earlier = results.get(triedItem);
		if (earlier !== undefined) return replayResult(earlier, attach);
		const result = await runAndKeep(attach, async (kept) => {
			const keeping: object = Object.create(context, { attach: { value: kept } });
			return await operation(keeping as OperationContext);
		});
		results.set(triedItem, result);
		return result.records;
	};
}
