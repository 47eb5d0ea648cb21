import type { IDataObject } from 'n8n-workflow';

import { inBrackets, type GetSources, lowerCase, nameOf } from '../../descriptions/listSource';
import { type Locator, locatorField } from '../../descriptions/locator';
import type { OptionList } from '../../descriptions/optionList';
import type { Project } from '../../transport/paging/projects';
import { isRecord } from '../../transport/values/isRecord';
import { fetchProjectSources } from '../project/sources';
import { LIST_FLOWS } from './requests';
import { type TriggerKind, triggerKind } from './webhookTrigger';

/** The name of a flow, which is that of its latest version. */
export function flowName({ id, version }: IDataObject): string {
	return nameOf({ ...(isRecord(version) ? version : {}), id });
}

/** What the label of a flow shows beside its name. */
const labelDetails = (project: Project, status: unknown, more: string): string =>
	inBrackets(project.name, lowerCase(status), more);

/**
 * The flows of each project.
 *
 * @param more what labels also show: of one flow, and of any flow
 */
const flowSources =
	(more: { of(flow: IDataObject): string; all: string[] }): GetSources =>
	async (client, projectId) =>
		await fetchProjectSources(
			client,
			LIST_FLOWS,
			(flow, project) => flowName(flow) + labelDetails(project, flow.status, more.of(flow)),
			{
				search: (project) => ({
					parameter: 'name',
					labelDetails: ['ENABLED', 'DISABLED']
						.flatMap((status) => more.all.map((each) => labelDetails(project, status, each)))
						.join(' '),
				}),
				projectId,
			},
		);

/** What starts a flow, for labels: it shows whether the flow can be run with an input. */
const START_WORDS: Record<TriggerKind, string> = {
	empty: 'no trigger',
	webhook: 'webhook',
	schedule: 'schedule',
	manual: 'manual',
	subflow: 'subflow',
	app: 'app event',
};

const locatorSources = flowSources({
	of: ({ version }) =>
		START_WORDS[triggerKind(isRecord(version) && isRecord(version.trigger) ? version.trigger : {})],
	all: Object.values(START_WORDS),
});

const optionSources = flowSources({ of: () => '', all: [''] });

export const flowLocator: Locator = {
	name: 'flowId',
	displayName: 'Flow',
	noun: 'flow',
	description: 'The flow to operate on. The list shows the flows of all projects.',
	required: true,
	page: 'flow',
	searchMethod: 'searchFlows',
	sources: async (client) => await locatorSources(client),
};

export const flowOptions: OptionList = {
	noun: 'flows',
	loadMethod: 'getFlows',
	sources: optionSources,
};

export const flowExternalIdOptions: OptionList = {
	noun: 'flows',
	loadMethod: 'getFlowExternalIds',
	sources: async (client, projectId) =>
		(await optionSources(client, projectId)).map((source) => ({
			...source,
			value: ({ externalId }) => externalId,
		})),
};

/** Shared by the operations on a flow. */
export const flowField = locatorField(flowLocator);
