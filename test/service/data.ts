import { makeAuditEvents } from './auditEvents';
import { addVersion } from './flowChanges';
import { makeFlowRun, makeFlowRuns } from './flowRunRecords';
import { flowBodies } from './flowSteps';
import { madeAt, makeId, many, padded, timestamp } from './ids';
import { RecordMaker } from './make';
import { addTables } from './makeTables';
import { recordedCommunity, recordedPlatform } from './recorded';
import { emptyPlatform, type FlowRecord, type ProjectRecord, type ServiceData } from './records';
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
	const created = '2026-02-02T02:02:02.000Z';
	const project = make.project(makeId('other/project'), 'Foreign Project', 0);
	const flow = make.flow({
		id: makeId('other/flow'),
		index: 0,
		projectId: project.id,
		name: 'Foreign flow',
		externalId: 'ext-foreign-flow',
		enabled: true,
		created,
	});
	const account = make.connection({
		id: makeId('other/project connection'),
		index: 0,
		displayName: 'Foreign account',
		externalId: 'foreign-account',
		created,
		projectIds: [project.id],
		scope: 'PROJECT',
	});
	return {
		...emptyPlatform(make),
		projects: [project],
		folders: [make.folder(makeId('other/folder'), project.id, 'Foreign folder', created)],
		flows: [flow],
		flowRuns: [makeFlowRun({ id: makeId('other/run'), flow, created, status: 'FAILED' }, traits)],
		projectConnections: [account],
		variables: [
			make.variable({
				...{ id: makeId('other/variable'), name: 'FOREIGN' },
				...{ projectId: project.id, created },
			}),
		],
		connections: many(25, (index) =>
			make.connection({
				id: makeId('other/connection', index),
				index,
				displayName: `Burst ${index}`,
				externalId: `burst-${index}`,
				created: timestamp(created, index * 20),
				projectIds: [project.id],
				status: 'ACTIVE',
			}),
		),
	};
}

/** The default sizes of generated data. */
export const SIZES = {
	/** team projects, beside the personal one that everybody has; Enterprise only */
	projects: 3,
	/** in all, spread over the projects */
	flows: 30,
	foldersPerProject: 4,
	/** shared by the platform */
	connections: 25,
	connectionsPerProject: 2,
	/** from 0.85 on */
	variablesPerProject: 2,
	templates: 12,
	/** PLATFORM and PROJECT types, PENDING and ACCEPTED */
	invitations: 12,
	/** people with roles in the first project, in turn, beside the admin and the member; Enterprise only */
	members: 6,
	/** with four columns each */
	tablesPerProject: 2,
	recordsPerTable: 12,
	/** action steps of each flow, nested by nextAction */
	steps: 3,
	auditEvents: 5,
	/** runs of the published flows in turn, in every status */
	flowRuns: 0,
};

function sizedPlatform(traits: ReleaseTraits, sizes: DataSizes, edition: Edition): ServiceData {
	const isEnterprise = edition === 'enterprise';
	const make = new RecordMaker(traits, RecordMaker.admin('own', 'admin@example.test'));
	const data = emptyPlatform(make);
	const asked = { ...SIZES, ...sizes };
	const { foldersPerProject, connectionsPerProject } = asked;
	const variablesPerProject = traits.variables ? asked.variablesPerProject : 0;
	// Everybody on a platform has a project of their own.
	const [own, ...ofMembers] = data.users.map((user, i) => ({
		...make.project(makeId('personal', i), `${user.firstName}'s Project`, i, true),
		ownerId: user.id,
	}));
	// Community has no team projects up to 0.79, and one later.
	const teams = isEnterprise ? asked.projects : traits.communityTeamProjects ? 1 : 0;
	const ofTeams = many(teams, (i) =>
		make.project(makeId('project', i), PROJECT_NAMES[i] ?? `Project ${padded(i + 1)}`, i),
	);
	const used = isEnterprise ? ofTeams : [own, ...ofTeams];
	if (used.length > 0) used[0].externalId = 'customer-1';
	data.projects = [...used, ...(isEnterprise ? [own] : []), ...ofMembers];
	if (isEnterprise && used.length > 0) addMembers(data, used[0].id, make, asked.members);
	data.folders = used.flatMap(({ id }, p) =>
		many(foldersPerProject, (i) =>
			make.folder(
				makeId(`${id}/folder`, i),
				id,
				FOLDER_NAMES[i] ?? `Folder ${padded(i + 1)}`,
				timestamp('2026-01-05T08:00:00.691Z', (p * foldersPerProject + i) * 11_000),
			),
		),
	);
	const bodies = flowBodies(asked.steps, traits);
	if (used.length > 0) addFlows(data, used, make, { ...asked, bodies });
	data.flowRuns = makeFlowRuns(data, asked, traits);
	if (data.flows.length > 0 && isEnterprise) {
		const around = { project: used[0], flow: data.flows[0], user: data.admin };
		data.auditEvents = makeAuditEvents(asked.auditEvents, around);
	}
	addTables(data, [...new Set([...used.slice(0, 5), own])], asked, traits);
	data.connections = many(asked.connections, (index) =>
		make.connection({
			id: makeId('connection', index),
			index,
			displayName: `Connection ${padded(index)}`,
			externalId: `conn-${padded(index)}`,
			created: timestamp('2026-01-01T00:00:00.000Z', index * 7000),
			updated: timestamp('2026-01-02T00:00:00.000Z', index * 7000),
			projectIds: used.slice(0, index % 2 === 0 ? 2 : 1).map(({ id }) => id),
		}),
	);
	data.projectConnections = used.flatMap(({ id }, p) =>
		many(connectionsPerProject, (i) => {
			const index = p * connectionsPerProject + i;
			return make.connection({
				id: makeId(`${id}/connection`, i),
				index,
				displayName: `Account ${padded(index)}`,
				externalId: `account-${padded(i)}`,
				created: timestamp('2026-01-03T08:00:00.422Z', index * 7000),
				projectIds: [id],
				scope: 'PROJECT',
			});
		}),
	);
	data.variables = used.flatMap(({ id: projectId }, p) =>
		many(variablesPerProject, (i) => {
			const created = timestamp('2026-01-04T08:00:00.511Z', (p * variablesPerProject + i) * 7000);
			const name = `TOKEN_${padded(i)}`;
			return make.variable({ id: makeId(`${projectId}/variable`, i), name, projectId, created });
		}),
	);
	data.templates = many(asked.templates, (index) => {
		const created = timestamp('2026-01-06T08:00:00.930Z', index * 5000);
		return make.template(index, created, { body: bodies[index % bodies.length] });
	});
	data.invitations = many(asked.invitations, (index) => {
		const project = used[Math.floor(index / 2) % Math.max(used.length, 1)];
		return make.invitation({
			index,
			email: `invite${index}@example.test`,
			created: timestamp('2026-01-07T08:00:00.207Z', index * 5000),
			// Community's plan has no invitations to projects.
			projectId: index % 2 === 1 && isEnterprise ? project?.id : undefined,
			accepted: index % 4 >= 2,
		});
	});
	return data;
}

/** People without a project of their own. */
function addMembers(data: ServiceData, projectId: string, make: RecordMaker, count: number) {
	const people = many(count, (i) => ({
		...make.member(),
		...madeAt(makeId('person', i), timestamp('2026-01-01T10:00:00.291Z', i * 60_000)),
		email: `person${i}@example.test`,
		firstName: `Person ${padded(i)}`,
	}));
	data.users = [...data.users, ...people];
	data.members = people.map(({ id: userId, created }, i) =>
		make.projectMember({ userId, projectId, role: data.roles[i % data.roles.length], created }),
	);
}

/** Flow i belongs to project i mod projects; every seventh has no folder, a third is disabled. */
function addFlows(
	data: ServiceData,
	used: ProjectRecord[],
	make: RecordMaker,
	asked: typeof SIZES & { bodies: ReturnType<typeof flowBodies> },
): void {
	const { bodies, foldersPerProject } = asked;
	const projects = used.length;
	data.flows = many(asked.flows, (i) => {
		const inProject = Math.floor(i / projects);
		const hasFolder = i % 7 !== 6 && foldersPerProject > 0;
		const place = (i % projects) * foldersPerProject + (inProject % foldersPerProject);
		const flow = make.flow({
			id: makeId('flow', i),
			index: i,
			projectId: used[i % projects].id,
			folderId: hasFolder ? data.folders[place].id : null,
			name: `${FLOW_NAMES[i % FLOW_NAMES.length]} flow ${padded(i)}`,
			externalId: `ext-flow-${padded(i)}`,
			enabled: i % 3 !== 2,
			created: timestamp('2026-03-01T00:00:00.123Z', i * 67_000),
			body: bodies[i % bodies.length],
		});
		if (i % 9 === 4) addNewerDraft(data, flow, i);
		return flow;
	});
}

/** Gives a published flow a later draft: the list shows the draft unless LOCKED is requested. */
function addNewerDraft(data: ServiceData, flow: FlowRecord, index: number) {
	addVersion(data, flow, {
		...flow.version,
		id: makeId(`${flow.projectId}/draft`, index),
		state: 'DRAFT',
		displayName: `${flow.version.displayName} (edited)`,
	});
}
