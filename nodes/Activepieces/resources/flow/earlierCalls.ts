import type { IDataObject } from 'n8n-workflow';

import type { BinaryFile, OperationContext } from '../../execution/operationContext';
import {
	ActivepiecesError,
	RunEndedError,
	type UserMessage,
} from '../../transport/errors/activepiecesError';

/** A call that an earlier try of the node made. */
interface EarlierCall {
	key: string;
	/** What the node gave for it; nothing when that is not known */
	given?: IDataObject[];
	/** The files beside that */
	files: Map<IDataObject, BinaryFile>;
}

/** What a call is, and what is said when it is not known what came of it. */
export interface OnceOnly {
	/** Equal for the same call */
	key: string;
	inDoubt: UserMessage;
}

/** By the input item: gone with the run of the node. */
const calls = new WeakMap<object, EarlierCall>();

/**
 * Makes a call, unless an earlier try of the node made it: with *Retry On Fail* n8n runs the node again with
 * all its items, and a second call would do its work twice.
 *
 * @throws {ActivepiecesError} when it is not known what came of the earlier one
 */
export async function callOnce(
	{ triedItem, attach }: Pick<OperationContext, 'triedItem' | 'attach'>,
	{ key, inDoubt }: OnceOnly,
	call: (attach: OperationContext['attach']) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	if (triedItem === undefined) return await call(attach);
	const earlier = calls.get(triedItem);
	if (earlier?.key === key) {
		if (earlier.given === undefined) throw new ActivepiecesError(inDoubt);
		for (const [record, file] of earlier.files) attach(record, file);
		return earlier.given;
	}
	const made: EarlierCall = { key, files: new Map() };
	calls.set(triedItem, made);
	made.given = await call((record, file) => {
		made.files.set(record, file);
		attach(record, file);
	}).catch((error: unknown) => {
		const isKnown =
			error instanceof RunEndedError
				? !error.isAmbiguous
				: error instanceof ActivepiecesError &&
					!error.isAmbiguous &&
					error.connectionError !== 'other';
		if (isKnown) calls.delete(triedItem);
		throw error;
	});
	return made.given;
}
