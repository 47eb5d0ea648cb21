import type { IDataObject } from 'n8n-workflow';

import type { BinaryFile, OperationContext } from '../../execution/operationContext';
import { ActivepiecesError, RunEndedError } from '../../transport/errors/activepiecesError';

/** A call that an earlier try of the node made. */
interface EarlierCall {
	flowId: string;
	/** What the node gave for it; nothing when that is not known */
	given?: IDataObject[];
	/** The files beside that */
	files: Map<IDataObject, BinaryFile>;
}

/** By the input item: gone with the run of the node. */
const calls = new WeakMap<object, EarlierCall>();

/**
 * Makes a call, unless an earlier try of the node made it: with *Retry On Fail* n8n runs the node again with
 * all its items, and a second run of the flow would do its work twice.
 *
 * @throws {ActivepiecesError} when it is not known what came of the earlier one
 */
export async function callOnce(
	{ triedItem, attach }: Pick<OperationContext, 'triedItem' | 'attach'>,
	{ flowId, label }: { flowId: string; label: string },
	call: (attach: OperationContext['attach']) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	if (triedItem === undefined) return await call(attach);
	const earlier = calls.get(triedItem);
	if (earlier?.flowId === flowId) {
		if (earlier.given !== undefined) {
			for (const [record, file] of earlier.files) attach(record, file);
			return earlier.given;
		}
		throw new ActivepiecesError({
			message: `It is not known what the call of ${label} did`,
			description:
				'An earlier try called it, and got no response. Nothing was sent again. Check the runs of the flow in Activepieces before you run this node again.',
		});
	}
	const made: EarlierCall = { flowId, files: new Map() };
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
