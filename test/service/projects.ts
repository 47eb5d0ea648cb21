import type { KnownPrincipal } from './auth';
import type { ProjectRecord, ServiceData } from './records';

/**
 * The projects in a list: all for keys and admins, for others their own and those in which they have a role.
 */
export function visibleProjects(principal: KnownPrincipal): ProjectRecord[] {
	const { projects, members } = principal.platform;
	if (principal.type === 'SERVICE' || principal.user.platformRole === 'ADMIN') return [...projects];
	const { id } = principal.user;
	const joined = new Set(
		members.filter(({ userId }) => userId === id).map(({ projectId }) => projectId),
	);
	return projects.filter(
		(project) => joined.has(project.id) || (project.type === 'PERSONAL' && project.ownerId === id),
	);
}

/** A project of the Community edition before it had plans of projects. */
export function withoutPlan(project: ProjectRecord): Record<string, unknown> {
	const entries = Object.entries(project).filter(([key]) => key !== 'plan' && key !== 'analytics');
	return { ...Object.fromEntries(entries), deleted: null, externalId: project.externalId || null };
}

export function removeProject(data: ServiceData, id: string): void {
	const stays = ({ projectId }: { projectId: string | null }) => projectId !== id;
	data.projects = data.projects.filter((project) => project.id !== id);
	data.folders = data.folders.filter(stays);
	data.flows = data.flows.filter(stays);
	data.flowRuns = data.flowRuns.filter(stays);
	data.invitations = data.invitations.filter(stays);
	data.tables = data.tables.filter(stays);
	data.fields = data.fields.filter(stays);
	data.tableRows = data.tableRows.filter(stays);
	data.projectConnections = data.projectConnections.filter(
		({ projectIds }) => !projectIds.includes(id),
	);
}
