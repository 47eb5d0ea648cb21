import type { IDataObject } from 'n8n-workflow';

import { flag, wholeNumber } from '../../descriptions/kinds';
import { lowerCase } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/api/client';
import { outcomeError } from '../../transport/errors/error';
import { limits, type Patience } from '../../transport/limits';
import { inSeconds, nameAndId } from '../../transport/texts';
import { recordOf, textOf } from '../../transport/values';
import { stepsOf } from '../flow/flow';
import { fetchRun, isUnfinished, simplifyRun, stepsOfLog } from './flowRun';

/** Options of operations that start a run. */
export const waitingOptions = {
	isAwaited: flag(
		'Wait for the End',
		'waitForEnd',
		'Whether to wait until the run has ended, and to return it as Flow Run > Get does',
	),
	patience: wholeNumber(
		'Wait Timeout (Seconds)',
		'waitTimeout',
		{
			typeOptions: { minValue: 1, maxValue: limits.maxRunTimeoutSeconds },
			// How long a server lets a run go on (recorded)
			default: 600,
			description: 'How many seconds to wait for the end of the run',
		},
		(seconds): Patience => ({ maxElapsedMs: seconds * 1000, elapsed: { ms: 0 } }),
	),
};

/** Where a run is paused, and until when, as far as the release says it: ` at "Approve" (step_2)` */
function pauseWords({ steps, flowVersion, pauseMetadata }: IDataObject): string {
	const name = stepsOfLog(steps).find(({ status }) => status === 'PAUSED')?.name;
	const step = stepsOf(recordOf(flowVersion).trigger).find((each) => each.name === name);
	const until = textOf(recordOf(pauseMetadata).resumeDateTime);
	const place =
		name === undefined ? '' : ` at ${nameAndId(textOf(step?.displayName), textOf(name))}`;
	return place + (until && ` until ${until}`);
}

/**
 * Waits until a run has ended, and returns what Get returns of it.
 *
 * @throws {ActivepiecesError} when it has not ended in time
 */
export async function waitForEnd(client: ApiClient, id: unknown, patience: Patience) {
	const target = { id, subject: { noun: 'flow run' } };
	const fetchAgain = async () => await fetchRun(client, target);
	const isPending = ({ status }: IDataObject) => isUnfinished(status);
	const run = await client.pollWhile(await fetchAgain(), isPending, fetchAgain, patience);
	const record = simplifyRun(run, client);
	delete record.projectName;
	if (!isPending(run)) return record;
	const state =
		run.status === 'PAUSED'
			? `It is paused${pauseWords(run)}: it waits, for example for an approval.`
			: `It is ${lowerCase(run.status)}, and goes on in Activepieces.`;
	const page = record.url === null ? '' : ` Open it there: ${textOf(record.url)}.`;
	throw outcomeError(
		`Flow run "${textOf(id)}" has not ended after ${inSeconds(patience.maxElapsedMs)}`,
		`${state}${page} To wait longer, raise the option Wait Timeout (Seconds).`,
	);
}
