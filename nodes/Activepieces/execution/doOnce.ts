import type { IDataObject } from 'n8n-workflow';

import {
	ActivepiecesError,
	AuthenticationError,
	RunEndedError,
	type UserMessage,
	ValidationError,
} from '../transport/errors/activepiecesError';
import type { Endpoint } from '../transport/request/endpoint';
import { isTurnedAway } from '../transport/response/httpStatus';
import type { BinaryFile, OperationContext, RunOperation } from './operationContext';

/** What was given for an input item. */
interface Given {
	records: IDataObject[];
	/** The files beside them */
	files: Map<IDataObject, BinaryFile>;
}

type Attach = OperationContext['attach'];

/** Does something, and keeps what it gives. */
async function keepGiven(
	attach: Attach,
	act: (attach: Attach) => Promise<IDataObject[]>,
): Promise<Given> {
	const files: Given['files'] = new Map();
	const records = await act((record, file) => {
		files.set(record, file);
		attach(record, file);
	});
	return { records, files };
}

/** Gives the same once more. */
function giveAgain({ records, files }: Given, attach: Attach): IDataObject[] {
	for (const [record, file] of files) attach(record, file);
	return records;
}

/** What an earlier try of the node did for an input item. */
export interface EarlierTry {
	/** Equal for the same thing: in another try expressions can give something else for the item */
	key: string;
	/** The record before */
	before?: IDataObject;
	/** What the node gave for it; nothing when that is not known */
	given?: Given;
}

/** By what stands for the input item in every try (`triedItem.ts`): gone with the run of the node. */
const tries = new WeakMap<object, EarlierTry>();

type Tried = Pick<OperationContext, 'triedItem' | 'attach'>;

/** The same thing in an earlier try, unless it surely was not done. */
export function earlierTry({ triedItem }: Tried, key: string): EarlierTry | undefined {
	const earlier = triedItem && tries.get(triedItem);
	return earlier?.key === key ? earlier : undefined;
}

/** Whether surely nothing was done, or who was asked has said what came of it. */
function mayBeDoneAgain(error: unknown): boolean {
	if (error instanceof ValidationError || error instanceof AuthenticationError) return true;
	if (error instanceof RunEndedError) return !error.isAmbiguous;
	if (!(error instanceof ActivepiecesError) || error.isAmbiguous) return false;
	const { connectionError, httpStatus: status, isSettled } = error;
	if (status === undefined || isSettled) return connectionError !== 'other';
	// A web page with status 200 comes from something in front of the service.
	return isTurnedAway(status);
}

/** Does a thing, so that further tries know of it whatever comes of it. */
export async function rememberTry(
	{ triedItem, attach }: Tried,
	{ key, before }: Pick<EarlierTry, 'key' | 'before'>,
	act: (attach: Attach) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	if (triedItem === undefined) return await act(attach);
	const made: EarlierTry = { key, before };
	tries.set(triedItem, made);
	made.given = await keepGiven(attach, act).catch((error: unknown) => {
		if (mayBeDoneAgain(error)) tries.delete(triedItem);
		throw error;
	});
	return made.given.records;
}

/** A thing that is done once, and what is said when it is not known what came of an earlier try. */
export interface Once extends Pick<EarlierTry, 'key'> {
	inDoubt: UserMessage;
}

/**
 * Does a thing, unless an earlier try of the node did it: then it gives what that one gave.
 *
 * @throws {ActivepiecesError} when it is not known what came of the earlier one
 */
export async function doOnce(
	context: Tried,
	{ key, inDoubt }: Once,
	act: (attach: Attach) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const earlier = earlierTry(context, key);
	if (earlier === undefined) return await rememberTry(context, { key }, act);
	if (earlier.given === undefined) throw new ActivepiecesError(inDoubt);
	return giveAgain(earlier.given, context.attach);
}

/**
 * Makes an operation that changes something give what it gave before for an item that an earlier try of the node
 * has done: deleting it again would say that it was not found, creating it again that it exists.
 */
export function keepDoneItems({ method }: Endpoint, operation: RunOperation): RunOperation {
	if (method === 'GET') return operation;
	const doneItems = new WeakMap<object, Given>();
	return async (context) => {
		const { triedItem, attach } = context;
		if (triedItem === undefined) return await operation(context);
		const done = doneItems.get(triedItem);
		if (done !== undefined) return giveAgain(done, attach);
		const given = await keepGiven(
			attach,
			async (kept) => await operation({ ...context, attach: kept }),
		);
		doneItems.set(triedItem, given);
		return given.records;
	};
}
