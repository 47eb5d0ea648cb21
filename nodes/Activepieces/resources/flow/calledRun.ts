import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/client';
import type { ApiResponse } from '../../transport/response';
import { requestRecord } from '../../transport/send';
import { shortName, unended } from '../../transport/text';
import { isRecord, textOf } from '../../transport/values';
import { hasFailed, LIST_RUNS, simplifyRun } from '../flowRun/flowRun';

/** What is known of the run of a call that the flow did not respond to. */
export interface CalledRun {
	/** Its status, the step at which it failed with the error, and its page */
	sentence: string;
	hasFailed: boolean;
}

/** The Date of a response has whole seconds. */
const DATE_STEP_MS = 1000;

function describeRun(client: ApiClient, run: IDataObject): CalledRun {
	const { status, failedStep, url } = simplifyRun(run, client);
	const { name, displayName, message } = isRecord(failedStep) ? failedStep : {};
	const step = textOf(displayName) || textOf(name);
	const error = unended(textOf(message));
	return {
		sentence: `The status of its run is ${textOf(status)}${step && `, at the step "${shortName(step)}"`}${error && `: ${error}`}. Open the run in Activepieces${url === null ? '' : `: ${textOf(url)}`}.`,
		hasFailed: hasFailed(status),
	};
}

/**
 * Finds the run of a call. A run does not contain the ID of its call, and is listed as soon as a call that
 * waits has arrived (recorded), so it is the run of the flow since then if there is only one.
 *
 * @returns undefined when there are several, or when they cannot be listed
 */
export async function findCalledRun(
	client: ApiClient,
	{ id: flowId, projectId }: { id: unknown; projectId: string },
	{ date, webhook }: ApiResponse,
): Promise<CalledRun | undefined> {
	if (date === undefined || webhook === undefined) return undefined;
	const createdAfter = new Date(date - webhook.elapsedMs - DATE_STEP_MS).toISOString();
	const query = { ...LIST_RUNS.query, projectId, flowId: [textOf(flowId)], createdAfter, limit: 2 };
	// The call itself failed, which is what the person has to know.
	const { data } = await requestRecord(client, { ...LIST_RUNS, query }).catch(() => ({ data: [] }));
	const runs = Array.isArray(data) ? data.filter(isRecord) : [];
	const isOfFlow = runs.length === 1 && runs[0].flowId === flowId;
	return isOfFlow ? describeRun(client, runs[0]) : undefined;
}
