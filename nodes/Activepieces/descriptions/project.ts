/** The field Project: by itself, and beside the field of a record, which is then one of the project. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { LIST_PROJECTS } from '../transport/api/projects';
import { isByProject, locatorField, nameOf, type Locator } from './locator';

export const allProjects = {
	key: 'all',
	request: LIST_PROJECTS,
	label: (project: IDataObject) => nameOf(project),
	search: { parameter: 'displayName' },
};

export const projectLocator: Locator = {
	name: 'projectId',
	displayName: 'Project',
	noun: 'project',
	description: 'The project to operate on',
	required: false,
	page: 'project',
	byName: ({ displayName }) => displayName,
	byExternalId: ({ externalId }) => [externalId],
	searchMethod: 'searchProjects',
	sources: () => [allProjects],
};

const projectFields = new Map<string, INodeProperties>();

/**
 * The fields of a record: its own, and that of its project if the record may have a name. A list that follows the
 * project has it before the record; others have it only for a name or an external ID, which each project may have.
 */
export function recordFields(locator: Locator): INodeProperties[] {
	const { name, displayName, noun, byName, sources } = locator;
	const own = locatorField(locator);
	if (byName === undefined || !isByProject(sources)) return [own];
	const isAbove = sources.isOfChosenProject === true;
	const description = `The project of the ${noun}`;
	const field = projectFields.get(name) ?? {
		...locatorField({
			...projectLocator,
			description: isAbove
				? `${description}. The ${displayName} list shows only the ${noun}s of this project.`
				: description,
			hint: 'Leave empty for all projects',
		}),
		// From the root: n8n 1 stops at a path that is no name of a field.
		...(!isAbove && { displayOptions: { show: { [`/${name}.mode`]: ['name', 'externalId'] } } }),
	};
	// The same object for all operations, so that the node's description has it once.
	projectFields.set(name, field);
	return isAbove ? [field, own] : [own, field];
}
