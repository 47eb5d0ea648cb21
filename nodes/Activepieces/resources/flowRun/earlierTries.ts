import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../execution/operationContext';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { isUnfinished } from './statuses';

/** A retry that an earlier try of the node asked for. */
export interface EarlierRetry {
	runId: string;
	strategy: string;
	/** The run before it was retried */
	before: IDataObject;
	/** What the node gave for it; nothing when no answer came */
	given?: IDataObject;
}

/** By the input item: gone with the run of the node. */
const retries = new WeakMap<object, EarlierRetry>();

type Tried = Pick<OperationContext, 'triedItem'>;

/** The same retry in an earlier try, unless the service surely did not carry it out. */
export function earlierRetry(
	{ triedItem }: Tried,
	{ runId, strategy }: Pick<EarlierRetry, 'runId' | 'strategy'>,
): EarlierRetry | undefined {
	const earlier = triedItem && retries.get(triedItem);
	return earlier?.runId === runId && earlier.strategy === strategy ? earlier : undefined;
}

/** Whether the service surely did nothing: it refused, or the request did not come to it. */
function isNothingDone(error: unknown): boolean {
	if (!(error instanceof ActivepiecesError) || error.isAmbiguous) return false;
	const { httpStatus: status, connectionError } = error;
	// A web page with status 200 comes from something in front of the service.
	return status === undefined ? connectionError !== 'other' : status >= 300 && status < 500;
}

/** Asks for a retry, so that further tries know of it whatever comes of it. */
export async function rememberRetry(
	{ triedItem }: Tried,
	retry: EarlierRetry,
	ask: () => Promise<IDataObject>,
): Promise<IDataObject> {
	if (triedItem === undefined) return await ask();
	retries.set(triedItem, retry);
	retry.given = await ask().catch((error: unknown) => {
		if (isNothingDone(error)) retries.delete(triedItem);
		throw error;
	});
	return retry.given;
}

/**
 * Whether a retry was carried out whose answer was lost. Only *From Failed Step* leaves a trace in the
 * run itself, and only in one that had ended: another status, or the finish of another attempt (recorded).
 * On the latest version there is a new run, which names no old one (recorded).
 *
 * @returns nothing when the run cannot tell
 */
export function wasRetried(
	{ strategy, before }: EarlierRetry,
	{ status, finishTime }: IDataObject,
): boolean | undefined {
	if (strategy !== 'FROM_FAILED_STEP' || isUnfinished(before.status)) return undefined;
	return status !== before.status || finishTime !== before.finishTime;
}
