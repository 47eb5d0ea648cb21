import type { AuditEventRecord } from '../auditEvents';
import { requireFeature } from '../auth';
import type { Context } from '../context';
import { byCreated } from '../cursor';
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
export function auditEventRoutes({ auth, edition, plan, route }: Context): void {
	if (edition === 'community') return;
	route('GET', '/v1/audit-events', { query: QUERY }, (request) => {
		const { action, projectId, userId, createdAfter, createdBefore } = request.query;
		auth.platformWithProject(request);
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
