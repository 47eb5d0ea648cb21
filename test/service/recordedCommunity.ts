import { makeId, many, padded, timestamp } from './ids';
import { RecordMaker } from './make';
import { emptyPlatform } from './platform';
import type { ServiceData } from './records';
import type { ReleaseTraits } from './releases';

const FOLDERS = ['Rechnungen & Mahnungen', 'Überwachung', 'Marketing (größere Läufe)'];
const FLOW_NAMES = ['Rechnung prüfen', 'Sync contacts', 'Export to sheet', 'Notify', 'Cleanup'];
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
	const flow = (
		projectId: string,
		name: string,
		ownerId: string,
		folderId: string | null,
		index = 0,
	) =>
		make.flow({
			id: makeId(`${projectId}/flow`, index),
			index,
			projectId,
			folderId,
			name,
			externalId: makeId(`${projectId}/external`, index),
			created: timestamp('2026-11-21T12:08:33.900Z', index * 121),
			ownerId,
		});
	data.folders = [
		...FOLDERS.map((displayName, i) => folder(own, displayName, i)),
		folder(ofZoe, 'Zoës Ordner'),
	];
	data.flows = many(30, (i) =>
		make.flow({
			id: makeId('community/flow', i),
			index: i,
			projectId: own,
			folderId: i % 4 === 3 ? null : data.folders[i % 4].id,
			name: `${FLOW_NAMES[i % FLOW_NAMES.length]} ${padded(i + 1, 2)}`,
			externalId: makeId('community/external', i),
			enabled: i % 3 === 0,
			created: timestamp('2026-05-01T08:00:00.000Z', i * 3_600_000),
			updated: timestamp('2026-06-01T08:00:00.123Z', i * 3_660_000),
			ownerId: make.admin.id,
		}),
	);
	data.flows.push(flow(ofZoe, 'Zoës Flow', zoe.id, null));
	if (communityTeamProjects) {
		data.projects.push(make.project(team, 'Zweites Projekt', 2));
		const inTeam = folder(team, 'Ordner im zweiten Projekt');
		data.folders.push(inTeam);
		for (const [i, flowName] of ['Zweites: Prüfung', 'Zweites: Übersicht'].entries()) {
			data.flows.push(flow(team, flowName, make.admin.id, inTeam.id, i));
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
