import type { Release } from './types';

/** What differs between the releases, in one place. Every route reads this, never the release name. */
export interface ReleaseTraits {
	version: string;
	/** AJV with coercion up to 0.79, zod since 0.80 */
	validation: 'ajv' | 'zod';
	/** nginx in front (before 0.80): it answers bad URLs itself and serves the web app */
	nginx: boolean;
	/** up to 0.74.3 a key needed a project on routes without platform scope, and failures read differently */
	oldAuthorization: boolean;
	/** an old JSON parser (Fastify 5.4), whose error texts differ */
	oldBodyParser: boolean;
	queueMetricsPath: '/v1/queue-metrics' | '/v1/worker-machines/queue-metrics';
	templatesPath: '/v1/flow-templates' | '/v1/templates';
	/** most repeats of one query key before qs makes an object of them; null: no limit (older qs) */
	repeatLimit: number | null;
	/** most `k[i]` indices before qs makes an object of them */
	indexLimit: number;
	/** numberOfFlows of a folder in a list was a string before 0.75 */
	folderCountsAsText: boolean;
	folderTables: boolean;
	flowFolderIds: boolean;
	/** LOCKED answers 404 when a matched flow was never published */
	lockedNeedsPublished: boolean;
	canDeleteShared: boolean;
	preSelect: boolean;
	secretManager: boolean;
	/** schemaVersion of stored flows */
	schemaVersion: string;
	unknownPrincipal: string;
}

const v085: ReleaseTraits = {
	version: '0.85.2',
	validation: 'zod',
	nginx: false,
	oldAuthorization: false,
	oldBodyParser: false,
	queueMetricsPath: '/v1/worker-machines/queue-metrics',
	templatesPath: '/v1/templates',
	repeatLimit: 1000,
	indexLimit: 1000,
	folderCountsAsText: false,
	folderTables: true,
	flowFolderIds: true,
	lockedNeedsPublished: false,
	canDeleteShared: false,
	preSelect: true,
	secretManager: true,
	schemaVersion: '22',
	unknownPrincipal: 'principal is not allowed for this route',
};

/** The table of releases. */
export const RELEASES: Record<Release, ReleaseTraits> = {
	'0.85': v085,
	'0.79': {
		...v085,
		version: '0.79.2',
		validation: 'ajv',
		nginx: true,
		queueMetricsPath: '/v1/queue-metrics',
		repeatLimit: 20,
		indexLimit: 20,
		folderTables: false,
		flowFolderIds: false,
		canDeleteShared: true,
		secretManager: false,
		schemaVersion: '16',
	},
	'0.73': {
		...v085,
		version: '0.73.0',
		validation: 'ajv',
		nginx: true,
		oldAuthorization: true,
		oldBodyParser: true,
		queueMetricsPath: '/v1/queue-metrics',
		templatesPath: '/v1/flow-templates',
		repeatLimit: null,
		indexLimit: 20,
		folderCountsAsText: true,
		folderTables: false,
		flowFolderIds: false,
		lockedNeedsPublished: true,
		preSelect: false,
		secretManager: false,
		schemaVersion: '10',
		unknownPrincipal: 'invalid route for principal type',
	},
};
