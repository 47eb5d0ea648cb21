import type { IDataObject } from 'n8n-workflow';

/** 0.73 gives the number of flows as text in lists, and as a number elsewhere (recorded). */
function flowCount({ numberOfFlows }: IDataObject): number | null {
	const count = typeof numberOfFlows === 'string' ? Number(numberOfFlows) : numberOfFlows;
	return typeof count === 'number' && !Number.isNaN(count) ? count : null;
}

/**
 * The fields of a folder that a person looks at, the same whichever release answered; absent ones are null.
 *
 * @param projectName null where it is not known
 */
export function simplifyFolder(folder: IDataObject, projectName: string | null): IDataObject {
	return {
		id: folder.id ?? null,
		name: folder.displayName ?? null,
		projectId: folder.projectId ?? null,
		projectName,
		flowCount: flowCount(folder),
		created: folder.created ?? null,
		updated: folder.updated ?? null,
	};
}
