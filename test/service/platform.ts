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
