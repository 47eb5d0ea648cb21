import type { IDataObject } from 'n8n-workflow';

import { lowerCase, nameOf } from '../../descriptions/listSource';
import { type Locator, locatorField } from '../../descriptions/locator';
import { limits } from '../../transport/limits';
import { isRecord } from '../../transport/isRecord';
import { textOf } from '../../transport/textOf';
import { projectSources } from '../project/sources';
import { LIST_RUNS } from './requests';
import { FAILED_STATUSES } from './statuses';

const flowNameOf = ({ id, flowVersion }: IDataObject): string =>
	nameOf({ ...(isRecord(flowVersion) ? flowVersion : {}), id });

/** `2026-11-20 08:15` of an ISO time in UTC. */
const minuteOf = (created: unknown): string => textOf(created).slice(0, 16).replace('T', ' ');

export const flowRunLocator: Locator = {
	name: 'flowRunId',
	displayName: 'Flow Run',
	noun: 'flow run',
	description: 'The run to work with; the list shows failed runs, the newest of each project first',
	required: true,
	page: 'flowRun',
	searchMethod: 'searchFlowRuns',
	sources: async (client) => {
		const sources = await projectSources(
			client,
			{ ...LIST_RUNS, query: { ...LIST_RUNS.query, status: FAILED_STATUSES } },
			(run, project) =>
				`${flowNameOf(run)}, ${minuteOf(run.created)} UTC (${project.name}, ${lowerCase(run.status).replaceAll('_', ' ')})`,
		);
		return sources.map((source) => ({ ...source, pageSize: limits.locatorRuns }));
	},
};

/** Shared by the operations on a run. */
export const flowRunField = locatorField(flowRunLocator);
