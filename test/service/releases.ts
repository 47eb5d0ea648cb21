import type { Release } from './types';

/** What differs between the releases, in one place. Every route reads this, never the release name. */
export interface ReleaseTraits {
	version: string;
	/** AJV with coercion before 0.79, then zod */
	validation: 'ajv' | 'zod';
	/** nginx in front (before 0.80): it answers bad URLs itself and serves the web app */
	nginx: boolean;
	/** up to 0.74.3 a key needed a project on routes without platform scope, and failures read differently */
	oldAuthorization: boolean;
	/** an old JSON parser (Fastify 5.4), whose error texts differ */
	oldBodyParser: boolean;
	queueMetricsPath: '/v1/queue-metrics' | '/v1/worker-machines/queue-metrics';
	templatesPath: '/v1/flow-templates' | '/v1/templates';
	/** 0.74 to 0.76: /v1/flow-templates beside /v1/templates, with the public catalogue (read) */
	leftOverFlowTemplates: boolean;
	/** Community had no /v1/projects up to 0.76.0; its users' projects were at /v1/users/projects */
	communityProjects: boolean;
	/** a Community server gives and takes team projects, and lists as Enterprise does (since 0.80) */
	communityTeamProjects: boolean;
	/** GET /v1/projects/{id} */
	projectById: boolean;
	/** GET /v1/users/projects and /v1/users/projects/{id}, of a person's own (up to 0.76.0) */
	usersProjects: boolean;
	/** a session token names one project, and opens no other (0.73) */
	tokensOfOneProject: boolean;
	/** deleting an invitation to a project asks for that project beside the id (up to 0.76) */
	deletingNeedsProject: boolean;
	/** signing in tells when the person was last active */
	tellsActivity: boolean;
	/** projects have a poolId, flows a createdBy */
	poolsAndMakers: boolean;
	/** folders have an externalId */
	folderExternalIds: boolean;
	/** the token of somebody who has just signed up belongs to no platform yet */
	onboarding: boolean;
	/** most repeats of one query key before qs makes an object of them; null: no limit (older qs) */
	repeatLimit: number | null;
	/** most `k[i]` indices before qs makes an object of them */
	indexLimit: number;
	/** numberOfFlows of a folder in a list was a string before 0.75 */
	folderCountsAsText: boolean;
	folderTables: boolean;
	/** a change of a flow's status is carried out by a job after the answer (up to 0.79) */
	queuedFlowChanges: boolean;
	/** a flow whose change is under way refuses the next one (0.73) */
	busyFlowsRefuse: boolean;
	/** a flow that another user edited within the last minute refuses changes (up to 0.79) */
	flowsInUse: boolean;
	/** GET /v1/users/{id} takes keys (since 0.80) */
	usersForKeys: boolean;
	/** what a member is told who asks for the users */
	usersRefused: string;
	/** a run carries the flow's whole version, in lists twice (since 0.74) */
	runVersions: boolean;
	/** a run's null reads "", {} or [] (0.73), and its archived runs are listed unless refused */
	oldRuns: boolean;
	/** the cursor of runs names created and id, so that no row is lost (since 0.80) */
	exactRunCursor: boolean;
	/** runs are counted by status, and filtered by what their failed step said (since 0.80) */
	failedStepMessages: boolean;
	/** runs older than 30 days cannot be retried, and a bulk retry tells what failed (since 0.80) */
	retryRetention: boolean;
	/** a run tells its start when it ends or pauses, and a retry clears its finish (recorded at 0.85) */
	lateStartTimes: boolean;
	/** what a code step throws is stored as JSON, and cut off (recorded at 0.85) */
	wrappedErrors: boolean;
	/** a run tells how long each part of it took (0.86) */
	runTimelines: boolean;
	flowFolderIds: boolean;
	/** LOCKED answers 404 when a matched flow was never published */
	lockedNeedsPublished: boolean;
	canDeleteShared: boolean;
	preSelect: boolean;
	secretManager: boolean;
	/** an import makes a range of the version of each piece (up to 0.79) */
	rangesOfPieces: boolean;
	/** schemaVersion of stored flows */
	schemaVersion: string;
	unknownPrincipal: string;
	/** the 403 of somebody who is no admin, on routes for admins only */
	adminOnly: string;
}

const v085: ReleaseTraits = {
	version: '0.85.2',
	validation: 'zod',
	nginx: false,
	oldAuthorization: false,
	oldBodyParser: false,
	queueMetricsPath: '/v1/worker-machines/queue-metrics',
	templatesPath: '/v1/templates',
	leftOverFlowTemplates: false,
	communityProjects: true,
	communityTeamProjects: true,
	projectById: true,
	usersProjects: false,
	tokensOfOneProject: false,
	deletingNeedsProject: false,
	tellsActivity: false,
	poolsAndMakers: true,
	folderExternalIds: false,
	onboarding: true,
	repeatLimit: 1000,
	indexLimit: 1000,
	folderCountsAsText: false,
	folderTables: true,
	queuedFlowChanges: false,
	busyFlowsRefuse: false,
	flowsInUse: false,
	usersForKeys: true,
	usersRefused: 'User does not have invite permission on any project.',
	runVersions: true,
	oldRuns: false,
	exactRunCursor: true,
	failedStepMessages: true,
	retryRetention: true,
	lateStartTimes: true,
	wrappedErrors: true,
	runTimelines: false,
	flowFolderIds: true,
	lockedNeedsPublished: false,
	canDeleteShared: false,
	preSelect: true,
	secretManager: true,
	rangesOfPieces: false,
	schemaVersion: '22',
	unknownPrincipal: 'principal is not allowed for this route',
	adminOnly: 'User is not an admin/owner of the platform.',
};

const v079: ReleaseTraits = {
	...v085,
	version: '0.79.2',
	nginx: true,
	queueMetricsPath: '/v1/queue-metrics',
	communityTeamProjects: false,
	onboarding: false,
	poolsAndMakers: false,
	repeatLimit: 20,
	indexLimit: 20,
	folderTables: false,
	queuedFlowChanges: true,
	flowsInUse: true,
	usersForKeys: false,
	usersRefused: 'User is not an admin/owner of the platform.',
	exactRunCursor: false,
	failedStepMessages: false,
	retryRetention: false,
	lateStartTimes: false,
	wrappedErrors: false,
	flowFolderIds: false,
	canDeleteShared: true,
	secretManager: false,
	rangesOfPieces: true,
	schemaVersion: '18',
};

/** The table of releases. */
export const RELEASES: Record<Release, ReleaseTraits> = {
	'0.86': { ...v085, version: '0.86.0', folderExternalIds: true, runTimelines: true },
	'0.85': v085,
	'0.79': v079,
	// Read in the source, not recorded.
	'0.75': {
		...v079,
		version: '0.75.0',
		validation: 'ajv',
		leftOverFlowTemplates: true,
		deletingNeedsProject: true,
		communityProjects: false,
		projectById: false,
		usersProjects: true,
		preSelect: false,
	},
	'0.73': {
		...v079,
		version: '0.73.0',
		validation: 'ajv',
		oldAuthorization: true,
		oldBodyParser: true,
		templatesPath: '/v1/flow-templates',
		communityProjects: false,
		projectById: false,
		usersProjects: true,
		tokensOfOneProject: true,
		deletingNeedsProject: true,
		tellsActivity: true,
		repeatLimit: null,
		folderCountsAsText: true,
		busyFlowsRefuse: true,
		usersRefused: 'User is not owner of the platform',
		runVersions: false,
		oldRuns: true,
		lockedNeedsPublished: true,
		canDeleteShared: false,
		preSelect: false,
		schemaVersion: '10',
		unknownPrincipal: 'invalid route for principal type',
		adminOnly: 'User is not owner of the platform',
	},
};
