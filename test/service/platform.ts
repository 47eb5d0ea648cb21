import type { RecordMaker } from './make';
import type { QueueStats, ServiceData } from './records';

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
