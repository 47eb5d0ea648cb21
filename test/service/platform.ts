import type { RecordMaker } from './make';
import type { QueueStats, ServiceData } from './records';

export const FEATURES = [
	'apiKeysEnabled',
	'auditLogEnabled',
	'eventStreamingEnabled',
	'globalConnectionsEnabled',
	'manageTemplatesEnabled',
	'projectRolesEnabled',
	'ssoEnabled',
] as const;

/** The counters of a server with a few jobs. */
const QUEUE: QueueStats = {
	active: 0,
	delayed: 2,
	prioritized: 1,
	waiting: 3,
	'waiting-children': 0,
	completed: 0,
	failed: 0,
	paused: 0,
};

export function emptyPlatform(make: RecordMaker): ServiceData {
	return {
		platformId: make.admin.platformId,
		admin: make.admin,
		users: [make.admin, make.member()],
		members: [],
		signIn: { emailAuthEnabled: true, allowedAuthDomains: null },
		projects: [],
		folders: [],
		flows: [],
		flowRuns: [],
		connections: [],
		projectConnections: [],
		templates: [],
		invitations: [],
		auditEvents: [],
		tables: [],
		fields: [],
		tableRows: [],
		queue: { ...QUEUE },
		published: new Map(),
		micros: new Map(),
	};
}

/** Removes a project with all that is in it. */
export function removeProject(data: ServiceData, id: string): void {
	const without = <Row extends { projectId: string | null }>(rows: Row[]) =>
		rows.filter(({ projectId }) => projectId !== id);
	data.projects = data.projects.filter((project) => project.id !== id);
	data.folders = without(data.folders);
	data.flows = without(data.flows);
	data.flowRuns = without(data.flowRuns);
	data.invitations = without(data.invitations);
	data.tables = without(data.tables);
	data.fields = without(data.fields);
	data.tableRows = without(data.tableRows);
	data.projectConnections = data.projectConnections.filter(
		({ projectIds }) => !projectIds.includes(id),
	);
}
