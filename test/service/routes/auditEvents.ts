import { type KnownPrincipal, requireFeature } from '../auth';
import { type AuditEventRecord } from '../auditEvents';
import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byCreated } from '../cursor';
import { conflict, notAllowed } from '../errors';
import { every, paginate, when } from '../list';
import { bound } from './flowRuns';

const DEFAULT_LIMIT = 20;

interface AuditQuery {
	action?: string[];
	projectId?: string[];
	userId?: string;
	createdAfter?: string;
	createdBefore?: string;
}

/** GET /v1/audit-events; the Community edition does not have it. Recorded in har/enterprise-*-audit. */
export function auditEventRoutes({ auth, edition, plan, route, traits }: Context): void {
	if (edition === 'community') return;
	/** 0.73 asks a key for a project, and refuses it all the same. */
	const refuseOldKey = ({ type }: KnownPrincipal, projectId?: string[]) => {
		if (!traits.oldAuthorization || type === 'USER') return;
		if (projectId === undefined) throw conflict('missing project id in request');
		throw notAllowed({ message: 'invalid api key' });
	};
	route(
		'GET',
		'/v1/audit-events',
		(request) => {
			const query = request.query as AuditQuery;
			refuseOldKey(auth.platform(request), query.projectId);
			const { platform } = auth.platformAdmin(request);
			requireFeature(plan.auditLogEnabled);
			const keep = every<AuditEventRecord>(
				when(query.action, (actions) => (row) => actions.includes(row.action)),
				when(query.projectId, (ids) => (row) => ids.includes(row.projectId ?? '')),
				when(query.userId, (id) => (row) => row.userId === id),
				when(bound(query.createdAfter), (time) => (row) => Date.parse(row.created) >= time),
				when(bound(query.createdBefore), (time) => (row) => Date.parse(row.created) <= time),
			);
			return paginate(platform.auditEvents, keep, pageRequest(request), byCreated, DEFAULT_LIMIT);
		},
		{
			query: {
				action: { type: 'strings' },
				projectId: { type: 'strings' },
				userId: { type: 'string' },
				createdAfter: { type: 'string' },
				createdBefore: { type: 'string' },
				...PAGE_FIELDS,
			},
		},
	);
}
