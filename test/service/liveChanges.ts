import { makeAuditEvent, type AuditEventSeed } from './auditEvents';
import type { Clock } from './clock';
import { publishedVersion, type FlowChanges, type FlowStatus } from './flowChanges';
import { FlowRunLife } from './flowRunLife';
import { makeFlowRun, type FlowRunSeed, type FlowRunStatus } from './flowRunRecords';
import { EMPTY_TRIGGER, flowBodies } from './flowSteps';
import { find, makeId } from './ids';
import { RecordMaker, type ConnectionSeed, type ConnectionStatus, type FlowSeed } from './make';
import { makeRow } from './makeTables';
import { makePiece } from './pieces';
import { removeProject, type ServiceData, type UserRecord } from './records';
import type { ReleaseTraits } from './releases';
import { roleNamed } from './roles';

/** A flow to add: to the first project at the time of the next change, unless told otherwise. */
export interface NewFlow extends Partial<Pick<FlowSeed, 'projectId' | 'name' | 'connectionIds'>> {
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
}

/** A connection to add: of the first project at the time of the next change, unless told otherwise. */
interface NewConnection extends Partial<Pick<ConnectionSeed, 'externalId' | 'status'>> {
	projectId?: string;
	name?: string;
}

/** A run to add: of the first published flow, unless told otherwise. */
interface NewFlowRun extends Partial<Omit<FlowRunSeed, 'flow'>> {
	flowId?: string;
}

/** Changes by other people on the first platform, dated by the service's `time`. */
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

	addFlowRun(seed: NewFlowRun = {}) {
		const { data } = this;
		const { id = this.id('run'), created = this.clock.tick(), flowId } = seed;
		const flow = data.flows.find((each) =>
			flowId === undefined ? each.publishedVersionId !== null : each.id === flowId,
		);
		if (!flow) throw new Error('There is no such flow to run');
		const version = seed.version ?? publishedVersion(data, flow) ?? flow.version;
		const run = makeFlowRun({ ...seed, id, flow, version, created }, this.traits);
		data.flowRuns = [run, ...data.flowRuns];
		return run;
	}

	/** A run that workers process, step by step. */
	flowRunLife(id: string): FlowRunLife {
		return new FlowRunLife(find(this.data.flowRuns, id), this.traits, this.clock);
	}

	/** Ends a run in progress; its `created` stays, however long it took. */
	finishFlowRun(id: string, status: FlowRunStatus) {
		return this.flowRunLife(id).finish(status).show();
	}

	setConnectionStatus(id: string, status: ConnectionStatus) {
		const { connections, projectConnections } = this.data;
		const connection = find([...connections, ...projectConnections], id);
		return Object.assign(connection, { status, updated: this.clock.tick() });
	}

	addConnection(seed: NewConnection = {}) {
		const { data } = this;
		const index = data.projectConnections.length;
		const connection = this.make.connection({
			id: this.id('connection'),
			index,
			displayName: seed.name ?? `New connection ${index}`,
			externalId: seed.externalId ?? `new-connection-${index}`,
			created: this.clock.tick(),
			projectIds: [seed.projectId ?? data.projects[0].id],
			scope: 'PROJECT',
			status: seed.status ?? 'ACTIVE',
		});
		data.projectConnections = [...data.projectConnections, connection];
		return connection;
	}

	/** Another version of a piece, or a piece that was not installed. */
	installPiece(name: string, version: string): void {
		const { data } = this;
		const others = data.pieces.filter((piece) => piece.name !== name);
		data.pieces = [...others, makePiece(name, version)];
	}

	setQueue(counts: Partial<ServiceData['queue']>): void {
		Object.assign(this.data.queue, counts);
	}

	addFlow(seed: NewFlow = {}) {
		const { data } = this;
		const { trigger = 'webhook', enabled = false, published = enabled } = seed;
		const index = data.flows.length;
		const [, webhook] = flowBodies(1, this.traits);
		const isEmpty = trigger === 'empty';
		const flow = this.make.flow({
			id: this.id('flow'),
			index,
			projectId: seed.projectId ?? data.projects[0].id,
			name: seed.name ?? `New flow ${index}`,
			externalId: `ext-new-flow-${index}`,
			enabled: published,
			connectionIds: seed.connectionIds,
			created: this.clock.tick(),
			body: { ...webhook, trigger: isEmpty ? EMPTY_TRIGGER : (seed.steps ?? webhook.trigger) },
		});
		flow.version.id = this.id('version');
		if (published) flow.publishedVersionId = flow.version.id;
		// By no user: an edit by another user would block changes for a minute.
		flow.version.updatedBy = null;
		flow.version.valid = seed.valid ?? !isEmpty;
		if (!enabled) {
			flow.status = 'DISABLED';
			delete flow.triggerSource;
		}
		data.flows = [...data.flows, flow];
		return flow;
	}

	/** A new draft of a flow with another name, as somebody enters it in the editor. */
	editFlow(id: string, name: string) {
		const flow = find(this.data.flows, id);
		this.flowChanges.editDraft(this.data, flow).displayName = name;
		flow.version.updatedBy = null;
		flow.updated = flow.version.updated;
		this.data.flows = [...this.data.flows];
		return flow;
	}

	/** The effect of the editor's Publish button, at once in every release. */
	publishFlow(id: string) {
		const flow = find(this.data.flows, id);
		this.flowChanges.lock(flow);
		this.flowChanges.setStatus(this.data, flow, 'ENABLED');
		return flow;
	}

	/** The effect of the editor's switch, at once in every release. */
	setFlowStatus(id: string, status: FlowStatus) {
		const flow = find(this.data.flows, id);
		this.flowChanges.setStatus(this.data, flow, status);
		return flow;
	}

	/** The effect of the editor's Delete: the flow can be read by ID until a worker has completed it. */
	deleteFlow(id: string): void {
		this.flowChanges.delete(this.data, find(this.data.flows, id));
	}

	addInvitation({ projectId, created }: { projectId?: string; created?: string } = {}) {
		const index = this.data.invitations.length;
		const invitation = this.make.invitation({
			index,
			email: `new${index}@example.test`,
			created: created ?? this.clock.tick(),
			projectId,
		});
		invitation.id = this.id('invitation');
		this.data.invitations = [...this.data.invitations, invitation];
		return invitation;
	}

	/** An event of the audit log, about the first flow unless told otherwise. */
	addAuditEvent(seed: Omit<AuditEventSeed, 'created'> & { created?: string }) {
		const { data } = this;
		const event = makeAuditEvent(
			{ id: this.id('audit'), ...seed, created: seed.created ?? this.clock.tick() },
			{ project: data.projects[0], flow: data.flows[0], user: data.admin },
		);
		data.auditEvents = [event, ...data.auditEvents];
		return event;
	}

	/** A row of the first table, with a value in its first column unless told otherwise. */
	addRow({
		tableId = this.data.tables[0].id,
		value,
	}: { tableId?: string; value?: string | null } = {}) {
		const { data } = this;
		const { projectId } = find(data.tables, tableId);
		const created = this.clock.tick();
		const row = makeRow({ id: this.id('row'), created, updated: created, tableId, projectId }, []);
		data.tableRows = [...data.tableRows, row];
		// By another clock (recorded).
		if (value !== null) this.writeCell(row.id, value ?? `New ${row.id}`, 0, created);
		return row;
	}

	/** Writes a value into a column of a row; `updated` of the row stays (recorded). */
	writeCell(rowId: string, value: string, column = 0, updated = this.clock.tick()) {
		const row = find(this.data.tableRows, rowId);
		const ofTable = this.data.fields.filter(({ tableId }) => tableId === row.tableId);
		const { id } = ofTable[column];
		row.cells[id] = { value, created: row.cells[id]?.created ?? updated, updated };
		return row;
	}

	addUser(fields: Partial<UserRecord> = {}) {
		const { data } = this;
		const created = this.clock.tick();
		const email = `joined${data.users.length}@example.test`;
		const fresh = { id: this.id('user'), email, created, updated: created };
		const user = { ...this.make.member(), ...fresh, ...fields };
		data.users = [...data.users, user];
		return user;
	}

	/** Gives a person a role in a project. */
	addMember(userId: string, projectId: string, name: string) {
		const { data } = this;
		const role = roleNamed(data.roles, name)!;
		const created = this.clock.tick();
		const member = this.make.projectMember({ userId, projectId, role, created });
		data.members = [...data.members, member];
		return member;
	}

	addProject(name: string) {
		const { data } = this;
		const at = this.clock.tick();
		const project = this.make.project(this.id('project'), name, data.projects.length);
		Object.assign(project, { created: at, updated: at });
		data.projects = [...data.projects, project];
		return project;
	}

	removeProject(id: string): void {
		removeProject(this.data, id);
	}

	private id(kind: string): string {
		const count = this.counts.get(kind) ?? 0;
		this.counts.set(kind, count + 1);
		return makeId(`${this.data.platformId}/new ${kind}`, count);
	}
}
