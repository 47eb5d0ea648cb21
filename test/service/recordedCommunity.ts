import { makeId, padded, timestamp } from './ids';
import { RecordMaker } from './make';
import { emptyPlatform } from './platform';
import type { FlowRecord, ServiceData, UserRecord } from './records';
import type { ReleaseTraits } from './releases';

const FOLDERS = ['Rechnungen & Mahnungen', 'Überwachung', 'Marketing (größere Läufe)'];
const FLOW_NAMES = ['Rechnung prüfen', 'Sync contacts', 'Export to sheet', 'Notify', 'Cleanup'];
const INVITED = ['jurgen', 'anna', 'bjorn', 'fourth', 'dorte', 'last'];

const admin = (): UserRecord => ({
	...RecordMaker.admin('community', 'kaethe@example.test'),
	firstName: 'Käthe',
	lastName: 'Müller-Lüdenscheidt',
});

const member = (make: RecordMaker): UserRecord => ({
	...make.member(),
	email: 'zweite@example.test',
	firstName: 'Zoë',
	lastName: 'Zweite',
});

/**
 * The data set behind the recordings of the Community edition: two people with a project each, 30 flows,
 * three folders, six invitations and, where the edition allows it, one team project. Ids differ.
 */
export function recordedCommunity(traits: ReleaseTraits): ServiceData {
	const make = new RecordMaker(traits, admin());
	const second = member(make);
	const data = { ...emptyPlatform(make), users: [make.admin, second] };
	const own = makeId('community/project', 0);
	const ofSecond = makeId('community/project', 1);
	const team = makeId('community/project', 2);
	const name = traits.communityTeamProjects ? "Käthes Plattform's Project" : "Käthe's Project";
	data.projects = [
		make.project(own, name, 0, true),
		{ ...make.project(ofSecond, "Zoë's Project", 1, true), ownerId: second.id },
	];
	const folder = (projectId: string, displayName: string, index: number) =>
		make.folder(
			makeId(`${projectId}/folder`, index),
			projectId,
			displayName,
			timestamp('2026-11-21T12:04:22.003Z', index * 25),
		);
	data.folders = [
		...FOLDERS.map((displayName, i) => folder(own, displayName, i)),
		folder(ofSecond, 'Zoës Ordner', 0),
	];
	data.flows = [
		...ownFlows(data, make, own),
		oneFlow(make, ofSecond, 'Zoës Flow', 0, null, second.id),
	];
	if (traits.communityTeamProjects) {
		data.projects.push(make.project(team, 'Zweites Projekt', 2));
		const inTeam = folder(team, 'Ordner im zweiten Projekt', 0);
		data.folders.push(inTeam);
		for (const [i, flowName] of ['Zweites: Prüfung', 'Zweites: Übersicht'].entries()) {
			data.flows.push(oneFlow(make, team, flowName, i, inTeam.id, make.admin.id));
		}
	}
	data.invitations = INVITED.map((person, index) =>
		make.invitation({
			index,
			email: `${person}@example.test`,
			created: timestamp('2026-11-20T09:07:00.250Z', index * 7 * 60_000),
		}),
	);
	if (traits.templatesPath === '/v1/templates') {
		const created = '2026-11-21T12:23:22.325Z';
		data.templates = [
			make.template(0, created),
			{ ...make.template(1, created, { type: 'SHARED' }), platformId: null },
		];
	}
	return data;
}

function ownFlows(data: ServiceData, make: RecordMaker, projectId: string): FlowRecord[] {
	return Array.from({ length: 30 }, (_, i) =>
		make.flow({
			id: makeId('community/flow', i),
			index: i,
			projectId,
			folderId: i % 4 === 3 ? null : data.folders[i % 4].id,
			name: `${FLOW_NAMES[i % FLOW_NAMES.length]} ${padded(i + 1, 2)}`,
			externalId: makeId('community/external', i),
			enabled: i % 3 === 0,
			created: timestamp('2026-05-01T08:00:00.000Z', i * 3_600_000),
			updated: timestamp('2026-06-01T08:00:00.123Z', i * 3_660_000),
			ownerId: make.admin.id,
		}),
	);
}

function oneFlow(
	make: RecordMaker,
	projectId: string,
	name: string,
	index: number,
	folderId: string | null,
	ownerId: string,
): FlowRecord {
	const at = timestamp('2026-11-21T12:08:33.900Z', index * 121);
	return make.flow({
		id: makeId(`${projectId}/flow`, index),
		index,
		projectId,
		folderId,
		name,
		externalId: makeId(`${projectId}/external`, index),
		enabled: false,
		created: at,
		updated: at,
		ownerId,
	});
}
