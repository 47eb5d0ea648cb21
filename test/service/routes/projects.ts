import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byTypeAndName, compareProjects } from '../cursor';
import { notAllowed, refuseNul } from '../errors';
import { containsLike, every, paginate, when } from '../list';
import type { ProjectRecord } from '../records';

interface ProjectQuery {
	displayName?: string;
	externalId?: string;
	types?: string[];
}

/** GET /v1/projects: 50 rows by default. The Community edition gives it to users only. */
export function projectRoutes({ auth, edition, route, traits }: Context): void {
	route(
		'GET',
		'/v1/projects',
		(request) => {
			const { platform, type } = auth.platform(request);
			if (edition === 'community' && type === 'SERVICE') {
				throw notAllowed({ message: traits.unknownPrincipal });
			}
			const { displayName, externalId, types } = request.query as ProjectQuery;
			refuseNul(displayName, externalId);
			const keep = every<ProjectRecord>(
				when(displayName, (text) => {
					const matches = containsLike(text);
					return (row) => matches(row.displayName);
				}),
				when(externalId, (id) => (row) => row.externalId === id),
				when(types, (wanted) => (row) => wanted.includes(row.type)),
			);
			const sorted = [...platform.projects].sort(compareProjects);
			return paginate(sorted, keep, pageRequest(request), byTypeAndName, 50);
		},
		{
			query: {
				displayName: { type: 'string' },
				externalId: { type: 'string' },
				types: { type: 'enums', values: ['TEAM', 'PERSONAL'] },
				...PAGE_FIELDS,
			},
		},
	);
}
