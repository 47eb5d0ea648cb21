import { EMPTY_TRIGGER, type FlowBody } from './flowSteps';
import { makeId } from './ids';
import type { FlowRecord, FlowVersionRecord, UserRecord } from './records';
import type { ReleaseTraits } from './releases';

/** The parameters of a new flow. */
export interface FlowSeed {
	id: string;
	index: number;
	projectId: string;
	folderId: string | null;
	name: string;
	externalId: string;
	/** enabled flows are published, the others never were */
	enabled: boolean;
	created: string;
	updated: string;
	connectionIds?: string[];
	/** default: the platform's admin when the flow has a body */
	ownerId?: string;
	/** Trigger and steps; without them the flow is new */
	body?: FlowBody;
}

/** A flow with its latest version, in the shape of a release. */
export function makeFlow(seed: FlowSeed, traits: ReleaseTraits, owner: UserRecord): FlowRecord {
	const version = makeVersion(seed, traits, owner);
	const old = traits.oldAuthorization;
	return {
		id: seed.id,
		created: seed.created,
		updated: seed.updated,
		projectId: seed.projectId,
		externalId: seed.externalId,
		...(old ? {} : { ownerId: seed.ownerId ?? (seed.body ? owner.id : null) }),
		folderId: seed.folderId,
		status: seed.enabled ? 'ENABLED' : 'DISABLED',
		publishedVersionId: seed.enabled ? version.id : null,
		metadata: null,
		operationStatus: 'NONE',
		timeSavedPerRun: null,
		...(old ? {} : { templateId: null }),
		...(traits.poolsAndMakers ? { createdBy: null } : {}),
		version,
		...(seed.enabled && seed.body ? { triggerSource: triggerSource(seed.body) } : {}),
	};
}

function triggerSource({ cron }: FlowBody): FlowRecord['triggerSource'] {
	if (cron === undefined) return { schedule: null };
	return {
		schedule: { type: 'CRON_EXPRESSION', cronExpression: cron, timezone: 'Europe/Berlin' },
	};
}

function makeVersion(seed: FlowSeed, traits: ReleaseTraits, owner: UserRecord): FlowVersionRecord {
	const { oldAuthorization, schemaVersion } = traits;
	const trigger = seed.body?.trigger ?? EMPTY_TRIGGER;
	return {
		id: makeId(`${seed.projectId}/version`, seed.index),
		created: seed.updated,
		updated: seed.updated,
		flowId: seed.id,
		displayName: seed.name,
		trigger: oldAuthorization ? trigger : { ...trigger, lastUpdatedDate: seed.updated },
		updatedBy: seed.body ? owner.id : null,
		valid: true,
		schemaVersion,
		agentIds: [],
		state: seed.enabled ? 'LOCKED' : 'DRAFT',
		connectionIds: seed.connectionIds ?? seed.body?.connectionIds ?? [],
		backupFiles: null,
		...(oldAuthorization ? {} : { notes: [] }),
	};
}
