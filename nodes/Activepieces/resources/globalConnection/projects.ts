import { optionListField, type OptionList } from '../../descriptions/locator';
import { splitList, toIdText } from '../../descriptions/parameters';
import type { ApiRequest } from '../../transport/client/request';
import { UNKNOWN_PROJECTS } from '../connection/connectionRules';
import { allProjects } from '../project/project';

export const projectOptions: OptionList = {
	noun: 'projects',
	loadMethod: 'getProjects',
	sources: () => [allProjects],
};

export const projectsField = (purpose: string) =>
	optionListField(
		projectOptions,
		{ displayName: 'Project Names or IDs', name: 'projectIds' },
		purpose,
	);

export const projectIdsOf = ({ projectIds }: { projectIds?: unknown }): string[] =>
	Array.isArray(projectIds) ? (projectIds as string[]) : [];

/** Each project once, because the service refuses one that is named twice (recorded). */
export const toProjectIds = (label: string, value: unknown): string[] => [
	...new Set(splitList(label, value, toIdText)),
];

/** Changes name and projects of a global connection. The projects that are sent replace the others. */
export const updateRequest = (
	id: unknown,
	body: { displayName: string; projectIds?: string[] },
): ApiRequest => ({
	endpoint: UPDATE_GLOBAL_CONNECTION,
	id,
	subject: { noun: 'global connection', field: 'Global Connection' },
	body,
});

export const UPDATE_GLOBAL_CONNECTION: ApiRequest['endpoint'] = {
	method: 'POST',
	path: '/v1/global-connections/{id}',
	feature: 'global connections',
	rules: [UNKNOWN_PROJECTS],
};
