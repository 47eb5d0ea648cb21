import type { Clock } from './clock';
import { ApplicationError, entityNotFound, FrameworkError, uselessError } from './errors';
import { makeId } from './ids';
import type { FlowRecord, FlowVersionRecord, ServiceData } from './records';
import type { ReleaseTraits } from './releases';

export type FlowStatus = 'ENABLED' | 'DISABLED';

/** Carries out changes of flows, controlled by a test; no time passes by itself. */
class FlowWorker {
	/** what the trigger's hook does when it is enabled; `dies`: the server is killed meanwhile */
	hook: 'works' | 'fails' | 'dies' = 'works';

	/** Up to 0.79: GETs of a flow that show its change; Infinity: until `settleFlowChanges()`. */
	settleAfter = 1;

	private running = true;

	constructor(private readonly hold: <T>(wait: Promise<T>) => Promise<T>) {}

	private readonly waiting: Array<() => void> = [];

	/** A stopped worker runs no flow and no trigger hook: changes wait, up to 0.79 all of the server's */
	get state(): 'running' | 'stopped' {
		return this.running ? 'running' : 'stopped';
	}

	set state(state: 'running' | 'stopped') {
		this.running = state === 'running';
		if (this.running) for (const goOn of this.waiting.splice(0)) goOn();
	}

	/** How many requests wait for it */
	get requests(): number {
		return this.waiting.length;
	}

	/** Pending until the worker runs: how long a request waits for it. */
	async ready(): Promise<void> {
		while (!this.running) {
			await this.hold(new Promise<void>((goOn) => this.waiting.push(goOn)));
		}
	}
}

interface Job {
	data: ServiceData;
	flow: FlowRecord;
	target: FlowStatus;
	/** Requests for the flow since the change was requested */
	seen: number;
}

/** All versions of a flow, the newest first. */
export const versionsOf = (data: ServiceData, flow: FlowRecord): FlowVersionRecord[] => [
	flow.version,
	...(data.olderVersions.get(flow.id) ?? []),
];

/** The live version: null when the flow was never published. */
export function publishedVersion(data: ServiceData, flow: FlowRecord): FlowVersionRecord | null {
	const { publishedVersionId } = flow;
	if (publishedVersionId === null) return null;
	return versionsOf(data, flow).find(({ id }) => id === publishedVersionId) ?? flow.version;
}

/** Makes another version the latest one of a flow. */
export function addVersion(data: ServiceData, flow: FlowRecord, version: FlowVersionRecord): void {
	data.olderVersions.set(flow.id, versionsOf(data, flow));
	flow.version = version;
}

/** Changes of flows' statuses: queued after the answer up to 0.79, within the request since 0.80. */
export class FlowChanges {
	readonly worker: FlowWorker;
	private readonly jobs: Job[] = [];
	private readonly afterwards: Array<() => void> = [];
	/** Flows that are in no list any more, with the number of later requests for them */
	private readonly deletions = new Map<string, Omit<Job, 'target'>>();

	constructor(
		private readonly traits: ReleaseTraits,
		private readonly clock: Clock,
		hold: <T>(wait: Promise<T>) => Promise<T>,
	) {
		this.worker = new FlowWorker(hold);
	}

	later(work: () => void): void {
		this.afterwards.push(work);
	}

	/** Carries out every queued change, as far as the worker allows. */
	settle(): void {
		for (const work of this.afterwards.splice(0)) work();
		if (this.worker.state === 'running')
			for (const id of this.deletions.keys()) this.endDeletion(id);
		while (this.jobs.length > 0 && this.canRun(this.jobs[0])) this.run(this.jobs.shift()!);
		this.begin();
	}

	/** Counts a GET or a DELETE of a flow: its change is complete after a number of them. */
	look(flow: FlowRecord): void {
		this.lookAtDeletion(flow.id);
		const index = this.jobs.findIndex((job) => job.flow === flow);
		if (index < 0 || ++this.jobs[index].seen <= this.worker.settleAfter) return;
		// One after another, in order: one that cannot continue blocks the rest.
		for (let i = 0; i <= index && this.canRun(this.jobs[0]); i++) this.run(this.jobs.shift()!);
		this.begin();
	}

	deleting(id: string): { data: ServiceData; flow: FlowRecord } | undefined {
		return this.deletions.get(id);
	}

	/**
	 * DELETE: the flow disappears from lists at once, and can be read by ID for a short time: a second DELETE found
	 * it after a GET (har/enterprise-0.85, b/97 to b/106).
	 * Without a worker it stays, as it does when the job fails (brain/knowledge/flows-execution/flows.md, 0.92).
	 */
	delete(data: ServiceData, flow: FlowRecord): void {
		flow.operationStatus = 'DELETING';
		data.flows = data.flows.filter((each) => each !== flow);
		this.deletions.set(flow.id, { data, flow, seen: 0 });
	}

	/** Counts a request for a flow that is being deleted: it disappears after a number of them, with its runs. */
	private lookAtDeletion(id: string): void {
		const deletion = this.deletions.get(id);
		if (!deletion || this.worker.state === 'stopped') return;
		const { settleAfter } = this.worker;
		const longer = this.traits.oldFlows ? 0 : 1;
		if (++deletion.seen > settleAfter + longer) this.endDeletion(id);
	}

	private endDeletion(id: string): void {
		const { data } = this.deletions.get(id)!;
		this.deletions.delete(id);
		data.olderVersions.delete(id);
		data.flowRuns = data.flowRuns.filter(({ flowId }) => flowId !== id);
	}

	/** CHANGE_STATUS; returns the flow as the service does. */
	async changeStatus(data: ServiceData, flow: FlowRecord, target: FlowStatus): Promise<FlowRecord> {
		if (this.traits.oldFlows) return this.enqueue(data, flow, target);
		if (flow.status === target) return { ...flow };
		if (target === 'ENABLED' && flow.publishedVersionId === null) {
			throw new FrameworkError(500, 'publishedFlowVersionId is required is null or undefined');
		}
		await this.switchNow(data, flow, target);
		return { ...flow };
	}

	/** LOCK_AND_PUBLISH: the newest version becomes the live one; enables the flow unless told otherwise. */
	async publish(
		data: ServiceData,
		flow: FlowRecord,
		{ status: asked, userId }: { status?: FlowStatus; userId: string | null },
	): Promise<FlowRecord> {
		if (flow.status === 'ENABLED') {
			// The old version's trigger is disabled within the request, in every release.
			await this.hookRuns(data, flow, 'DISABLED');
			this.setStatus(data, flow, 'DISABLED');
		}
		this.lock(flow);
		if (userId !== null) flow.version.updatedBy = userId;
		// The response shows DISABLING for a publication without a status, although it enables the flow.
		const shown = asked ?? 'DISABLED';
		const target = asked ?? 'ENABLED';
		if (this.traits.oldFlows) return this.enqueue(data, flow, target, shown);
		return await this.changeStatus(data, flow, target);
	}

	/** The newest version becomes the live one. */
	lock(flow: FlowRecord): void {
		const { version } = flow;
		if (version.state !== 'LOCKED') {
			version.state = 'LOCKED';
			version.updated = this.clock.tick();
			version.trigger = pinned(version.trigger);
		}
		flow.publishedVersionId = version.id;
	}

	/** The draft to edit: a published version stays unchanged, and a new one is created. */
	editDraft(data: ServiceData, flow: FlowRecord): FlowVersionRecord {
		const at = this.clock.tick();
		const { version } = flow;
		if (version.state === 'LOCKED') {
			const id = makeId(`${version.id}/draft`);
			addVersion(data, flow, { ...version, id, state: 'DRAFT', created: at });
		}
		flow.version.updated = at;
		return flow.version;
	}

	setStatus(data: ServiceData, flow: FlowRecord, status: FlowStatus): void {
		flow.status = status;
		flow.updated = this.clock.tick();
		if (status === 'ENABLED') flow.triggerSource ??= { schedule: null };
		else delete flow.triggerSource;
		data.flows = [...data.flows];
	}

	private enqueue(data: ServiceData, flow: FlowRecord, target: FlowStatus, shown = target) {
		flow.operationStatus = shown === 'ENABLED' ? 'ENABLING' : 'DISABLING';
		flow.updated = this.clock.tick();
		data.flows = [...data.flows];
		const answer = { ...flow };
		// A change of a flow that has a queued one is accepted, and lost.
		if (!this.jobs.some((job) => job.flow === flow)) {
			this.jobs.push({ data, flow, target, seen: 0 });
		}
		while (this.jobs.length > 0 && this.endsAtOnce(this.jobs[0])) this.run(this.jobs.shift()!);
		this.begin();
		return answer;
	}

	/** The trigger's source exists as soon as its flow is being enabled, and stays if that fails. */
	private begin(): void {
		const [job] = this.jobs;
		if (job?.target === 'ENABLED') job.flow.triggerSource ??= { schedule: null };
	}

	/** Jobs without work for a worker: the flow cannot be enabled, or already has the status. */
	private endsAtOnce({ data, flow, target }: Job): boolean {
		return flow.status === target || (target === 'ENABLED' && !this.hasTrigger(data, flow));
	}

	private canRun(job: Job): boolean {
		if (this.endsAtOnce(job) || !this.hasTrigger(job.data, job.flow)) return true;
		return this.worker.state === 'running';
	}

	private run({ data, flow, target }: Job): void {
		// The job returns before the line that would remove the mark, so the flow stays marked.
		if (flow.status === target) return;
		const canBeEnabled = this.worker.hook === 'works' && this.hasTrigger(data, flow);
		flow.operationStatus = 'NONE';
		data.flows = [...data.flows];
		if (target === 'DISABLED' || canBeEnabled) this.setStatus(data, flow, target);
	}

	private async switchNow(data: ServiceData, flow: FlowRecord, target: FlowStatus): Promise<void> {
		const version = publishedVersion(data, flow);
		if (target === 'ENABLED' && !this.hasTrigger(data, flow)) {
			const { pieceName, pieceVersion, triggerName } = triggerOf(version);
			const message = `Trigger not found for piece ${pieceName}@${pieceVersion}`;
			const extra = { pieceName, pieceVersion, triggerName };
			const entity = { entityType: 'piece_trigger', entityId: triggerName };
			throw entityNotFound({ ...entity, message, extra });
		}
		await this.hookRuns(data, flow, target);
		// LOCK_AND_PUBLISH has stored the published version by now (seen on real servers, 0.79 to 0.86).
		if (target === 'ENABLED' && this.worker.hook === 'dies') throw uselessError(500);
		if (target === 'ENABLED' && this.worker.hook === 'fails') {
			throw new ApplicationError(400, 'TRIGGER_UPDATE_STATUS', {
				flowId: flow.id,
				flowVersionId: version?.id,
				standardOutput: '',
				standardError: 'Error: the stand-in refuses',
			});
		}
		this.setStatus(data, flow, target);
	}

	/**
	 * Whether the trigger can be enabled: not with a version of a piece that is not installed, where drafts
	 * have no ranges of versions. Seen at 0.85.2; at 0.79.2 a later version within the range is used.
	 */
	private hasTrigger(data: ServiceData, flow: FlowRecord): boolean {
		const version = publishedVersion(data, flow);
		if (version === null || version.trigger.type === 'EMPTY') return false;
		const { pieceName = '', pieceVersion } = triggerOf(version);
		const installed = data.pieces.find(({ name }) => name === pieceName)?.version;
		const isAnyTaken = installed === undefined || this.traits.oldFlows;
		return isAnyTaken || installed === pieceVersion;
	}

	/** A request waits for the worker while there is none. */
	private async hookRuns(data: ServiceData, flow: FlowRecord, target: FlowStatus): Promise<void> {
		if (flow.status !== target && this.hasTrigger(data, flow)) await this.worker.ready();
	}
}

/** Publishing turns ranges of pieces into versions (har/enterprise-0.79, b/86). */
function pinned(trigger: FlowVersionRecord['trigger']): FlowVersionRecord['trigger'] {
	const text = JSON.stringify(trigger).replace(/("pieceVersion":")[~^]/g, '$1');
	return JSON.parse(text) as FlowVersionRecord['trigger'];
}

const triggerOf = (version: FlowVersionRecord | null) =>
	(version?.trigger.settings ?? {}) as Partial<
		Record<'pieceName' | 'pieceVersion' | 'triggerName', string>
	>;
