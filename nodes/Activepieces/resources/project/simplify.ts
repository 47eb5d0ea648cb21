import type { IDataObject } from 'n8n-workflow';

/** The fields of a project that a person looks at; absent ones are null. */
export function simplifyProject(project: IDataObject): IDataObject {
	return {
		id: project.id ?? null,
		name: project.displayName ?? null,
		type: project.type ?? null,
		// Empty on 0.73 where there is none (recorded).
		externalId: project.externalId === '' ? null : (project.externalId ?? null),
		ownerId: project.ownerId ?? null,
		created: project.created ?? null,
		updated: project.updated ?? null,
	};
}
