import type { FlowStatus } from './flowChanges';
import { EMPTY_TRIGGER, type FlowBody } from './flowSteps';
import { madeAt, makeId, padded, timestamp } from './ids';
import type { RoleRecord, UserRecord } from './records';
import type { ReleaseTraits } from './releases';
import { defaultRoles, roleNamed } from './roles';

const CONNECTION_TYPES = ['NO_AUTH', 'SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH'];
const PIECES = ['slack', 'gmail', 'openai', 'http'].map((name) => `@activepieces/piece-${name}`);
const COLORS = ['BLUE', 'VIOLET', 'ORANGE', 'LAVENDER'];

type PlatformRole = 'ADMIN' | 'MEMBER' | 'OPERATOR';
export type ConnectionStatus = 'ACTIVE' | 'MISSING' | 'ERROR';

export interface FlowSeed {
	id: string;
	index: number;
	projectId: string;
	name: string;
	externalId: string;
	created: string;
	/** default `created` */
	updated?: string;
	folderId?: string | null;
	/** enabled flows are published, the others never were; default false */
	enabled?: boolean;
	connectionIds?: string[];
	/** default: the platform's admin when the flow has a body */
	ownerId?: string;
	/** Trigger and steps; without them the flow is new */
	body?: FlowBody;
}

export interface ConnectionSeed {
	id: string;
	index: number;
	displayName: string;
	externalId: string;
	created: string;
	/** default `created` */
	updated?: string;
	projectIds: string[];
	flowIds?: string[];
	scope?: 'PLATFORM' | 'PROJECT';
	status?: ConnectionStatus;
}

interface TemplateSeed {
	/** default: the type of a platform's own templates in the release */
	type?: 'PLATFORM' | 'PROJECT' | 'CUSTOM' | 'SHARED';
	projectId?: string;
	/** trigger and steps of its flow; without them the flow is empty */
	body?: FlowBody;
}

interface InvitationSeed {
	index: number;
	email: string;
	created: string;
	projectId?: string;
	accepted?: boolean;
}

export class RecordMaker {
	constructor(
		private readonly traits: ReleaseTraits,
		readonly admin: UserRecord,
	) {}

	/** The admin user of a platform; its `platformId` names the platform. */
	static admin(platform: string, email: string) {
		return {
			id: makeId(`${platform}/user`),
			email,
			firstName: 'Ada',
			lastName: 'Admin',
			status: 'ACTIVE' as 'ACTIVE' | 'INACTIVE',
			platformRole: 'ADMIN' as PlatformRole,
			created: '2026-01-01T08:00:00.291Z',
			updated: '2026-01-01T08:00:08.702Z',
			externalId: null as string | null,
			platformId: makeId(`${platform}/platform`),
		};
	}

	/** Another user on the admin's platform, without admin rights. */
	member(): UserRecord {
		const { platformId, email } = this.admin;
		return {
			...this.admin,
			id: makeId(`${platformId}/member`),
			email: email.replace(/^[^@]*/, 'member'),
			firstName: 'Max',
			lastName: 'Member',
			platformRole: 'MEMBER',
			created: '2026-01-01T09:00:00.291Z',
			updated: '2026-01-01T09:00:08.702Z',
		};
	}

	project(id: string, name: string, index: number, personal = false) {
		const created = timestamp('2026-01-02T08:00:00.305Z', index * 1000);
		const { laterProjects, newFields, old } = this.traits;
		return {
			...madeAt(id, created),
			ownerId: this.admin.id,
			displayName: name,
			platformId: this.admin.platformId,
			type: (personal ? 'PERSONAL' : 'TEAM') as 'PERSONAL' | 'TEAM',
			icon: { color: COLORS[index % COLORS.length] },
			releasesEnabled: false,
			plan: {
				...madeAt(makeId(`${id}/plan`), created),
				projectId: id,
				locked: false,
				name: personal ? 'free' : 'platform',
				piecesFilterType: 'NONE',
				pieces: [],
				...(laterProjects ? { activeFlowsLimit: null } : {}),
			},
			analytics: {
				...{ totalUsers: 0, activeUsers: 0, totalFlows: 0, activeFlows: 0 },
				...(laterProjects ? { lastFlowUpdated: null } : {}),
			},
			maxConcurrentJobs: null,
			externalId: old ? '' : null,
			metadata: null as Record<string, unknown> | null,
			...(newFields ? { poolId: null } : {}),
			...(laterProjects
				? {
						notifyFlowOwnerOnFailure: false,
						...{ pieceSetId: null, workerGroupId: null, executionDataRetentionDays: null },
						/** Whether a publish may need approval */
						sensitive: false,
					}
				: {}),
		};
	}

	folder(id: string, projectId: string, displayName: string, created: string) {
		// The ID, for a folder created without one (har/community-0.86, b/1).
		const more = this.traits.folderExternalIds ? { externalId: id } : {};
		return { id, created, updated: created, displayName, projectId, displayOrder: 0, ...more };
	}

	flow(seed: FlowSeed) {
		const { id, created, updated = created, projectId, externalId, folderId = null } = seed;
		const { enabled = false, body } = seed;
		const { old, newFields } = this.traits;
		const version = this.version(seed, updated);
		return {
			...madeAt(id, created, updated),
			projectId,
			externalId,
			...(old ? {} : { ownerId: seed.ownerId ?? (body ? this.admin.id : null) }),
			folderId,
			status: (enabled ? 'ENABLED' : 'DISABLED') as FlowStatus,
			publishedVersionId: enabled ? version.id : null,
			metadata: null as Record<string, unknown> | null,
			/** The change in progress, or one of its status that never ended */
			operationStatus: 'NONE' as 'NONE' | 'ENABLING' | 'DISABLING' | 'DELETING',
			timeSavedPerRun: null,
			...(old ? {} : { templateId: null }),
			...(newFields ? { createdBy: null } : {}),
			version,
			...(enabled && body ? { triggerSource: triggerSource(body) } : {}),
		};
	}

	private version(seed: FlowSeed, at: string) {
		const { id, index, projectId, name, enabled, body } = seed;
		const { old, schemaVersion } = this.traits;
		const trigger: Record<string, unknown> = body?.trigger ?? EMPTY_TRIGGER;
		return {
			id: makeId(`${projectId}/version`, index),
			created: at,
			updated: at,
			flowId: id,
			displayName: name,
			trigger: old ? trigger : { ...trigger, lastUpdatedDate: at },
			updatedBy: body ? this.admin.id : null,
			valid: true,
			schemaVersion,
			agentIds: [] as string[],
			state: (enabled ? 'LOCKED' : 'DRAFT') as 'LOCKED' | 'DRAFT',
			connectionIds: seed.connectionIds ?? body?.connectionIds ?? [],
			backupFiles: null as Record<string, string> | null,
			...(old ? {} : { notes: [] as unknown[] }),
		};
	}

	connection(seed: ConnectionSeed) {
		const { id, index: i, created, updated = created, externalId, displayName } = seed;
		const byIndex: ConnectionStatus = i % 10 === 3 ? 'ERROR' : i % 10 === 7 ? 'MISSING' : 'ACTIVE';
		return {
			...madeAt(id, created, updated),
			externalId,
			displayName,
			type: CONNECTION_TYPES[i % 4],
			pieceName: PIECES[i % 4],
			projectIds: seed.projectIds,
			platformId: this.admin.platformId,
			scope: seed.scope ?? 'PLATFORM',
			status: seed.status ?? byIndex,
			ownerId: this.admin.id,
			owner: this.admin,
			metadata: null as Record<string, unknown> | null,
			flowIds: seed.flowIds ?? [],
			pieceVersion: '0.5.0',
			...(this.traits.old ? {} : { preSelectForNewProjects: false }),
			...(this.traits.newFields ? { usingSecretManager: false } : {}),
		};
	}

	variable({
		id,
		name,
		projectId,
		created,
	}: Record<'id' | 'name' | 'projectId' | 'created', string>) {
		return {
			...madeAt(id, created),
			name,
			projectId,
			platformId: this.admin.platformId,
			ownerId: this.admin.id,
			owner: this.admin,
			metadata: null as Record<string, unknown> | null,
		};
	}

	/**
	 * Up to 0.73 with one flow and text tags, then with flows and tag objects. Even ones are tagged `even`, odd
	 * ones `odd`, up to 0.73 also `n0`…`n4`.
	 */
	template(index: number, created: string, { type, projectId, body }: TemplateSeed = {}) {
		const { schemaVersion, templatesPath } = this.traits;
		const isOld = templatesPath === '/v1/flow-templates';
		const platformId = this.admin.platformId as string | null;
		const trigger = body?.trigger ?? EMPTY_TRIGGER;
		const parity = index % 2 === 0 ? 'even' : 'odd';
		const name = `Template ${padded(index, 2)}`;
		const content = { valid: body !== undefined, displayName: name, schemaVersion };
		const changed = { ...trigger, lastUpdatedDate: '2026-01-01T08:00:19.619Z' };
		const tag = { icon: '', color: '#112233', title: parity };
		return {
			...madeAt(makeId(`${platformId}/template/${type ?? 'own'}`, index), created),
			name,
			description: `Description ${index} for ${parity} Template`,
			platformId,
			blogUrl: index === 0 ? 'https://example.test/blog/0' : null,
			metadata: null,
			pieces: body?.pieces ?? [],
			type: type ?? (isOld ? 'PLATFORM' : 'CUSTOM'),
			tags: (isOld ? [parity, `n${index % 5}`] : [tag]) as Array<string | typeof tag>,
			...(isOld
				? { projectId: projectId ?? null, template: { ...content, trigger } }
				: {
						summary: `Summary ${index}`,
						status: 'PUBLISHED',
						flows: [{ ...content, notes: [], trigger: changed }],
						tables: null,
						author: 'Ada Admin',
						categories: [],
					}),
		};
	}

	invitation(seed: InvitationSeed) {
		const { index, email, created, projectId = null, accepted = false } = seed;
		const { platformId } = this.admin;
		const toProject = projectId !== null;
		const viewer = roleNamed(this.roles(), 'Viewer')!;
		const platformRole = (index % 2 === 0 ? 'ADMIN' : 'MEMBER') as PlatformRole;
		return {
			...madeAt(makeId(`${platformId}/invitation/${projectId ?? 'platform'}`, index), created),
			email,
			status: (accepted ? 'ACCEPTED' : 'PENDING') as 'ACCEPTED' | 'PENDING',
			platformId,
			type: (toProject ? 'PROJECT' : 'PLATFORM') as 'PROJECT' | 'PLATFORM',
			platformRole: toProject ? null : platformRole,
			projectId,
			projectRoleId: toProject ? viewer.id : null,
			projectRole: toProject ? viewer : null,
		};
	}

	/** The roles of a new platform. */
	roles() {
		return defaultRoles(this.traits);
	}

	/** A person with a role in a project. */
	projectMember(seed: { userId: string; projectId: string; role: RoleRecord; created: string }) {
		const { userId, projectId, role, created } = seed;
		return {
			...madeAt(makeId(`${projectId}/member ${userId} ${created}`), created),
			platformId: this.admin.platformId,
			userId,
			projectId,
			projectRoleId: role.id,
		};
	}
}

function triggerSource({ cron }: FlowBody) {
	if (cron === undefined) return { schedule: null };
	return {
		schedule: { type: 'CRON_EXPRESSION', cronExpression: cron, timezone: 'Europe/Berlin' },
	};
}
