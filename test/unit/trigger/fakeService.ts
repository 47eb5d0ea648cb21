import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { LIST_AUDIT_EVENTS } from '../../../nodes/Activepieces/resources/auditEvent';
import { LIST_CONNECTIONS } from '../../../nodes/Activepieces/resources/connection/connection';
import { LIST_RUNS } from '../../../nodes/Activepieces/resources/flowRun/flowRun';
import { LIST_GLOBAL_CONNECTIONS } from '../../../nodes/Activepieces/resources/globalConnection';
import { LIST_RECORDS } from '../../../nodes/Activepieces/resources/tableRecord/tableRecord';
import { LIST_USERS } from '../../../nodes/Activepieces/resources/user';
import { invitationsRequest } from '../../../nodes/Activepieces/resources/userInvitation/userInvitation';
import type { Endpoint } from '../../../nodes/Activepieces/transport/client/request';

type Answer = IN8nHttpFullResponse | Promise<IN8nHttpFullResponse>;

/** A record of any list. Users have no project, nor have global connections. */
interface Row extends IDataObject {
	id: string;
	created: string;
	updated: string;
	status: string;
	projectId?: string;
}
type Seed = Partial<Row>;
type SortKey = Array<string | number>;

interface List {
	/** Records that are equal are sorted by ID, so that none is lost */
	order: (row: Row) => SortKey;
	/** Whether the service returns it by project */
	isByProject?: true;
}

/** As the endpoint says, which the real service and the stand-in sort by the creation of the records. */
const ordered = ({ order, path }: Endpoint): List['order'] => {
	if (order === undefined) throw new Error(`${path} is not sorted by creation`);
	const sign = order === 'newestFirst' ? -1 : 1;
	return ({ created, id }) => [sign * Date.parse(created), id];
};

/** The lists of the service, by path. */
const LISTS = {
	'app-connections': { order: ordered(LIST_CONNECTIONS.endpoint), isByProject: true },
	'audit-events': { order: ordered(LIST_AUDIT_EVENTS.endpoint) },
	'flow-runs': { order: ordered(LIST_RUNS.endpoint), isByProject: true },
	flows: {
		order: ({ status, updated, id }) => [Number(status !== 'ENABLED'), -Date.parse(updated), id],
		isByProject: true,
	},
	'global-connections': { order: ordered(LIST_GLOBAL_CONNECTIONS.endpoint) },
	projects: { order: ({ id }) => [id] },
	/** Of a table with one column */
	records: { order: ordered(LIST_RECORDS) },
	'user-invitations': { order: ordered(invitationsRequest('').endpoint) },
	users: { order: ordered(LIST_USERS.endpoint) },
} satisfies Record<string, List>;
type ListName = keyof typeof LISTS;

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
	readonly lists = Object.fromEntries(
		Object.keys(LISTS).map((list): [string, Row[]] => [list, []]),
	) as Record<ListName, Row[]>;
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

	/** Those of the platform, and those of projects. */
	get connections(): Row[] {
		return [...this.lists['global-connections'], ...this.lists['app-connections']];
	}

	/** Adds a record to a list, by default to the first project. */
	add(list: ListName, seed: Seed = {}): Row {
		const { isByProject }: List = LISTS[list];
		const { created = this.time, projectId = isByProject && this.projects[0] } = seed;
		const row = { id: this.id(list), updated: created, status: '', ...seed, created, projectId };
		this.lists[list].push(row);
		return row;
	}

	addUser(created = this.time): string {
		return this.add('users', { created, status: 'ACTIVE' }).id;
	}

	/** Adds a run that has failed at once. */
	addRun(seed: Seed = {}): Row {
		const { created: finishTime = this.time } = seed;
		return this.add('flow-runs', { finishTime, status: 'FAILED', ...seed });
	}

	/** Adds a broken connection: a global one, or one of the given project. */
	addConnection(seed: Seed = {}): Row {
		const { projectId } = seed;
		const made = { status: 'ERROR', ...seed };
		return projectId === undefined
			? this.add('global-connections', {
					projectIds: [...this.projects],
					scope: 'PLATFORM',
					...made,
				})
			: this.add('app-connections', { projectIds: [projectId], scope: 'PROJECT', ...made });
	}

	addFlow(seed: Seed = {}): Row {
		return this.add('flows', { publishedVersionId: null, status: 'DISABLED', ...seed });
	}

	addAuditEvent(seed: Seed = {}): Row {
		return this.add('audit-events', { action: 'flow.created', ...seed });
	}

	/** Adds an invitation to the platform, or to the given project. */
	addInvitation(seed: Seed = {}): Row {
		const type = seed.projectId === undefined ? 'PLATFORM' : 'PROJECT';
		return this.add('user-invitations', { type, status: 'PENDING', ...seed });
	}

	/** Adds a record of a table, whose value was written when it was created; null for none. */
	addRecord({ value, created = this.time }: { value?: null; created?: string } = {}): Row {
		const row = this.add('records', { created, cells: {} });
		if (value !== null) this.write(row, created);
		return row;
	}

	/** Writes a value of a record, whose own `updated` stays. */
	write(row: Row, updated = this.time): void {
		row.cells = { column: { value: updated, created: row.created, updated } };
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
		return answer(
			200,
			isQueue ? { stats: { waiting: this.waiting } } : this.page(list as ListName, qs),
		);
	}

	private page(list: ListName, query: IDataObject) {
		const bounds: IDataObject = { ...query, ...(this.ignored && { [this.ignored]: undefined }) };
		const { limit, cursor, projectId, status, type, createdAfter, createdBefore } = bounds;
		this.pages++;
		const statuses = status as string[] | undefined;
		const before = createdBefore === undefined ? Infinity : Date.parse(String(createdBefore));
		const { order: key }: List = LISTS[list];
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

	private rowsOf(list: ListName): Row[] {
		const { time: created } = this;
		const toRow = (id: string) => {
			return { id, displayName: `The ${id}`, created, updated: created, status: '' };
		};
		return list === 'projects' ? this.projects.map(toRow) : this.lists[list];
	}
}

type MakeEvent = (service: FakeService, seed?: Seed) => string;

/** Events of lists that the service returns by project; others belong to the platform, or to one table */
const OF_PROJECTS: Record<string, MakeEvent> = {
	connectionNeedsAttention: (service, seed) => service.addConnection(seed).id,
	flowCreated: (service, seed) => service.addFlow({ ...seed, status: 'ENABLED' }).id,
	flowPublished: (service, seed) =>
		service.addFlow({ ...seed, publishedVersionId: service.id('version') }).id,
	flowRunFailed: (service, seed) => service.addRun(seed).id,
	flowRunSucceeded: (service, seed) => service.addRun({ ...seed, status: 'SUCCEEDED' }).id,
	flowStatusChanged: (service, seed) => service.addFlow({ ...seed, status: 'ENABLED' }).id,
};

/** Makes an event occur, in a project if `seed` names one, and returns the ID of the expected item. */
export const MAKE_EVENT: Record<string, MakeEvent> = {
	...OF_PROJECTS,
	platformEvent: (service, seed) => service.addAuditEvent(seed).id,
	recordCreated: (service, seed) => service.addRecord(seed).id,
	recordWritten: (service, seed) => service.addRecord(seed).id,
	userInvitationCreated: (service, seed) => service.addInvitation(seed).id,
	userJoined: (service, seed) => service.addUser(seed?.created),
};

export const EVENTS_OF_PROJECTS = Object.keys(OF_PROJECTS);
