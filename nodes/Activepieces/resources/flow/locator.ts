import type { IDataObject } from 'n8n-workflow';

import { beside, type GetSources, lowerCase, nameOf } from '../../descriptions/listSource';
import { type Locator, locatorField } from '../../descriptions/locator';
import type { OptionList } from '../../descriptions/optionList';
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
	beside(project.name, lowerCase(status));

const flowSources: GetSources = async (client, projectId) =>
	await projectSources(
		client,
		LIST_FLOWS,
		(flow, project) => flowName(flow) + besideName(project, flow.status),
		{
			search: (project) => ({
				parameter: 'name',
				besideName: `${besideName(project, 'ENABLED')} ${besideName(project, 'DISABLED')}`,
			}),
			projectId,
		},
	);

export const flowLocator: Locator = {
	name: 'flowId',
	displayName: 'Flow',
	noun: 'flow',
	description: 'The flow to operate on. The list shows the flows of all projects.',
	required: true,
	page: 'flow',
	searchMethod: 'searchFlows',
	sources: async (client) => await flowSources(client),
};

export const flowOptions: OptionList = {
	noun: 'flows',
	loadMethod: 'getFlows',
	sources: flowSources,
};

export const flowExternalIdOptions: OptionList = {
	noun: 'flows',
	loadMethod: 'getFlowExternalIds',
	sources: async (client, projectId) =>
		(await flowSources(client, projectId)).map((source) => ({
			...source,
			value: ({ externalId }) => externalId,
		})),
};

/** Shared by the operations on a flow. */
export const flowField = locatorField(flowLocator);
