import type { Simplify } from '../../descriptions/output';
import { pageUrl } from '../../transport/webPage';

/** The fields of a project that a person looks at; absent ones are null. */
export const simplifyProject: Simplify = (project, source) => ({
	id: project.id ?? null,
	name: project.displayName ?? null,
	type: project.type ?? null,
	// Empty on 0.73 where there is none (recorded).
	externalId: project.externalId === '' ? null : (project.externalId ?? null),
	ownerId: project.ownerId ?? null,
	created: project.created ?? null,
	updated: project.updated ?? null,
	url: pageUrl(source?.baseUrl, 'project', project),
});
