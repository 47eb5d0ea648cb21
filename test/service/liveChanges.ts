import { type AuditEventRecord, type AuditEventSeed, makeAuditEvent } from './auditEvents';
import type { Clock } from './clock';
import type { FlowChanges, FlowStatus } from './flowChanges';
import { FlowRunLife } from './flowRunLife';
import { type FlowRunRecord, type FlowRunStatus, isFinished } from './flowRunRecords';
import { EMPTY_TRIGGER, flowBodies } from './flowSteps';
import { makeId } from './ids';
import { RecordMaker } from './make';
import { type FlowRunSeed, makeFlowRun } from './makeFlowRun';
import { removeProject } from './platform';
import type {
	ConnectionRecord,
	ConnectionStatus,
	FlowRecord,
	InvitationRecord,
	ProjectRecord,
	QueueStats,
	ServiceData,
	UserRecord,
} from './records';
import type { ReleaseTraits } from './releases';

/** A flow to add; everything has a default. */
export interface NewFlow {
	/** default the first project's */
	projectId?: string;
	folderId?: string | null;
	name?: string;
	/** default 'webhook'; with 'empty' the flow cannot be enabled */
	trigger?: 'webhook' | 'empty';
	/** the trigger with its steps, in place of the default one */
	steps?: Record<string, unknown>;
	/** default true, false with an empty trigger */
	valid?: boolean;
	/** whether it has a live version; default false */
	published?: boolean;
	/** default false; an enabled flow is published as well */
	enabled?: boolean;
	/** external IDs of the connections that it uses */
	connectionIds?: string[];
	/** default the time of the next change */
	created?: string;
}

/** A connection to add: of the first project, unless told otherwise. */
export interface NewConnection {
	projectId?: string;
	name?: string;
	externalId?: string;
	status?: ConnectionStatus;
	/** default the time of the next change */
	created?: string;
}

/** A run to add: of the first published flow, unless told otherwise. */
export interface NewFlowRun extends Partial<Omit<FlowRunSeed, 'flow'>> {
	flowId?: string;
}

/**
 * Changes by other people on the first platform while a test runs. Every change is dated by the
 * service's `time`, and every added record is returned as stored.
 */
export class LiveChanges {
	private readonly make: RecordMaker;
	private readonly counts = new Map<string, number>();

	constructor(
		private readonly traits: ReleaseTraits,
		private readonly data: ServiceData,
		private readonly clock: Clock,
		private readonly flowChanges: FlowChanges,
	) {
		this.make = new RecordMaker(traits, data.admin);
	}

	addFlowRun(seed: NewFlowRun = {}): FlowRunRecord {
		const { data } = this;
		const flow =
			seed.flowId === undefined
				? data.flows.find(({ publishedVersionId }) => publishedVersionId !== null)
				: data.flows.find(({ id }) => id === seed.flowId);
		if (!flow) throw new Error('There is no such flow to run');
		const run = makeFlowRun(
			{
				...seed,
				id: seed.id ?? this.id('run'),
				flow,
				version: seed.version ?? data.published.get(flow.id) ?? flow.version,
				created: seed.created ?? this.clock.tick(),
			},
			this.traits,
		);
		data.flowRuns = [run, ...data.flowRuns];
		return run;
	}

	/** A run that workers process, step by step. */
	flowRunLife(id: string): FlowRunLife {
		return new FlowRunLife(found(this.data.flowRuns, id), this.traits, this.clock);
	}

	/** Ends a run in progress; its `created` stays, however long it took. */
	finishFlowRun(id: string, status: FlowRunStatus = 'SUCCEEDED'): FlowRunRecord {
		const run = found(this.data.flowRuns, id);
		const at = this.clock.tick();
		const { failedStep, steps, logsFileId, stepsCount } = makeFlowRun(
			{
				id,
				flow: found(this.data.flows, run.flowId),
				created: run.created,
				status,
				log: status === 'FAILED',
			},
			this.traits,
		);
		Object.assign(run, { failedStep, steps, logsFileId, stepsCount });
		run.status = status;
		run.updated = at;
		run.startTime ??= run.created;
		run.finishTime = isFinished(status) ? at : null;
		return run;
	}

	setConnectionStatus(id: string, status: ConnectionStatus): ConnectionRecord {
		const { connections, projectConnections } = this.data;
		const connection = found([...connections, ...projectConnections], id);
		connection.status = status;
		connection.updated = this.clock.tick();
		return connection;
	}

	/** A connection of a project. */
	addConnection(seed: NewConnection = {}): ConnectionRecord {
		const { data } = this;
		const index = data.projectConnections.length;
		const created = seed.created ?? this.clock.tick();
		const connection = this.make.connection({
			id: this.id('connection'),
			index,
			displayName: seed.name ?? `New connection ${index}`,
			externalId: seed.externalId ?? `new-connection-${index}`,
			created,
			projectIds: [seed.projectId ?? data.projects[0].id],
			scope: 'PROJECT',
			status: seed.status ?? 'ACTIVE',
		});
		data.projectConnections = [...data.projectConnections, connection];
		return connection;
	}

	/** Sets some counters, and keeps the others. */
	setQueue(counts: Partial<QueueStats>): void {
		Object.assign(this.data.queue, counts);
	}

	addFlow(seed: NewFlow = {}): FlowRecord {
		const { data } = this;
		const { trigger = 'webhook', enabled = false, published = enabled } = seed;
		const index = data.flows.length;
		const created = seed.created ?? this.clock.tick();
		const [, webhook] = flowBodies(1);
		const flow = this.make.flow({
			id: this.id('flow'),
			index,
			projectId: seed.projectId ?? data.projects[0].id,
			folderId: seed.folderId,
			name: seed.name ?? `New flow ${index}`,
			externalId: `ext-new-flow-${index}`,
			enabled: published,
			connectionIds: seed.connectionIds,
			created,
			body:
				trigger === 'empty'
					? { ...webhook, trigger: EMPTY_TRIGGER }
					: { ...webhook, trigger: seed.steps ?? webhook.trigger },
		});
		flow.version.id = this.id('version');
		if (published) flow.publishedVersionId = flow.version.id;
		// By no user: an edit by another user would block changes for a minute.
		flow.version.updatedBy = null;
		flow.version.valid = seed.valid ?? trigger !== 'empty';
		if (!enabled) {
			flow.status = 'DISABLED';
			delete flow.triggerSource;
		}
		data.flows = [...data.flows, flow];
		return flow;
	}

	/** A new draft of a flow with another name, as somebody enters it in the editor. */
	editFlow(id: string, name: string, userId: string | null = null): FlowRecord {
		const flow = found(this.data.flows, id);
		this.flowChanges.editDraft(this.data, flow).displayName = name;
		flow.version.updatedBy = userId;
		flow.updated = flow.version.updated;
		this.data.flows = [...this.data.flows];
		return flow;
	}

	/** The effect of the editor's Publish button, at once in every release. */
	publishFlow(id: string): FlowRecord {
		const flow = found(this.data.flows, id);
		this.flowChanges.lock(this.data, flow);
		this.flowChanges.setStatus(this.data, flow, 'ENABLED');
		return flow;
	}

	/** The effect of the editor's switch, at once in every release. */
	setFlowStatus(id: string, status: FlowStatus): FlowRecord {
		const flow = found(this.data.flows, id);
		this.flowChanges.setStatus(this.data, flow, status);
		return flow;
	}

	/** To the platform, or to the given project. */
	addInvitation(seed: { email?: string; projectId?: string; created?: string } = {}) {
		const index = this.data.invitations.length;
		const invitation: InvitationRecord = {
			...this.make.invitation({
				index,
				email: seed.email ?? `new${index}@example.test`,
				created: seed.created ?? this.clock.tick(),
				projectId: seed.projectId,
			}),
			id: this.id('invitation'),
		};
		this.data.invitations = [...this.data.invitations, invitation];
		return invitation;
	}

	/** An event of the audit log, about the first flow unless told otherwise. */
	addAuditEvent(seed: Omit<AuditEventSeed, 'created'> & { created?: string }): AuditEventRecord {
		const { data } = this;
		const event = makeAuditEvent(
			{ id: this.id('audit'), ...seed, created: seed.created ?? this.clock.tick() },
			{ project: data.projects[0], flow: data.flows[0], user: data.admin, traits: this.traits },
		);
		data.auditEvents = [event, ...data.auditEvents];
		return event;
	}

	addUser(seed: Partial<UserRecord> = {}): UserRecord {
		const { data } = this;
		const created = seed.created ?? this.clock.tick();
		const user: UserRecord = {
			...this.make.member(),
			id: this.id('user'),
			email: `joined${data.users.length}@example.test`,
			created,
			updated: created,
			...seed,
		};
		data.users = [...data.users, user];
		return user;
	}

	addProject(name: string, type: ProjectRecord['type'] = 'TEAM'): ProjectRecord {
		const { data } = this;
		const at = this.clock.tick();
		const project = this.make.project(
			this.id('project'),
			name,
			data.projects.length,
			type === 'PERSONAL',
		);
		Object.assign(project, { created: at, updated: at });
		data.projects = [...data.projects, project];
		return project;
	}

	/** A project with all that is in it. */
	removeProject(id: string): void {
		removeProject(this.data, id);
	}

	private id(kind: string): string {
		const count = this.counts.get(kind) ?? 0;
		this.counts.set(kind, count + 1);
		return makeId(`${this.data.platformId}/new ${kind}`, count);
	}
}

function found<Row extends { id: string }>(rows: Row[], id: string): Row {
	const row = rows.find((each) => each.id === id);
	if (!row) throw new Error(`There is no ${id}`);
	return row;
}
