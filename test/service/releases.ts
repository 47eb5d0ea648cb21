import type { Release } from './types';

/** What 0.85 does, and where releases differ. Every route reads these traits, never the release name. */
const v085 = {
	version: '0.85.2',
	/** AJV with coercion before 0.79, then zod */
	validation: 'zod' as 'ajv' | 'zod',
	/** nginx in front (before 0.80): it responds to bad URLs itself and serves the web app */
	nginx: false,
	/**
	 * What only 0.73 does where the node asks it: eight operations, lists for their records, signing in. A key needs
	 * a project on routes without platform scope (up to 0.74.3), a session token opens one project only, and
	 * refusals read differently. Other routes respond as those of 0.79 do. Nobody asks there as a member, so what a
	 * role allows is not read.
	 */
	old: false,
	queueMetricsPath: '/v1/worker-machines/queue-metrics' as
		'/v1/queue-metrics' | '/v1/worker-machines/queue-metrics',
	templatesPath: '/v1/templates' as '/v1/flow-templates' | '/v1/templates',
	/** Listing custom templates is refused by a plan without them (0.74 to 0.76, read) */
	templatesNeedPlan: false,
	/** A Community server returns and accepts team projects, and lists like Enterprise (since 0.80) */
	communityTeamProjects: true,
	/** /v1/users/projects for a person's own, in Community no /v1/projects (up to 0.76.0) */
	usersProjects: false,
	/** deleting an invitation to a project asks for that project beside the id (up to 0.76) */
	deletingNeedsProject: false,
	folderExternalIds: false,
	/** What a user without a platform gets: a token that belongs to none, or an error with this code */
	withoutPlatform: 'token' as 'token' | 'AUTHENTICATION' | 'USER_NOT_FOUND_ON_PLATFORM',
	/** most repeats of one query key before qs makes an object of them; null: no limit (older qs) */
	repeatLimit: 1000 as number | null,
	/** most `k[i]` indices before qs makes an object of them */
	indexLimit: 1000,
	/**
	 * Up to 0.79 a job carries out a change of a flow's status after the response, a flow that another user edited
	 * within the last minute refuses changes, and an import turns the version of each piece into a range.
	 */
	oldFlows: false,
	/** GET /v1/users/{id} accepts keys (since 0.80) */
	usersForKeys: true,
	/** The response to a member who requests the users */
	usersRefused: 'User does not have invite permission on any project.',
	/**
	 * The cursor of runs contains created and ID, so that no record is lost. Those older than 30 days cannot be
	 * retried (since 0.80). A run has no start until it ends or pauses, and a retry clears its finish time. The
	 * error of a code step is stored as JSON, and shortened (recorded at 0.85).
	 */
	newRuns: true,
	/** A run shows how long each part of it took (0.86) */
	runTimelines: false,
	/** A call that waits for a failed run, or for a flow without a trigger, gets a 500 (up to 0.79) */
	failedCallsAnswered: false,
	/** Such a call gets its 500 before the record of the run says FAILED: see 0.92 */
	failsBeforeRecord: false,
	/** A retry without credits is refused, on Cloud: flows/flow-run/flow-run-service.ts at 0.92 */
	retryNeedsCredits: false,
	/** Status for a call whose flow does not respond in time: 204 with no body, since 0.86 408 */
	unansweredCallStatus: 204 as 204 | 408,
	/** Deleting a global connection at its project's path is refused (0.86), not confirmed without effect */
	globalDeleteRefused: false,
	/** A deleted project leaves its flows, which still answer calls, to a later job (recorded at 0.85 and 0.86) */
	flowsOutliveProject: true,
	canDeleteShared: false,
	/** Only its own platform, and no member, changes or deletes a template (since 0.80) */
	templatesChecked: true,
	/** A cell may be any JSON value, and becomes text. A row has one for each column of its table (since 0.80) */
	newTables: true,
	/** /v1/variables (recorded at 0.85 and 0.86) */
	variables: true,
	/** poolId, createdBy, numberOfTables and usingSecretManager (since 0.80) */
	newFields: true,
	schemaVersion: '22',
	unknownPrincipal: 'principal is not allowed for this route',
	/** The 403 for a user without the admin role, on routes for admins only */
	adminOnly: 'User is not an admin/owner of the platform.',

	/*
	 * What only 0.92 does, read in the service's source. A path is one below packages/server/api/src/app
	 * there, unless it begins with packages or brain; "later" is the source of the weeks after 0.92.0.
	 */

	/**
	 * A column may be a DATETIME and has a position, dates are compared as times, and a row without a cell
	 * counts as one with "": tables/record/record.service.ts at 0.91, since 0.87
	 */
	dateTimes: false,
	/** A publish in a sensitive project may wait for approval: ee/flows/flow-approval/flow-publish-hook.ts at 0.92 */
	approvals: false,
	/**
	 * A publish without required actions is refused: later, in
	 * packages/core/shared/src/lib/ee/piece-set/required-actions-util.ts
	 */
	requiredActions: false,
	/** Steps of this type: packages/core/execution/src/lib/flows/actions/action.ts, 0.92 or later */
	aiRouters: false,
	/**
	 * Outputs that a piece marks are redacted: since 0.88, in
	 * brain/knowledge/decisions/000017-sensitive-piece-io-is-piece-declared-and-scrubbed-on-serve.md
	 */
	redactedOutputs: false,
	/** A version of an older schema is migrated when its flow is read: flows/flow/flow.service.ts at 0.92 */
	migrations: false,
	/** A folder must be of the project, and NULL is none: flows/flow/flow.service.ts at 0.92 */
	foldersChecked: false,
	/** Flows are sorted by name if the query says so: flows/flow/flow.service.ts at 0.91 */
	sortedFlows: false,
	/**
	 * A flow is created with an external ID, which no other flow of its project has: the service's pull requests 14720
	 * and 15162. Others ignore it (har/enterprise-*, b).
	 */
	flowExternalIds: false,
	/** Fields of projects: project/project-entity.ts and ee/projects/platform-project-service.ts at 0.92 */
	laterProjects: false,
	/** Permissions of roles: packages/core/shared/src/lib/ee/authn/access-control-list.ts at 0.92 */
	laterRoles: false,
};

export type ReleaseTraits = typeof v085;

const v079: ReleaseTraits = {
	...v085,
	version: '0.79.2',
	nginx: true,
	queueMetricsPath: '/v1/queue-metrics',
	communityTeamProjects: false,
	withoutPlatform: 'AUTHENTICATION',
	repeatLimit: 20,
	indexLimit: 20,
	oldFlows: true,
	usersForKeys: false,
	usersRefused: 'User is not an admin/owner of the platform.',
	newRuns: false,
	failedCallsAnswered: true,
	canDeleteShared: true,
	templatesChecked: false,
	newTables: false,
	variables: false,
	newFields: false,
	flowsOutliveProject: false,
	schemaVersion: '18',
};

const v086: ReleaseTraits = {
	...v085,
	version: '0.86.0',
	folderExternalIds: true,
	runTimelines: true,
	unansweredCallStatus: 408,
	globalDeleteRefused: true,
};

/** Read in the service's source, not recorded. */
const v092: ReleaseTraits = {
	...v086,
	version: '0.92.0',
	// Since 0.89: flows/flow-run/engine-run-callback-service.ts at 0.91.
	failedCallsAnswered: true,
	failsBeforeRecord: true,
	// Except on Cloud: authentication/authentication.service.ts at 0.92.
	withoutPlatform: 'USER_NOT_FOUND_ON_PLATFORM',
	// flows/flow-version/migrations/index.ts at 0.91.
	schemaVersion: '26',
	dateTimes: true,
	approvals: true,
	requiredActions: true,
	aiRouters: true,
	redactedOutputs: true,
	migrations: true,
	foldersChecked: true,
	sortedFlows: true,
	flowExternalIds: true,
	laterProjects: true,
	laterRoles: true,
};

export const TRAITS: Record<Release, ReleaseTraits> = {
	'0.92': v092,
	'0.86': v086,
	'0.85': v085,
	'0.79': v079,
	// Read in the source, not recorded.
	'0.75': {
		...v079,
		version: '0.75.0',
		validation: 'ajv',
		templatesNeedPlan: true,
		deletingNeedsProject: true,
		usersProjects: true,
	},
	'0.73': {
		...v079,
		version: '0.73.0',
		validation: 'ajv',
		old: true,
		templatesPath: '/v1/flow-templates',
		usersProjects: true,
		deletingNeedsProject: true,
		repeatLimit: null,
		unknownPrincipal: 'invalid route for principal type',
		adminOnly: 'User is not owner of the platform',
	},
};

export const RELEASES = (Object.keys(TRAITS) as Release[]).sort();

export const RECORDED_RELEASES = RELEASES.filter((release) => !['0.75', '0.92'].includes(release));

/** For what the releases in between do like one of these. */
export const FIRST_AND_LAST = ['0.79', '0.92'] as const satisfies Release[];
