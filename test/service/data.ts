import { makeAuditEvents } from './auditEvents';
import { type FlowBody, flowBodies } from './flowSteps';
import { makeId, padded, timestamp } from './ids';
import { RecordMaker } from './make';
import { makeFlowRun, makeFlowRuns } from './makeFlowRun';
import { addTables } from './makeTables';
import { emptyPlatform } from './platform';
import { recordedPlatform } from './recorded';
import { recordedCommunity } from './recordedCommunity';
import type { FlowRecord, FlowVersionRecord, ProjectRecord, ServiceData } from './records';
import type { ReleaseTraits } from './releases';
import type { DataSizes, Edition } from './types';

const PROJECT_NAMES = ['Operations', 'Marketing', 'Support', 'Finance', 'Sales'];
const FOLDER_NAMES = ['Campaigns', 'Billing', 'Ops – Überwachung', '日本語フォルダ', 'Archive'];
const FLOW_NAMES = ['Sync', 'Notify', 'Import', 'Export', 'Digest', 'Cleanup'];

/** The first platform's data: the recorded set, or generated data of some size. */
export function makeData(
	traits: ReleaseTraits,
	data: 'recorded' | DataSizes,
	edition: Edition,
): ServiceData {
	if (data !== 'recorded') return sizedPlatform(traits, data, edition);
	return edition === 'community' ? recordedCommunity(traits) : recordedPlatform(traits);
}

/** The other platform on the server: one project, one row of each kind in it, and 25 connections created in one second. */
export function makeOtherPlatform(traits: ReleaseTraits): ServiceData {
	const make = new RecordMaker(traits, RecordMaker.admin('other', 'other@example.test'));
	const project = make.project(makeId('other/project'), 'Foreign Project', 0);
	const at = '2026-02-02T02:02:02.000Z';
	const flow = make.flow({
		id: makeId('other/flow'),
		index: 0,
		projectId: project.id,
		folderId: null,
		name: 'Foreign flow',
		externalId: 'ext-foreign-flow',
		enabled: true,
		created: at,
		updated: at,
	});
	const run = { id: makeId('other/run'), flow, created: at, status: 'FAILED' } as const;
	return {
		...emptyPlatform(make),
		projects: [project],
		folders: [make.folder(makeId('other/folder'), project.id, 'Foreign folder', at)],
		flows: [flow],
		flowRuns: [makeFlowRun(run, traits)],
		projectConnections: [
			make.connection({
				id: makeId('other/project connection'),
				index: 0,
				displayName: 'Foreign account',
				externalId: 'foreign-account',
				created: at,
				updated: at,
				projectIds: [project.id],
				flowIds: [],
				scope: 'PROJECT',
			}),
		],
		connections: Array.from({ length: 25 }, (_, index) =>
			make.connection({
				id: makeId('other/connection', index),
				index,
				displayName: `Burst ${index}`,
				externalId: `burst-${index}`,
				created: timestamp('2026-02-02T02:02:02.000Z', index * 20),
				updated: timestamp('2026-02-02T02:02:02.000Z', index * 20),
				projectIds: [project.id],
				flowIds: [],
				status: 'ACTIVE',
			}),
		),
	};
}

function sizedPlatform(traits: ReleaseTraits, sizes: DataSizes, edition: Edition): ServiceData {
	const make = new RecordMaker(traits, RecordMaker.admin('own', 'admin@example.test'));
	const data = emptyPlatform(make);
	const more = Math.max((sizes.users ?? 2) - data.users.length, 0);
	data.users.push(...Array.from({ length: more }, (_, i) => make.member(i + 1)));
	const [own, ...ofMembers] = personalProjects(data, make);
	const team = (count: number) =>
		Array.from({ length: count }, (_, i) =>
			make.project(makeId('project', i), PROJECT_NAMES[i] ?? `Project ${padded(i + 1)}`, i),
		);
	// Community has no team projects up to 0.79, and one later.
	const used =
		edition === 'enterprise'
			? team(sizes.projects ?? 3)
			: [own, ...team(traits.communityTeamProjects ? 1 : 0)];
	const others = edition === 'enterprise' ? [own, ...ofMembers] : ofMembers;
	if (used.length > 0) used[0].externalId = 'customer-1';
	data.projects = [...used, ...others];
	const folderCount = sizes.foldersPerProject ?? 4;
	const bodies = flowBodies(sizes.steps ?? 3);
	data.folders = used.flatMap((project, p) =>
		Array.from({ length: folderCount }, (_, i) =>
			make.folder(
				makeId(`${project.id}/folder`, i),
				project.id,
				FOLDER_NAMES[i] ?? `Folder ${padded(i + 1)}`,
				timestamp('2026-01-05T08:00:00.691Z', (p * folderCount + i) * 11_000),
			),
		),
	);
	if (used.length > 0) addFlows(data, used, make, sizes, bodies);
	data.flowRuns = makeFlowRuns(data, sizes, traits);
	if (data.flows.length > 0 && edition === 'enterprise') {
		const around = { project: used[0], flow: data.flows[0], user: data.admin, traits };
		data.auditEvents = makeAuditEvents(sizes.auditEvents ?? 5, around);
	}
	addTables(data, [...new Set([...used.slice(0, 5), own])], sizes, traits);
	data.connections = Array.from({ length: sizes.connections ?? 25 }, (_, index) =>
		make.connection({
			id: makeId('connection', index),
			index,
			displayName: `Connection ${padded(index)}`,
			externalId: `conn-${padded(index)}`,
			created: timestamp(
				'2026-01-01T00:00:00.000Z',
				sizes.sameSecond ? Math.min(index, 999) : index * 7000,
			),
			updated: timestamp('2026-01-02T00:00:00.000Z', index * 7000),
			projectIds: used.slice(0, index % 2 === 0 ? 2 : 1).map((project) => project.id),
			flowIds: [],
		}),
	);
	data.projectConnections = used.flatMap((project, p) => {
		const count = sizes.connectionsPerProject ?? 2;
		return Array.from({ length: count }, (_, i) => {
			const index = p * count + i;
			const at = timestamp('2026-01-03T08:00:00.422Z', index * 7000);
			return make.connection({
				id: makeId(`${project.id}/connection`, i),
				index,
				displayName: `Account ${padded(index)}`,
				externalId: `account-${padded(i)}`,
				created: at,
				updated: at,
				projectIds: [project.id],
				flowIds: [],
				scope: 'PROJECT',
			});
		});
	});
	data.templates = Array.from({ length: sizes.templates ?? 12 }, (_, index) =>
		make.template(index, timestamp('2026-01-06T08:00:00.930Z', index * 5000), {
			body: bodies[index % bodies.length],
		}),
	);
	data.invitations = Array.from({ length: sizes.invitations ?? 12 }, (_, index) => {
		const project = used[Math.floor(index / 2) % Math.max(used.length, 1)];
		return make.invitation({
			index,
			email: `invite${index}@example.test`,
			created: timestamp('2026-01-07T08:00:00.207Z', index * 5000),
			// Community's plan has no invitations to projects.
			projectId: index % 2 === 1 && edition === 'enterprise' ? project?.id : undefined,
			accepted: index % 4 >= 2,
		});
	});
	return data;
}

/** Everybody on a platform has a project of their own. */
function personalProjects({ users }: ServiceData, make: RecordMaker): ProjectRecord[] {
	return users.map((user, i) => ({
		...make.project(makeId('personal', i), `${user.firstName}'s Project`, i, true),
		ownerId: user.id,
	}));
}

/** Flow i belongs to project i mod projects; every seventh has no folder, a third is disabled. */
function addFlows(
	data: ServiceData,
	used: ProjectRecord[],
	make: RecordMaker,
	sizes: DataSizes,
	bodies: FlowBody[],
) {
	const folderCount = sizes.foldersPerProject ?? 4;
	const projects = used.length;
	const start = Date.parse('2026-03-01T00:00:00.123Z');
	const flows: FlowRecord[] = [];
	for (let i = 0; i < (sizes.flows ?? 30); i++) {
		const inProject = Math.floor(i / projects);
		const folder =
			i % 7 === 6 || folderCount === 0
				? undefined
				: data.folders[(i % projects) * folderCount + (inProject % folderCount)];
		const updated = new Date(start + i * 67_000).toISOString();
		const flow = make.flow({
			id: makeId('flow', i),
			index: i,
			projectId: used[i % projects].id,
			folderId: folder?.id ?? null,
			name: `${FLOW_NAMES[i % FLOW_NAMES.length]} flow ${padded(i)}`,
			externalId: `ext-flow-${padded(i)}`,
			enabled: i % 3 !== 2,
			created: updated,
			updated,
			body: bodies[i % bodies.length],
		});
		if (i % 9 === 4) addNewerDraft(data, flow, i);
		flows.push(flow);
	}
	data.flows = flows;
}

/** Gives a published flow a later draft: the list shows the draft unless LOCKED is requested. */
function addNewerDraft(data: ServiceData, flow: FlowRecord, index: number) {
	const draft: FlowVersionRecord = {
		...flow.version,
		id: makeId(`${flow.projectId}/draft`, index),
		state: 'DRAFT',
		displayName: `${flow.version.displayName} (edited)`,
	};
	data.published.set(flow.id, flow.version);
	flow.version = draft;
}
