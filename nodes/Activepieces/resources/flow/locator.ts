import type { IDataObject } from 'n8n-workflow';

import { lowerCase, nameOf } from '../../descriptions/listSource';
import { type Locator, locatorField } from '../../descriptions/locator';
import { isRecord } from '../../transport/isRecord';
import { projectSources } from '../project/sources';

/** The name of a flow is that of its latest version. */
export function flowName({ id, version }: IDataObject): string {
	return nameOf({ ...(isRecord(version) ? version : {}), id });
}

export const flowLocator: Locator = {
	name: 'flowId',
	displayName: 'Flow',
	noun: 'flow',
	description: 'The flow to work with; the list shows the flows of all projects',
	required: true,
	searchMethod: 'searchFlows',
	sources: async (client) =>
		await projectSources(
			client,
			{ method: 'GET', path: '/v1/flows', subject: { noun: 'flows' } },
			(flow, project) => `${flowName(flow)} (${project.name}, ${lowerCase(flow.status)})`,
		),
};

/** Shared by the operations on a flow. */
export const flowField = locatorField(flowLocator);
