import { makeOtherPlatform } from '../service/data';
import { makeId, timestamp } from '../service/ids';
import { makeFlowRun } from '../service/makeFlowRun';
import type { FlowRunRecord, FlowRunStatus } from '../service/flowRunRecords';
import type { Service } from '../service/index';
import type { FlowVersionRecord } from '../service/records';
import { TRAITS } from '../service/releases';
import type { Before, Seed } from './changesTable';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The trigger that was put into some drafts of the recorded server. */
const WEBHOOK = {
	name: 'trigger',
	valid: true,
	displayName: 'Catch Webhook',
	type: 'PIECE_TRIGGER',
	settings: {
		propertySettings: {},
		pieceName: '@activepieces/piece-webhook',
		pieceVersion: '0.1.24',
		triggerName: 'catch_webhook',
		input: { authType: 'none' },
	},
};

/** Turns the data of the first recordings into that of the later ones, which differ in names and times. */
export function seed(service: Service, told: Seed): void {
	const { data } = service;
	if (service.edition === 'enterprise') renameEnterprise(service, told);
	seedTimes(service, told);
	data.folders.sort((a, b) => (a.created < b.created ? -1 : 1));
	data.invitations.sort((a, b) => (a.created < b.created ? -1 : 1));
}

function renameEnterprise(service: Service, { personal, users }: Seed): void {
	const { data } = service;
	const [main, second, , own] = data.projects;
	Object.assign(main, { displayName: 'Project One', externalId: 'ext-one' });
	Object.assign(second, { displayName: 'Project Two', externalId: 'ext-two' });
	own.displayName = personal;

	for (const flow of data.flows) {
		if (flow.externalId.endsWith('0')) flow.metadata = { external: 'm' };
	}

	const archive = data.folders.find(({ displayName }) => displayName === 'Sales');
	if (archive) archive.displayName = 'Archive';
	const surplus = data.invitations.filter(({ type }) => type === 'PROJECT').slice(10);
	data.invitations = data.invitations.filter((row) => !surplus.includes(row));

	const [admin, viewer, ...others] = [...users].sort((a) => (a.email.startsWith('admin') ? -1 : 1));
	Object.assign(data.users[0], admin);
	Object.assign(data.users[1], viewer);
	const more = others.map((user, i) => ({ ...data.users[1], ...user, id: makeId('person', i) }));
	data.users = [...data.users, ...more];
	data.members = [{ userId: data.users[1].id, projectId: main.id, role: 'Viewer' }];
}

function seedTimes({ data }: Service, { folders, invitations, users }: Seed): void {
	for (const { displayName, created } of folders) {
		const folder = data.folders.find((row) => row.displayName === displayName);
		if (folder) Object.assign(folder, { created, updated: created });
	}
	for (const { email, created } of users) {
		const user = data.users.find((row) => row.email === email);
		if (user) user.created = created;
	}
	const times = new Map(invitations.map(({ email, created }) => [email, created]));
	data.invitations.forEach((row, index) => {
		const known = (later: typeof data.invitations) =>
			later.some(({ email, type }) => type === row.type && times.has(email));
		const before = data.invitations[index - 1]?.created ?? '';
		// A record without a recorded time is placed beside the one before it, or after all others.
		const between = known(data.invitations.slice(index + 1));
		row.created = times.get(row.email) ?? timestamp(before, between ? -1 : 1);
	});
}

/** IDs of the recorded server, keyed by their names in a table. */
export function namesOfChanges(service: Service): Map<string, string> {
	const { data } = service;
	const other = makeOtherPlatform(TRAITS[service.release]);
	const [project, project2, emptyProject, personalProject] = data.projects;
	const [, member] = data.users;
	const names = new Map([
		['project2', project2.id],
		['secondProject', project2.id],
		['emptyProject', emptyProject?.id],
		['personalProject', personalProject?.id],
		['key', service.apiKey],
		['otherPlatformKey', service.otherPlatformKey],
		['memberToken', service.tokens.member],
		['userToken', service.userToken],
		['viewerToken', service.tokens.member],
		['operatorToken', service.tokens.member],
		['platform', data.platformId],
		['project', project.id],
		['foreignPlatform', other.platformId],
		['foreignProject', other.projects[0].id],
		['foreignFolder', other.folders[0].id],
		['foreignFlow', other.flows[0].id],
		['foreignRun', other.flowRuns[0].id],
		['admin', data.admin.id],
		['viewer', member.id],
		['operator', member.id],
	]);
	for (const { displayName, id } of data.folders) names.set(`folder:${displayName}`, id);
	for (const { version, id } of data.flows) {
		names.set(`flow:${version.displayName}`, id);
		names.set(`versionOf:${version.displayName}`, version.id);
	}
	for (const { email, id } of data.invitations) names.set(`invitation:${email}`, id);
	names.set('invitation:some', data.invitations[3].id);
	return names;
}

/** Applies what was done to the recorded server; new records get names in the table. */
export function prepare(
	service: Service,
	before: Before,
	names: Map<string, string>,
	versions: Map<string, FlowVersionRecord>,
): void {
	const { data, worker } = service;
	if (before.time) service.time.set(before.time);
	if (before.hook) worker.hook = before.hook;
	worker.state = before.worker ?? 'running';
	for (const id of before.webhooks ?? []) {
		const flow = data.flows.find((row) => row.id === id)!;
		const edited = 'lastUpdatedDate' in flow.version.trigger ? { lastUpdatedDate: 'now' } : {};
		Object.assign(flow.version, { trigger: { ...WEBHOOK, ...edited }, valid: true });
		versions.set(flow.id, flow.version);
		if (!before.published?.includes(id)) continue;
		flow.version.state = 'LOCKED';
		flow.publishedVersionId = flow.version.id;
	}
	if (before.runs) addRuns(service, before.runs, names, versions);
	for (let i = 0; i < (before.runsOfProject2 ?? 0); i++) {
		const flow = data.flows.find(({ projectId }) => projectId === data.projects[1].id)!;
		service.live.addFlowRun({ flowId: flow.id, status: i % 2 === 0 ? 'FAILED' : 'SUCCEEDED' });
	}
	for (let i = 1; i <= (before.goodRuns ?? 0); i++) {
		names.set(`run:any:${i}`, service.live.addFlowRun({ status: 'FAILED' }).id);
	}
	if (before.personalInvitation) {
		const { id: projectId } = data.projects.find(({ type }) => type === 'PERSONAL')!;
		names.set('invitation:personal', service.live.addInvitation({ projectId }).id);
	}
	for (const run of data.flowRuns) Object.assign(run, asPutIn(run, service));
}

/**
 * The recorded runs were inserted without a worker: each with a finish time, and up to 0.79 without messages.
 */
function asPutIn(run: FlowRunRecord, { release }: Service): Partial<FlowRunRecord> {
	const { status, failedStep, created } = run;
	const finish = status === 'CANCELED' ? { finishTime: timestamp(created, 2345) } : {};
	if (release !== '0.79' || failedStep === null) return finish;
	const { name, displayName } = failedStep;
	return { ...finish, failedStep: { name, displayName } };
}

/** Statuses of the 28 runs, seven hours apart, twice in a row. */
const STATUSES = (
	'SUCCEEDED FAILED QUOTA_EXCEEDED TIMEOUT SUCCEEDED INTERNAL_ERROR MEMORY_LIMIT_EXCEEDED ' +
	'PAUSED FAILED RUNNING QUEUED SUCCEEDED SUCCEEDED CANCELED'
).split(' ') as FlowRunStatus[];

/**
 * The sixty runs as the recording describes them: by their times, with the flows in turn. Where it
 * leaves a time open, an unused one is chosen.
 */
function addRuns(
	service: Service,
	{ at, flows, unpublished }: NonNullable<Before['runs']>,
	names: Map<string, string>,
	versions: Map<string, FlowVersionRecord>,
): void {
	const { data } = service;
	const second = timestamp(`${at.slice(0, 19)}.000Z`, -2 * HOUR);
	const twoBefore = timestamp(second, -2 * HOUR);
	const times: Array<{ created: string; micros?: number }> = [
		...Array.from({ length: 28 }, (_, k) => ({ created: timestamp(at, -(1 + 7 * k) * HOUR) })),
		...Array.from({ length: 10 }, (_, k) => ({ created: timestamp(second, k * 97) })),
		...Array.from({ length: 7 }, (_, k) => ({ created: twoBefore, micros: 100 + k * 100 })),
		...Array.from({ length: 5 }, () => ({ created: timestamp(second, -HOUR) })),
		...Array.from({ length: 6 }, (_, k) => ({ created: timestamp(at, -(HOUR / 2) - k * 1000) })),
		{ created: timestamp(at, -45 * DAY) },
		{ created: timestamp(at, -46 * DAY) },
		{ created: timestamp(at, -4_000_000) },
		{ created: timestamp(at, -5 * HOUR) },
	];
	// Runs with the same time are sorted by ID, the greatest first.
	const ids = times.map((_, i) => makeId('recorded/run', i));
	const equal = ids.slice(45, 50).sort().reverse();
	ids.splice(45, 5, ...equal);
	const runs = times.map(({ created, micros = 0 }, i) => {
		const id = ids[i];
		const flowId = i === 59 ? unpublished : flows[i % flows.length];
		const flow = data.flows.find((row) => row.id === flowId)!;
		const testing = i >= 50 && i < 56;
		const failed =
			i >= 28 && i < 38 ? (i - 28) % 3 === 0 : testing || i === 56 || i === 57 || i === 59;
		data.micros.set(id, micros);
		if (!testing || i === 50) names.set(`run:${created}`, id);
		return makeFlowRun(
			{
				id,
				flow,
				version: versions.get(flowId),
				created,
				status: i < 28 ? STATUSES[i % 14] : failed ? 'FAILED' : 'SUCCEEDED',
				environment: testing ? 'TESTING' : 'PRODUCTION',
				tags: i < 28 && i % 7 === 0 ? ['nightly', 'eu'] : null,
				archivedAt: i === 58 ? timestamp(at, -1_000_000) : null,
				log: i === 1,
			},
			{ ...TRAITS[service.release], lateStartTimes: false },
		);
	});
	data.flowRuns = [...runs, ...data.flowRuns];
	if (service.edition === 'community') {
		const [, { id: projectId }] = data.projects;
		const { id: flowId } = data.flows.find((row) => row.projectId === projectId)!;
		const second = { flowId, created: timestamp(at, -2 * HOUR), status: 'FAILED' } as const;
		names.set('run:second', service.live.addFlowRun(second).id);
	}
	service.time.set(timestamp(at, 1000));
	names.set('run:old', runs[56].id);
	names.set('run:unpublished', runs[59].id);
	names.set('run:any:0', runs[4].id);
}
