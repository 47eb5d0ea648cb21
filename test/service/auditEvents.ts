import type { KnownPrincipal } from './auth';
import type { Context } from './context';
import { madeAt, makeId, many, timestamp } from './ids';
import type { FlowRecord, ProjectRecord, UserRecord } from './records';

/** An event of the audit log, in the order of its fields (recorded). */
export type AuditEventRecord = ReturnType<typeof makeAuditEvent>;

export interface AuditEventSeed {
	action: string;
	created: string;
	id?: string;
	projectId?: string;
	/** Of a run, which names no person, or of a key; by default a flow */
	about?: 'flow' | 'flowRun' | 'signingKey';
	/** In `data` of a run */
	flowRun?: Record<string, unknown>;
}

interface Surroundings {
	project: ProjectRecord;
	flow: FlowRecord;
	user: UserRecord;
}

const PRIVATE_KEY =
	'-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----';

const personOf = ({
	id,
	platformRole,
	status,
	externalId,
	platformId,
	created,
	updated,
}: UserRecord) => ({
	...{ id, status, created, updated, externalId, identityId: makeId(`${id}/identity`) },
	...{ platformId, platformRole, lastActiveDate: null },
});

/** What an event tells of its object. */
function dataOf(seed: AuditEventSeed, { project, flow, user }: Surroundings) {
	const { id, created, updated, version } = flow;
	const { action, about = 'flow', flowRun = {} } = seed;
	const { displayName } = version;
	const request = { type: 'CHANGE_NAME', request: { displayName } };
	const isUpdate = action === 'flow.updated';
	const person = personOf(user);
	if (about === 'flowRun') return { flowRun: { flowId: id, projectId: project.id, ...flowRun } };
	if (about === 'signingKey') {
		const own = { id: makeId('signing key'), created, updated, displayName: 'Embedding' };
		const signingKey = { ...own, publicKey: 'public', algorithm: 'RSA', privateKey: PRIVATE_KEY };
		return { user: person, signingKey };
	}
	return {
		flow: { ...flow },
		user: person,
		project: { ...project, deleted: null },
		...(isUpdate ? { request } : {}),
		flowVersion: version,
	};
}

export function makeAuditEvent(seed: AuditEventSeed, around: Surroundings) {
	const { action, created, about, id = makeId(`audit/${action}/${created}`) } = seed;
	const { project, user } = around;
	const isOfRun = about === 'flowRun';
	const isOfPlatform = about === 'signingKey';
	return {
		...madeAt(id, created),
		platformId: project.platformId,
		projectId: isOfPlatform ? null : (seed.projectId ?? project.id),
		action,
		userEmail: isOfRun ? null : user.email,
		// The events of runs have no name (recorded).
		projectDisplayName: isOfPlatform || isOfRun ? null : project.displayName,
		data: dataOf(seed, around) as Record<string, unknown>,
		ip: null,
		userId: isOfRun ? null : user.id,
	};
}

/** The fields of a changed variable in events; a connection is in them with all of its fields. */
const OF_VARIABLE = 'id name created updated'.split(' ');

type Changed = Record<'connection' | 'variable', { id: string }>;

/**
 * Writes what somebody did to a record, by the name of its kind. What a key does without a project is
 * written nowhere (recorded).
 */
export const auditWriter =
	({ time }: Context) =>
	(principal: KnownPrincipal, action: string, changed: Partial<Changed>, projectId?: string) => {
		const { platform } = principal;
		const project = platform.projects.find(({ id }) => id === projectId);
		if (!project && principal.type === 'SERVICE') return;
		const user = principal.type === 'USER' ? principal.user : platform.admin;
		const [[kind, record]] = Object.entries(changed);
		const isShown = (name: string) => kind !== 'variable' || OF_VARIABLE.includes(name);
		const shown = Object.entries(record).filter(([name]) => isShown(name));
		const { displayName = null } = project ?? {};
		const data = {
			user: personOf(user),
			...(project && { project: { ...project, deleted: null } }),
			[kind]: Object.fromEntries(shown),
		};
		const created = new Date(time.now).toISOString();
		const event: AuditEventRecord = {
			...madeAt(makeId(`audit/${action}/${record.id}`, platform.auditEvents.length), created),
			...{ platformId: platform.platformId, projectId: project?.id ?? null, action },
			...{
				userEmail: user.email,
				projectDisplayName: displayName,
				data,
				ip: null,
				userId: user.id,
			},
		};
		platform.auditEvents = [event, ...platform.auditEvents];
	};

const KINDS: Array<Pick<AuditEventSeed, 'action' | 'about'>> = [
	{ action: 'flow.created' },
	{ action: 'flow.updated' },
	{ action: 'flow.run.finished', about: 'flowRun' },
	{ action: 'signing.key.created', about: 'signingKey' },
	{ action: 'flow.deleted' },
];

/** Events of all kinds in turn, newest first, a second apart. */
export const makeAuditEvents = (count: number, around: Surroundings) =>
	many(count, (index) => {
		const created = timestamp('2026-11-01T00:00:00.000Z', (count - index) * 1000);
		const kind = KINDS[index % KINDS.length];
		const flowRun = { id: makeId('audited run', index), finishTime: created, status: 'SUCCEEDED' };
		return makeAuditEvent({ ...kind, created, id: makeId('audit', index), flowRun }, around);
	});
