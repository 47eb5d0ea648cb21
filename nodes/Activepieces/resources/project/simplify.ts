import type { Simplify } from '../../descriptions/output';
import { recordUrl } from '../../transport/recordUrl';

/** The fields of a project that a person reads. Missing fields are null. */
export const simplifyProject: Simplify = (project, source) => ({
	id: project.id ?? null,
	name: project.displayName ?? null,
	type: project.type ?? null,
	// In 0.73 empty for no external ID (recorded).
	externalId: project.externalId === '' ? null : (project.externalId ?? null),
	ownerId: project.ownerId ?? null,
	created: project.created ?? null,
	updated: project.updated ?? null,
	url: recordUrl(source?.baseUrl, 'project', project),
});
