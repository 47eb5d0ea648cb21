import type { IDataObject } from 'n8n-workflow';

import {
	ActivepiecesError,
	AuthenticationError,
	RunEndedError,
	ValidationError,
} from '../transport/errors/activepiecesError';
import type { BinaryFile, OperationContext } from './operationContext';

/** What an earlier try of the node did for an input item. */
export interface EarlierTry {
	/** Another try of the item may be about something else: expressions can give what they like */
	what: string;
	/** The record before */
	before?: IDataObject;
	/** What the node gave for it; nothing when that is not known */
	given?: IDataObject[];
	/** The files beside that */
	files: Map<IDataObject, BinaryFile>;
}

/** By what stands for the input item in every try (`triedItem.ts`): gone with the run of the node. */
const tries = new WeakMap<object, EarlierTry>();

type Tried = Pick<OperationContext, 'triedItem' | 'attach'>;

/** The same thing in an earlier try, unless it surely was not done. */
export function earlierTry({ triedItem }: Tried, what: string): EarlierTry | undefined {
	const earlier = triedItem && tries.get(triedItem);
	return earlier?.what === what ? earlier : undefined;
}

/** Whether surely nothing was done, or who was asked has said what came of it. */
function mayBeDoneAgain(error: unknown): boolean {
	if (error instanceof ValidationError || error instanceof AuthenticationError) return true;
	if (error instanceof RunEndedError) return !error.isAmbiguous;
	if (!(error instanceof ActivepiecesError) || error.isAmbiguous) return false;
	const { connectionError, httpStatus = 0, isSettled } = error;
	if (connectionError !== undefined) return connectionError !== 'other';
	// A web page with status 200 comes from something in front of the service.
	return isSettled || (httpStatus >= 300 && httpStatus < 500);
}

/** Does a thing, so that further tries know of it whatever comes of it. */
export async function rememberTry(
	{ triedItem, attach }: Tried,
	{ what, before }: Pick<EarlierTry, 'what' | 'before'>,
	act: (attach: OperationContext['attach']) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	if (triedItem === undefined) return await act(attach);
	const made: EarlierTry = { what, before, files: new Map() };
	tries.set(triedItem, made);
	made.given = await act((record, file) => {
		made.files.set(record, file);
		attach(record, file);
	}).catch((error: unknown) => {
		if (mayBeDoneAgain(error)) tries.delete(triedItem);
		throw error;
	});
	return made.given;
}

/**
 * Does a thing, unless an earlier try of the node did it: then it gives what that one gave.
 *
 * @param inDoubt the error for an earlier try of which that is not known
 */
export async function doOnce(
	context: Tried,
	{ what, inDoubt }: { what: string; inDoubt: () => ActivepiecesError },
	act: (attach: OperationContext['attach']) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const earlier = earlierTry(context, what);
	if (earlier === undefined) return await rememberTry(context, { what }, act);
	if (earlier.given === undefined) throw inDoubt();
	for (const [record, file] of earlier.files) context.attach(record, file);
	return earlier.given;
}
