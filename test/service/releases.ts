import type { Release } from './types';

/** What 0.85 does, and where releases differ. Every route reads these traits, never the release name. */
const v085 = {
	version: '0.85.2',
	/** AJV with coercion before 0.79, then zod */
	validation: 'zod' as 'ajv' | 'zod',
	/** nginx in front (before 0.80): it responds to bad URLs itself and serves the web app */
	nginx: false,
	/**
	 * What only 0.73 does. A key needs a project on routes without platform scope (up to 0.74.3), a session
	 * token opens one project only, and refusals read differently. A run's null is "", {} or [],
	 * and archived runs are listed unless excluded.
	 */
	old: false,
	queueMetricsPath: '/v1/worker-machines/queue-metrics' as
		'/v1/queue-metrics' | '/v1/worker-machines/queue-metrics',
	templatesPath: '/v1/templates' as '/v1/flow-templates' | '/v1/templates',
	/** 0.74 to 0.76: /v1/flow-templates beside /v1/templates, with the public catalogue (read) */
	leftOverFlowTemplates: false,
	/** A Community server returns and accepts team projects, and lists like Enterprise (since 0.80) */
	communityTeamProjects: true,
	/** /v1/users/projects[/{id}] for a person's own, no /v1/projects/{id}, in Community no /v1/projects (up to 0.76.0) */
	usersProjects: false,
	/** deleting an invitation to a project asks for that project beside the id (up to 0.76) */
	deletingNeedsProject: false,
	folderExternalIds: false,
	/** The token of somebody who has just signed up belongs to no platform yet */
	onboarding: true,
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
	/** Such a call gets its 500 before the record of the run says FAILED (from 0.89 on, read in the service's source) */
	failsBeforeRecord: false,
	/** A retry without credits is refused (0.92 on Cloud, read in the service's source) */
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
	maxRecordsPerTable: 10_000,
	preSelect: true,
	/** /v1/variables (recorded at 0.85 and 0.86) */
	variables: true,
	/** poolId, createdBy, numberOfTables and usingSecretManager (since 0.80) */
	newFields: true,
	schemaVersion: '22',
	unknownPrincipal: 'principal is not allowed for this route',
	/** The 403 for a user without the admin role, on routes for admins only */
	adminOnly: 'User is not an admin/owner of the platform.',
};

export type ReleaseTraits = typeof v085;

const v079: ReleaseTraits = {
	...v085,
	version: '0.79.2',
	nginx: true,
	queueMetricsPath: '/v1/queue-metrics',
	communityTeamProjects: false,
	onboarding: false,
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

export const TRAITS: Record<Release, ReleaseTraits> = {
	'0.86': {
		...v085,
		version: '0.86.0',
		folderExternalIds: true,
		runTimelines: true,
		unansweredCallStatus: 408,
		globalDeleteRefused: true,
	},
	'0.85': v085,
	'0.79': v079,
	// Read in the source, not recorded.
	'0.75': {
		...v079,
		version: '0.75.0',
		validation: 'ajv',
		leftOverFlowTemplates: true,
		deletingNeedsProject: true,
		usersProjects: true,
		preSelect: false,
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
		usersRefused: 'User is not owner of the platform',
		canDeleteShared: false,
		maxRecordsPerTable: 1500,
		preSelect: false,
		schemaVersion: '10',
		unknownPrincipal: 'invalid route for principal type',
		adminOnly: 'User is not owner of the platform',
	},
};

export const RELEASES = (Object.keys(TRAITS) as Release[]).sort();

export const RECORDED_RELEASES = RELEASES.filter((release) => release !== '0.75');

/** For what the releases in between do like one of these. */
export const FIRST_AND_LAST = ['0.73', '0.86'] as const satisfies Release[];
