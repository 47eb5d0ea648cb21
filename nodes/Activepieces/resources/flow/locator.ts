import type { IDataObject } from 'n8n-workflow';

import { lowerCase, nameOf } from '../../descriptions/listSource';
import { type Locator, locatorField } from '../../descriptions/locator';
import { isRecord } from '../../transport/isRecord';
import type { Project } from '../../transport/paging/projects';
import { projectSources } from '../project/sources';
import { LIST_FLOWS } from './requests';

/** The name of a flow is that of its latest version. */
export function flowName({ id, version }: IDataObject): string {
	return nameOf({ ...(isRecord(version) ? version : {}), id });
}

/** What the label of a flow holds beside its name. */
const besideName = (project: Project, status: unknown): string =>
	`(${project.name}, ${lowerCase(status)})`;

export const flowLocator: Locator = {
	name: 'flowId',
	displayName: 'Flow',
	noun: 'flow',
	description: 'The flow to work with; the list shows the flows of all projects',
	required: true,
	page: 'flow',
	searchMethod: 'searchFlows',
	sources: async (client) =>
		await projectSources(
			client,
			LIST_FLOWS,
			(flow, project) => `${flowName(flow)} ${besideName(project, flow.status)}`,
			(project) => ({
				parameter: 'name',
				besideName: `${besideName(project, 'ENABLED')} ${besideName(project, 'DISABLED')}`,
			}),
		),
};

/** Shared by the operations on a flow. */
export const flowField = locatorField(flowLocator);
