import { requireFeature } from '../auth';
import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byCreated } from '../cursor';
import { refuseNul } from '../errors';
import { containsLike, every, paginate, when } from '../list';
import type { ConnectionRecord } from '../records';

interface ConnectionQuery {
	pieceName?: string;
	displayName?: string;
	status?: string[];
}

/** GET /v1/global-connections; the Community edition does not have it. */
export function connectionRoutes({ auth, edition, plan, route, traits }: Context): void {
	if (edition === 'community') return;
	route(
		'GET',
		'/v1/global-connections',
		(request) => {
			const { platform } = auth.platform(request);
			// 0.73 checks the plan before the credential.
			if (!traits.oldAuthorization) auth.platformAdmin(request);
			requireFeature(plan.globalConnectionsEnabled);
			auth.platformAdmin(request);
			const { pieceName, displayName, status } = request.query as ConnectionQuery;
			refuseNul(pieceName, displayName);
			const keep = every<ConnectionRecord>(
				when(pieceName, (name) => (row) => row.pieceName === name),
				when(displayName, (text) => {
					const matches = containsLike(text);
					return (row) => matches(row.displayName);
				}),
				when(status, (statuses) => (row) => statuses.includes(row.status)),
			);
			return paginate(platform.connections, keep, pageRequest(request), byCreated);
		},
		{
			query: {
				// Validated, but without effect: the list contains connections of platform scope only.
				scope: { type: 'enum', values: ['PROJECT', 'PLATFORM'] },
				pieceName: { type: 'string' },
				displayName: { type: 'string' },
				status: { type: 'enums', values: ['ACTIVE', 'MISSING', 'ERROR'] },
				...PAGE_FIELDS,
			},
		},
	);
}
