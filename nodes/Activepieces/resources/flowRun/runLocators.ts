import { tryToParseDateTime } from 'n8n-workflow';

import { type Locator, lowerCase, nameOf, type ProjectLists } from '../../descriptions/locator';
import { limits } from '../../transport/limits';
import { capitalize } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import { fetchNamed } from '../recordOperation';
import { GET_RUN, LIST_RUNS } from './flowRun';
import { FAILED_STATUSES, WAITING_STATUSES, withAcceptedStatuses } from './runStatus';

/** `26 Nov 11:20`, in a time zone */
function timeWords(created: unknown, timeZone: string): string {
	if (Number.isNaN(Date.parse(textOf(created)))) return '';
	const time = tryToParseDateTime(textOf(created), timeZone).setZone(timeZone);
	return time.setLocale('en-US').toFormat('d LLL HH:mm');
}

/**
 * The runs of all projects, or those with one of these statuses, as far as a release knows them. The editor
 * shows about 50 characters of an entry, so the parts that distinguish runs come first and the project's name last.
 */
const runLists = (statuses?: string[]): ProjectLists => ({
	request: LIST_RUNS,
	fetchPage: async (client, { query, ...request }, ask) =>
		statuses === undefined
			? await ask({ ...request, query })
			: await withAcceptedStatuses(
					client,
					statuses,
					async (status) => await ask({ ...request, query: { ...query, status } }),
				),
	label(run, { name }, isOnly, timeZone) {
		const statusWords = capitalize(lowerCase(run.status).replaceAll('_', ' '));
		const flow = nameOf({ ...recordOf(run.flowVersion), id: run.id });
		const parts = [statusWords, flow, timeWords(run.created, timeZone)];
		return parts.filter((part) => part !== '').join(' · ') + (isOnly ? '' : ` (${name})`);
	},
	pageSize: limits.locatorRuns,
});

export const flowRunLocator: Locator = {
	name: 'flowRunId',
	displayName: 'Flow Run',
	noun: 'flow run',
	description:
		"The run to retry. The list shows failed runs by project, newest first. Times are in the workflow's time zone.",
	required: true,
	page: 'flowRun',
	searchMethod: 'searchFlowRuns',
	sources: runLists(FAILED_STATUSES),
};

export const anyRunLocator: Locator = {
	...flowRunLocator,
	description:
		"The run to get. The list shows the runs by project, newest first. Times are in the workflow's time zone.",
	searchMethod: 'searchAllFlowRuns',
	sources: runLists(),
};

export const fetchAnyRun = fetchNamed(GET_RUN, anyRunLocator);

export const waitingRunLocator: Locator = {
	...flowRunLocator,
	description:
		"The run to cancel. The list shows paused and queued runs by project, newest first. Times are in the workflow's time zone.",
	searchMethod: 'searchWaitingFlowRuns',
	sources: runLists(WAITING_STATUSES),
};
