import type { AuditEventRecord } from '../auditEvents';
import { requireFeature, type KnownPrincipal } from '../auth';
import type { Context } from '../context';
import { byCreated } from '../cursor';
import { conflict, notAllowed } from '../errors';
import { createdBetween, equal, every, oneOfThese, paged, paginate } from '../list';
import { list, text } from '../schema';

const DEFAULT_LIMIT = 20;

const QUERY = paged({
	action: list(text),
	projectId: list(text),
	userId: text,
	createdAfter: text,
	createdBefore: text,
});

/** GET /v1/audit-events; the Community edition does not have it. Recorded in har/enterprise-*-audit. */
export function auditEventRoutes({ auth, edition, plan, route, traits }: Context): void {
	if (edition === 'community') return;
	/** 0.73 asks a key for a project, and refuses it all the same. */
	const refuseOldKey = ({ type }: KnownPrincipal, projectId?: string[]) => {
		if (!traits.old || type === 'USER') return;
		if (projectId === undefined) throw conflict('missing project id in request');
		throw notAllowed({ message: 'invalid api key' });
	};
	route('GET', '/v1/audit-events', { query: QUERY }, (request) => {
		const { action, projectId, userId, createdAfter, createdBefore } = request.query;
		refuseOldKey(auth.platform(request), projectId);
		const { platform } = auth.platformAdmin(request);
		requireFeature(plan.auditLogEnabled);
		const keep = every<AuditEventRecord>(
			oneOfThese(action, (row) => row.action),
			oneOfThese(projectId, (row) => row.projectId ?? ''),
			equal(userId, (row) => row.userId),
			createdBetween(createdAfter, createdBefore),
		);
		return paginate(request, platform.auditEvents, keep, byCreated, DEFAULT_LIMIT);
	});
}
