import type { IDataObject } from 'n8n-workflow';

import { type GetSources, type ListSource, lowerCase, nameOf } from '../../descriptions/listSource';
import { type Locator, locatorField } from '../../descriptions/locator';
import { limits } from '../../transport/limits';
import { isRecord } from '../../transport/values/isRecord';
import { textOf } from '../../transport/values/textOf';
import { fetchProjectSources } from '../project/sources';
import { LIST_RUNS } from './requests';
import { FAILED_ON_ALL_RELEASES, WAITING_STATUSES } from './statuses';

const flowNameOf = ({ id, flowVersion }: IDataObject): string =>
	nameOf({ ...(isRecord(flowVersion) ? flowVersion : {}), id });

/** Turns an ISO time in UTC into `2026-11-20 08:15:32Z`. */
const secondOf = (created: unknown): string => `${textOf(created).slice(0, 19).replace('T', ' ')}Z`;

/** The step at which a run failed; the status if no step failed. */
function reasonOf({ failedStep, status }: IDataObject): string {
	const { name, displayName } = isRecord(failedStep) ? failedStep : {};
	return textOf(displayName) || textOf(name) || lowerCase(status).replaceAll('_', ' ');
}

/** What a run waits for: its turn, or the end of a pause. */
const waitingOf = ({ status }: IDataObject): string => lowerCase(status);

/**
 * The runs of all projects with one of the statuses. The editor shows about 50 characters of an entry,
 * so the parts that distinguish runs come first and the project's name last.
 *
 * @param detail what an entry shows beside the time and the flow of a run
 */
const runSources =
	(status: string[], detail: (run: IDataObject) => string): GetSources =>
	async (client) => {
		const label = (run: IDataObject, projectName?: string): string =>
			[
				`${secondOf(run.created)}, ${flowNameOf(run)}, ${detail(run)}`,
				...(projectName === undefined ? [] : [`(${projectName})`]),
			].join(' ');
		const sources: ListSource[] = await fetchProjectSources(
			client,
			{ ...LIST_RUNS, query: { ...LIST_RUNS.query, status } },
			(run, project) => label(run, sources.length > 1 ? project.name : undefined),
		);
		return sources.map((source) => ({ ...source, pageSize: limits.locatorRuns }));
	};

export const flowRunLocator: Locator = {
	name: 'flowRunId',
	displayName: 'Flow Run',
	noun: 'flow run',
	description:
		'The run to operate on. The list shows failed runs by project, newest first. Times are in UTC.',
	required: true,
	page: 'flowRun',
	searchMethod: 'searchFlowRuns',
	sources: runSources(FAILED_ON_ALL_RELEASES, reasonOf),
};

/** Only runs that are waiting can be canceled. */
export const waitingRunLocator: Locator = {
	...flowRunLocator,
	description:
		'The run to cancel. The list shows paused and queued runs by project, newest first. Times are in UTC.',
	searchMethod: 'searchWaitingFlowRuns',
	sources: runSources(WAITING_STATUSES, waitingOf),
};

/** Shared by the operations on a run. */
export const flowRunField = locatorField(flowRunLocator);
