import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byCreated } from '../cursor';
import { refuseNul } from '../errors';
import { containsLike, every, paginate, when } from '../list';
import type { ConnectionRecord } from '../records';

interface ConnectionQuery {
	projectId: string;
	pieceName?: string;
	displayName?: string;
	scope?: string;
	status?: string[];
}

/** GET /v1/app-connections: those that a project can use. */
export function appConnectionRoutes({ auth, route }: Context): void {
	route(
		'GET',
		'/v1/app-connections',
		(request) => {
			const { platform } = auth.projectOfQuery(request);
			const query = request.query as ConnectionQuery;
			const { pieceName, displayName, scope, status } = query;
			refuseNul(pieceName, displayName);
			const keep = every<ConnectionRecord>(
				(row) => row.projectIds.includes(query.projectId),
				when(pieceName, (name) => (row) => row.pieceName === name),
				when(displayName, (text) => {
					const matches = containsLike(text);
					return (row) => matches(row.displayName);
				}),
				when(scope, (wanted) => (row) => row.scope === wanted),
				when(status, (statuses) => (row) => statuses.includes(row.status)),
			);
			return paginate(platform.connections, keep, pageRequest(request), byCreated);
		},
		{
			query: {
				projectId: { type: 'string', required: true },
				scope: { type: 'enum', values: ['PROJECT', 'PLATFORM'] },
				pieceName: { type: 'string' },
				displayName: { type: 'string' },
				status: { type: 'enums', values: ['ACTIVE', 'MISSING', 'ERROR'] },
				...PAGE_FIELDS,
			},
		},
	);
}
