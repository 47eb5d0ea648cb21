import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

type Answer = IN8nHttpFullResponse | Promise<IN8nHttpFullResponse>;

/** A record of any list. Users have no project, nor have global connections. */
interface Row extends IDataObject {
	id: string;
	created: string;
	updated: string;
	status: string;
	projectId?: string;
}
type SortKey = Array<string | number>;

/** The order of each list of the service; records that are equal are sorted by ID, so that none is lost. */
const ORDERS: Record<string, (row: Row) => SortKey> = {
	users: ({ created, id }) => [-Date.parse(created), id],
	'flow-runs': ({ created, id }) => [-Date.parse(created), id],
	'audit-events': ({ created, id }) => [-Date.parse(created), id],
	'user-invitations': ({ created, id }) => [Date.parse(created), id],
	flows: ({ status, updated, id }) => [Number(status !== 'ENABLED'), -Date.parse(updated), id],
	'global-connections': ({ created, id }) => [Date.parse(created), id],
	'app-connections': ({ created, id }) => [Date.parse(created), id],
	projects: ({ id }) => [id],
	records: ({ created, id }) => [Date.parse(created), id],
};

function compare(a: SortKey, b: SortKey): number {
	const at = a.findIndex((part, index) => part !== b[index]);
	return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
}

/**
 * The lists of the service in memory, with an exact cursor: a page contains what follows the last record
 * of the page before, in the order at that time. As with the real service, records that move while a
 * list is read are missed or repeated.
 */
export class FakeService {
	/** Milliseconds since 1970 */
	now = Date.parse('2026-12-01T08:00:00.000Z');
	projects = ['project-a', 'project-b'];
	users: Row[] = [];
	runs: Row[] = [];
	flows: Row[] = [];
	connections: Row[] = [];
	auditEvents: Row[] = [];
	invitations: Row[] = [];
	/** Of a table with one column */
	records: Row[] = [];
	waiting = 0;
	isDown = false;
	/** Projects whose lists are refused, with the status */
	refused = new Map<string, number>();
	/** Responses of projects in place of their own */
	answers = new Map<unknown, (options: IHttpRequestOptions) => Answer | undefined>();
	/** The earliest start of runs in the last request for each project */
	askedSince = new Map<unknown, unknown>();
	pages = 0;
	/** The end of a period that something in front of the service ignores */
	ignored?: 'createdAfter' | 'createdBefore';
	/** Whether responses contain the time */
	isDated = true;
	/** How far the times of responses are ahead of those of records */
	skew = 0;
	/** How far the clock of n8n is ahead of them */
	n8nSkew = 0;
	/** Called once, after this many further pages */
	meanwhile?: { pages: number; happens: () => void };
	private count = 0;

	/** Milliseconds to which the times of records are rounded down */
	precision = 1;
	/** Whether the times of records are those of a clock that was set to the year 2099 */
	isIn2099 = false;

	get time(): string {
		if (this.isIn2099) return '2099-01-01T00:00:00.000Z';
		return new Date(this.now - (this.now % this.precision)).toISOString();
	}

	id(kind: string): string {
		return `${kind}-${String(this.count++).padStart(5, '0')}`;
	}

	projectOf(index: number): string {
		return this.projects[index % this.projects.length];
	}

	pass(ms = 60_000): void {
		this.now += ms;
	}

	/** Lets time pass, so that the times of records differ. */
	tick(): void {
		this.now += this.precision;
	}

	addUser(created = this.time): string {
		return this.add('user', this.users, { created, status: 'ACTIVE' }).id;
	}

	/** Adds a run that has failed at once. */
	addRun(seed: Partial<Row> = {}): Row {
		const { created: finishTime = this.time, projectId = this.projects[0] } = seed;
		const made = { finishTime, status: 'FAILED', ...seed, projectId };
		return this.add('run', this.runs, made);
	}

	/** Adds a broken connection: a global one, or one of the given project. */
	addConnection(seed: Partial<Row> = {}): Row {
		const { projectId } = seed;
		const of =
			projectId === undefined
				? { projectIds: [...this.projects], scope: 'PLATFORM' }
				: { projectIds: [projectId], scope: 'PROJECT' };
		return this.add('connection', this.connections, { ...of, status: 'ERROR', ...seed });
	}

	addFlow(seed: Partial<Row> = {}): Row {
		const { created: updated = this.time, projectId = this.projects[0] } = seed;
		const made = { updated, publishedVersionId: null, status: 'DISABLED', ...seed, projectId };
		return this.add('flow', this.flows, made);
	}

	addAuditEvent(seed: Partial<Row> = {}): Row {
		return this.add('event', this.auditEvents, { action: 'flow.created', status: '', ...seed });
	}

	/** Adds an invitation to the platform, or to the given project. */
	addInvitation(seed: Partial<Row> = {}): Row {
		const type = seed.projectId === undefined ? 'PLATFORM' : 'PROJECT';
		return this.add('invitation', this.invitations, { type, status: 'PENDING', ...seed });
	}

	/** Adds a record of a table, whose value was written when it was created; null for none. */
	addRecord({ value, created = this.time }: { value?: null; created?: string } = {}): Row {
		const row = this.add('record', this.records, { created, cells: {}, status: '' });
		if (value !== null) this.write(row, created);
		return row;
	}

	/** Writes a value of a record, whose own `updated` stays. */
	write(row: Row, updated = this.time): void {
		row.cells = { column: { value: updated, created: row.created, updated } };
	}

	private add(kind: string, list: Row[], seed: Partial<Row> & { status: string }): Row {
		const row = { id: this.id(kind), created: this.time, updated: this.time, ...seed };
		list.push(row);
		return row;
	}

	/** Responds like n8n's request helper. */
	answer(options: IHttpRequestOptions): Answer {
		const { url, qs = {} } = options;
		this.askedSince.set(qs.projectId, qs.createdAfter);
		const instead = this.answers.get(qs.projectId)?.(options);
		if (instead !== undefined) return instead;
		const date = this.isDated ? { date: new Date(this.now + this.skew).toUTCString() } : {};
		const headers = { ...date, 'content-length': '1' };
		const answer = (statusCode: number, body: object) => {
			return { statusCode, headers, body: JSON.stringify(body) };
		};
		const refusal = this.isDown ? 429 : this.refused.get(String(qs.projectId));
		const refused = { statusCode: refusal, error: 'Refused', message: 'Refused' };
		if (refusal !== undefined) return answer(refusal, refused);
		const list = url.replace('/v1/', '');
		const isQueue = list === 'queue-metrics';
		if (list === 'fields') return answer(200, [{ id: 'column', name: 'Name', type: 'TEXT' }]);
		return answer(200, isQueue ? { stats: { waiting: this.waiting } } : this.page(list, qs));
	}

	private page(list: string, query: IDataObject) {
		const bounds: IDataObject = { ...query, ...(this.ignored && { [this.ignored]: undefined }) };
		const { limit, cursor, projectId, status, type, createdAfter, createdBefore } = bounds;
		this.pages++;
		const statuses = status as string[] | undefined;
		const before = createdBefore === undefined ? Infinity : Date.parse(String(createdBefore));
		const key = ORDERS[list];
		const rows = this.rowsOf(list)
			.filter((row) => projectId === undefined || row.projectId === projectId)
			.filter((row) => type === undefined || row.type === type)
			.filter((row) => statuses === undefined || statuses.includes(row.status))
			.filter(({ created }) => createdAfter === undefined || created >= String(createdAfter))
			// It stores parts of a millisecond with each time, and does not return them.
			.filter(({ created }) => Date.parse(created) + 0.5 <= before)
			.sort((a, b) => compare(key(a), key(b)));
		const after = cursor === undefined ? undefined : (JSON.parse(String(cursor)) as SortKey);
		const rest = after === undefined ? rows : rows.filter((row) => compare(key(row), after) > 0);
		const data = structuredClone(rest.slice(0, Number(limit)));
		const last = data.at(-1);
		const next = rest.length > data.length && last ? JSON.stringify(key(last)) : null;
		const { meanwhile } = this;
		if (meanwhile !== undefined && meanwhile.pages-- <= 0) {
			this.meanwhile = undefined;
			meanwhile.happens();
		}
		return { data, next, previous: null };
	}

	private rowsOf(list: string): Row[] {
		const lists: Record<string, Array<Pick<Row, 'id' | 'created'>>> = {
			users: this.users,
			'flow-runs': this.runs,
			'audit-events': this.auditEvents,
			'user-invitations': this.invitations,
			flows: this.flows,
			'global-connections': this.connections.filter(({ scope }) => scope === 'PLATFORM'),
			'app-connections': this.connections.filter(({ scope }) => scope === 'PROJECT'),
			records: this.records,
			projects: this.projects.map((id) => ({ id, displayName: `The ${id}`, created: this.time })),
		};
		return lists[list] as Row[];
	}
}

/** Makes an event occur, in a project if it has one, and returns the ID of the expected item. */
export const HAPPENINGS: Record<string, (service: FakeService, projectId?: string) => string> = {
	userJoined: (service) => service.addUser(),
	recordCreated: (service) => service.addRecord().id,
	recordWritten: (service) => service.addRecord().id,
	userInvitationCreated: (service, projectId) => service.addInvitation({ projectId }).id,
	platformEvent: (service, projectId) => service.addAuditEvent({ projectId }).id,
	connectionNeedsAttention: (service, projectId) => service.addConnection({ projectId }).id,
	flowCreated: (service, projectId) => service.addFlow({ projectId, status: 'ENABLED' }).id,
	flowStatusChanged: (service, projectId) => service.addFlow({ projectId, status: 'ENABLED' }).id,
	flowPublished: (service, projectId) =>
		service.addFlow({ projectId, publishedVersionId: service.id('version') }).id,
	flowRunFailed: (service, projectId) => service.addRun({ projectId }).id,
	flowRunSucceeded: (service, projectId) => service.addRun({ projectId, status: 'SUCCEEDED' }).id,
};
