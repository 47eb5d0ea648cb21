import { optionListField, type OptionList } from '../../descriptions/locator';
import { splitList, toIdText } from '../../descriptions/parameters';
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
