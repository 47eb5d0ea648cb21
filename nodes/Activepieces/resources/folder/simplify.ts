import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../../descriptions/output';
import { projectNameOf } from '../project/projectNames';

/** In 0.73 the number of flows is a text in lists, and a number elsewhere (recorded). */
function flowCount({ numberOfFlows }: IDataObject): number | null {
	const count = typeof numberOfFlows === 'string' ? Number(numberOfFlows) : numberOfFlows;
	return typeof count === 'number' && !Number.isNaN(count) ? count : null;
}

/** The fields of a folder that a person reads, the same for all releases. Missing fields are null. */
export const simplifyFolder: Simplify = (folder, source) => ({
	id: folder.id ?? null,
	name: folder.displayName ?? null,
	projectId: folder.projectId ?? null,
	projectName: projectNameOf(folder, source),
	flowCount: flowCount(folder),
	created: folder.created ?? null,
	updated: folder.updated ?? null,
});
