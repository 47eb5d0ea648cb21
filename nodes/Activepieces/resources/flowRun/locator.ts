import type { IDataObject } from 'n8n-workflow';

import { type ListSource, lowerCase, nameOf } from '../../descriptions/listSource';
import { type Locator, locatorField } from '../../descriptions/locator';
import { limits } from '../../transport/limits';
import { isRecord } from '../../transport/isRecord';
import { textOf } from '../../transport/textOf';
import { projectSources } from '../project/sources';
import { LIST_RUNS } from './requests';
import { FAILED_ON_ALL_RELEASES } from './statuses';

const flowNameOf = ({ id, flowVersion }: IDataObject): string =>
	nameOf({ ...(isRecord(flowVersion) ? flowVersion : {}), id });

/** `2026-11-20 08:15:32Z` of an ISO time in UTC. */
const secondOf = (created: unknown): string => `${textOf(created).slice(0, 19).replace('T', ' ')}Z`;

/** The step that a run failed at; its status where no step failed. */
function reasonOf({ failedStep, status }: IDataObject): string {
	const { name, displayName } = isRecord(failedStep) ? failedStep : {};
	return textOf(displayName) || textOf(name) || lowerCase(status).replaceAll('_', ' ');
}

/**
 * The entry of a run. The editor shows about 50 characters, so what tells runs apart comes first, and the
 * project's name last.
 */
const runLabel = (run: IDataObject, projectName?: string): string =>
	[
		`${secondOf(run.created)}, ${flowNameOf(run)}, ${reasonOf(run)}`,
		...(projectName === undefined ? [] : [`(${projectName})`]),
	].join(' ');

export const flowRunLocator: Locator = {
	name: 'flowRunId',
	displayName: 'Flow Run',
	noun: 'flow run',
	description:
		'The run to operate on. The list shows failed runs with their time in UTC, the newest of each project first.',
	required: true,
	page: 'flowRun',
	searchMethod: 'searchFlowRuns',
	sources: async (client) => {
		const sources: ListSource[] = await projectSources(
			client,
			{ ...LIST_RUNS, query: { ...LIST_RUNS.query, status: FAILED_ON_ALL_RELEASES } },
			(run, project) => runLabel(run, sources.length > 1 ? project.name : undefined),
		);
		return sources.map((source) => ({ ...source, pageSize: limits.locatorRuns }));
	},
};

/** Shared by the operations on a run. */
export const flowRunField = locatorField(flowRunLocator);
