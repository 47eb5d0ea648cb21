import { makeId, many, padded, timestamp } from './ids';
import { RecordMaker, type FlowSeed } from './make';
import { emptyPlatform, type ServiceData } from './records';
import type { ReleaseTraits } from './releases';

const FLOW_NAMES = ['Sync', 'Notify', 'Import', 'Export', 'Digest', 'Cleanup'];

/** Folders of the main project in order of creation; flow i is in folder i mod 5. */
const FOLDERS = ['Marketing', 'Billing', 'Ops – Überwachung', '日本語フォルダ', 'Sales'];

/**
 * The data set behind the recordings: 260 flows and 130 connections with the recorded names, times,
 * folders and states, so that counts, first and last rows and cursors come out as recorded. Ids differ.
 */
export function recordedPlatform(traits: ReleaseTraits): ServiceData {
	const make = new RecordMaker(traits, RecordMaker.admin('own', 'admin@example.test'));
	const data = emptyPlatform(make);
	const [main, second, empty, personal] = many(4, (i) => makeId('recorded/project', i));
	data.projects = [
		make.project(main, 'Main Project', 1),
		make.project(second, 'Second Project', 2),
		make.project(empty, 'Empty Project', 3),
		make.project(personal, "Ada's Project", 0, true),
	];
	data.folders = [...FOLDERS, 'Empty folder'].map((name, i) => {
		const created = timestamp('2026-11-21T00:28:25.000Z', i * 1000 + 691);
		return make.folder(makeId('recorded/folder', i), main, name, created);
	});
	data.folders.push(
		make.folder(makeId('recorded/folder2'), second, 'P2 folder', '2026-11-21T00:28:40.000Z'),
	);
	data.flows = many(260, (i) =>
		make.flow({
			id: makeId('recorded/flow', i),
			index: i,
			projectId: main,
			folderId: i % 7 === 6 ? null : data.folders[i % 5].id,
			name: `${FLOW_NAMES[i % 6]} flow ${padded(i)}`,
			externalId: `ext-flow-${padded(i)}`,
			enabled: i % 3 === 0,
			created: timestamp('2026-01-01T00:00:00.000Z', ((i * 131) % 261) * 61_000),
			updated: timestamp('2026-03-01T00:00:00.123Z', i * 67_000),
			connectionIds: i % 20 === 0 ? ['conn-001'] : [],
		}),
	);
	// The recorded rows had .123456 seconds, of which responses and cursors show .123.
	for (const { id } of data.flows) data.micros.set(id, 456);
	const users = data.flows.filter((flow) => flow.version.connectionIds.includes('conn-001'));
	const inSecond = many(12, (i) =>
		make.flow({
			id: makeId('recorded/flow2', i),
			index: i,
			projectId: second,
			name: `P2 flow ${i}`,
			externalId: `p2-flow-${i}`,
			created: timestamp('2026-11-21T00:28:30.500Z', i * 17),
		}),
	);
	data.flows.push(...inSecond);
	data.connections = many(130, (index) =>
		make.connection({
			id: makeId('recorded/connection', index),
			index,
			displayName: `Connection ${padded(index)}`,
			externalId: `conn-${padded(index)}`,
			created: timestamp('2026-01-01T00:00:00.123Z', index * 7000),
			updated: timestamp('2026-01-02T00:00:00.000Z', index * 7000),
			projectIds: index % 2 === 0 ? [main, second] : [main],
			flowIds: index === 1 ? users.map((flow) => flow.id) : [],
		}),
	);
	data.templates = templates(make, traits, personal);
	// 25 platform invitations, then 15 of the main project that were accepted at once.
	data.invitations = many(40, (index) =>
		make.invitation({
			index,
			email: `${index < 25 ? '' : 'p'}invite${index}@example.test`,
			created: timestamp('2026-11-21T00:28:33.207Z', index * 31),
			projectId: index < 25 ? undefined : main,
			accepted: index >= 25,
		}),
	);
	if (traits.queueMetricsPath !== '/v1/queue-metrics') {
		for (const state of Object.keys(data.queue)) data.queue[state as 'active'] = 0;
	}
	return data;
}

/** Templates were created in parallel: neighbors in the other order, by release. */
function templates(make: RecordMaker, traits: ReleaseTraits, personal: string) {
	const isOld = traits.templatesPath === '/v1/flow-templates';
	const order = many(45, (i) => i);
	for (const i of traits.version === '0.86.0' ? [0, 43] : isOld ? [0] : []) {
		[order[i], order[i + 1]] = [order[i + 1], order[i]];
	}
	const list = order.map((index, i) =>
		make.template(index, timestamp('2026-11-21T00:28:32.930Z', i * 5)),
	);
	const last = isOld
		? ({ type: 'PROJECT', projectId: personal } as const)
		: ({ type: 'SHARED' } as const);
	return [...list, make.template(99, '2026-11-21T00:28:40.000Z', last)];
}

const COMMUNITY_FOLDERS = ['Rechnungen & Mahnungen', 'Überwachung', 'Marketing (größere Läufe)'];
const COMMUNITY_FLOWS = [
	'Rechnung prüfen',
	'Sync contacts',
	'Export to sheet',
	'Notify',
	'Cleanup',
];
const INVITED = ['jurgen', 'anna', 'bjorn', 'fourth', 'dorte', 'last'];

/**
 * The data set behind the recordings of the Community edition: two people with a project each, 30 flows,
 * three folders, six invitations and, where the edition allows it, one team project. Ids differ.
 */
export function recordedCommunity(traits: ReleaseTraits): ServiceData {
	const { communityTeamProjects, templatesPath } = traits;
	const make = new RecordMaker(traits, {
		...RecordMaker.admin('community', 'kaethe@example.test'),
		firstName: 'Käthe',
		lastName: 'Müller-Lüdenscheidt',
	});
	const zoe = {
		...make.member(),
		email: 'zweite@example.test',
		firstName: 'Zoë',
		lastName: 'Zweite',
	};
	const data = { ...emptyPlatform(make), users: [make.admin, zoe] };
	const [own, ofZoe, team] = many(3, (i) => makeId('community/project', i));
	const name = communityTeamProjects ? "Käthes Plattform's Project" : "Käthe's Project";
	data.projects = [
		make.project(own, name, 0, true),
		{ ...make.project(ofZoe, "Zoë's Project", 1, true), ownerId: zoe.id },
	];
	const folder = (projectId: string, displayName: string, index = 0) => {
		const created = timestamp('2026-11-21T12:04:22.003Z', index * 25);
		return make.folder(makeId(`${projectId}/folder`, index), projectId, displayName, created);
	};
	const flow = (seed: Pick<FlowSeed, 'projectId' | 'name' | 'ownerId' | 'folderId'>, index = 0) =>
		make.flow({
			...seed,
			id: makeId(`${seed.projectId}/flow`, index),
			index,
			externalId: makeId(`${seed.projectId}/external`, index),
			created: timestamp('2026-11-21T12:08:33.900Z', index * 121),
		});
	data.folders = [
		...COMMUNITY_FOLDERS.map((displayName, i) => folder(own, displayName, i)),
		folder(ofZoe, 'Zoës Ordner'),
	];
	data.flows = many(30, (i) =>
		make.flow({
			id: makeId('community/flow', i),
			index: i,
			projectId: own,
			folderId: i % 4 === 3 ? null : data.folders[i % 4].id,
			name: `${COMMUNITY_FLOWS[i % COMMUNITY_FLOWS.length]} ${padded(i + 1, 2)}`,
			externalId: makeId('community/external', i),
			enabled: i % 3 === 0,
			created: timestamp('2026-05-01T08:00:00.000Z', i * 3_600_000),
			updated: timestamp('2026-06-01T08:00:00.123Z', i * 3_660_000),
			ownerId: make.admin.id,
		}),
	);
	data.flows.push(flow({ projectId: ofZoe, name: 'Zoës Flow', ownerId: zoe.id }));
	if (communityTeamProjects) {
		data.projects.push(make.project(team, 'Zweites Projekt', 2));
		const inTeam = folder(team, 'Ordner im zweiten Projekt');
		data.folders.push(inTeam);
		const place = { projectId: team, folderId: inTeam.id, ownerId: make.admin.id };
		for (const [i, name] of ['Zweites: Prüfung', 'Zweites: Übersicht'].entries()) {
			data.flows.push(flow({ ...place, name }, i));
		}
	}
	data.invitations = INVITED.map((person, index) =>
		make.invitation({
			index,
			email: `${person}@example.test`,
			created: timestamp('2026-11-20T09:07:00.250Z', index * 7 * 60_000),
		}),
	);
	if (templatesPath === '/v1/templates') {
		const created = '2026-11-21T12:23:22.325Z';
		const shared = make.template(1, created, { type: 'SHARED' });
		data.templates = [make.template(0, created), { ...shared, platformId: null }];
	}
	return data;
}
