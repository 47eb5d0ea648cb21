import { makeId, timestamp } from './ids';
import { type FlowSeed, makeFlow } from './makeFlow';
import { makeTemplate, type TemplateSeed } from './makeTemplate';
import type {
	ConnectionRecord,
	ConnectionStatus,
	FlowRecord,
	FolderRecord,
	InvitationRecord,
	ProjectRecord,
	TemplateRecord,
	UserRecord,
} from './records';
import type { ReleaseTraits } from './releases';
import type { RoleName } from './roles';

const CONNECTION_TYPES = ['NO_AUTH', 'SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH'];
const PIECES = ['slack', 'gmail', 'openai', 'http'].map((name) => `@activepieces/piece-${name}`);
const VIEWER_PERMISSIONS = [
	'READ_APP_CONNECTION',
	'READ_FLOW',
	'READ_PROJECT',
	'READ_RUN',
	'READ_FOLDER',
];
const COLORS = ['BLUE', 'VIOLET', 'ORANGE', 'LAVENDER'];

/** Makes records in the shape of one release, for one platform. */
export class RecordMaker {
	constructor(
		private readonly traits: ReleaseTraits,
		readonly admin: UserRecord,
	) {}

	/** The admin user of a platform; its `platformId` names the platform. */
	static admin(platform: string, email: string): UserRecord {
		return {
			id: makeId(`${platform}/user`),
			email,
			firstName: 'Ada',
			lastName: 'Admin',
			status: 'ACTIVE',
			platformRole: 'ADMIN',
			created: '2026-01-01T08:00:00.291Z',
			updated: '2026-01-01T08:00:08.702Z',
			externalId: null,
			platformId: makeId(`${platform}/platform`),
		};
	}

	/** Another user on the admin's platform, without admin rights; Max, or one of many. */
	member(index = 0): UserRecord {
		const { platformId, email } = this.admin;
		const number = index === 0 ? '' : String(index);
		return {
			...this.admin,
			id: makeId(`${platformId}/member`, index),
			email: email.replace(/^[^@]*/, `member${number}`),
			firstName: `Max${number}`,
			lastName: 'Member',
			platformRole: 'MEMBER',
			created: timestamp('2026-01-01T09:00:00.291Z', index * 60_000),
			updated: timestamp('2026-01-01T09:00:08.702Z', index * 60_000),
		};
	}

	project(id: string, name: string, index: number, personal = false): ProjectRecord {
		const at = timestamp('2026-01-02T08:00:00.305Z', index * 1000);
		const old = this.traits.oldAuthorization;
		return {
			id,
			created: at,
			updated: at,
			ownerId: this.admin.id,
			displayName: name,
			platformId: this.admin.platformId,
			type: personal ? 'PERSONAL' : 'TEAM',
			icon: { color: COLORS[index % COLORS.length] },
			releasesEnabled: false,
			plan: {
				id: makeId(`${id}/plan`),
				created: at,
				updated: at,
				projectId: id,
				locked: false,
				name: personal ? 'free' : 'platform',
				piecesFilterType: 'NONE',
				pieces: [],
			},
			analytics: { totalUsers: 0, activeUsers: 0, totalFlows: 0, activeFlows: 0 },
			maxConcurrentJobs: null,
			externalId: old ? '' : null,
			metadata: null,
			...(this.traits.poolsAndMakers ? { poolId: null } : {}),
		};
	}

	folder(id: string, projectId: string, displayName: string, created: string): FolderRecord {
		// The ID, for a folder created without one (har/community-0.86, b/1).
		const { folderExternalIds } = this.traits;
		return {
			id,
			created,
			updated: created,
			displayName,
			projectId,
			displayOrder: 0,
			...(folderExternalIds ? { externalId: id } : {}),
		};
	}

	flow(flow: FlowSeed): FlowRecord {
		return makeFlow(flow, this.traits, this.admin);
	}

	connection(connection: {
		id: string;
		index: number;
		displayName: string;
		externalId: string;
		created: string;
		updated: string;
		projectIds: string[];
		flowIds: string[];
		scope?: ConnectionRecord['scope'];
		status?: ConnectionStatus;
	}): ConnectionRecord {
		const i = connection.index;
		const byIndex: ConnectionStatus = i % 10 === 3 ? 'ERROR' : i % 10 === 7 ? 'MISSING' : 'ACTIVE';
		return {
			id: connection.id,
			created: connection.created,
			updated: connection.updated,
			externalId: connection.externalId,
			displayName: connection.displayName,
			type: CONNECTION_TYPES[i % 4],
			pieceName: PIECES[i % 4],
			projectIds: connection.projectIds,
			platformId: this.admin.platformId,
			scope: connection.scope ?? 'PLATFORM',
			status: connection.status ?? byIndex,
			ownerId: this.admin.id,
			owner: this.admin,
			metadata: null,
			flowIds: connection.flowIds,
			pieceVersion: '0.5.0',
			...(this.traits.preSelect ? { preSelectForNewProjects: false } : {}),
			...(this.traits.secretManager ? { usingSecretManager: false } : {}),
		};
	}

	/** Template NN: even ones are tagged `even`, odd ones `odd`. */
	template(index: number, created: string, seed: Partial<TemplateSeed> = {}): TemplateRecord {
		return makeTemplate({ index, created, ...seed }, this.traits, this.admin.platformId);
	}

	invitation(invitation: {
		index: number;
		email: string;
		created: string;
		projectId?: string;
		accepted?: boolean;
	}): InvitationRecord {
		const { index, email, created, projectId, accepted = false } = invitation;
		const common = {
			id: makeId(`${this.admin.platformId}/invitation/${projectId ?? 'platform'}`, index),
			created,
			updated: created,
			email,
			status: accepted ? ('ACCEPTED' as const) : ('PENDING' as const),
			platformId: this.admin.platformId,
		};
		if (projectId === undefined) {
			return {
				...common,
				type: 'PLATFORM',
				platformRole: index % 2 === 0 ? 'ADMIN' : 'MEMBER',
				projectId: null,
				projectRoleId: null,
				projectRole: null,
			};
		}
		const projectRole = this.role('Viewer', VIEWER_PERMISSIONS);
		return {
			...common,
			type: 'PROJECT',
			platformRole: null,
			projectId,
			projectRoleId: makeId('role'),
			projectRole,
		};
	}

	/** A role that comes with the service. */
	role(name: RoleName, permissions: string[]): Record<string, unknown> {
		return {
			id: makeId(name === 'Viewer' ? 'role' : `role/${name}`),
			created: '2026-01-01T07:00:00.299Z',
			updated: '2026-01-01T07:00:00.832Z',
			name,
			permissions,
			type: 'DEFAULT',
			platformId: this.traits.oldAuthorization ? '' : null,
		};
	}
}
