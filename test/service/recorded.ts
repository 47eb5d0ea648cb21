import { makeId, padded, timestamp } from './ids';
import { RecordMaker } from './make';
import { emptyPlatform } from './platform';
import type { FlowRecord, ServiceData } from './records';
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
	const main = makeId('recorded/project', 0);
	const second = makeId('recorded/project', 1);
	const personal = makeId('recorded/project', 3);
	data.projects = [
		make.project(main, 'Main Project', 1),
		make.project(second, 'Second Project', 2),
		make.project(makeId('recorded/project', 2), 'Empty Project', 3),
		make.project(personal, "Ada's Project", 0, true),
	];
	data.folders = [...FOLDERS, 'Empty folder'].map((name, i) =>
		make.folder(
			makeId('recorded/folder', i),
			main,
			name,
			timestamp('2026-11-21T00:28:25.000Z', i * 1000 + 691),
		),
	);
	data.folders.push(
		make.folder(makeId('recorded/folder2'), second, 'P2 folder', '2026-11-21T00:28:40.000Z'),
	);
	data.flows = [...mainFlows(data, make, main), ...secondFlows(make, second)];
	addConnections(data, make, main, second);
	data.templates = templates(make, traits, personal);
	data.invitations = invitations(make, main);
	if (traits.queueMetricsPath !== '/v1/queue-metrics') {
		for (const state of Object.keys(data.queue) as Array<keyof typeof data.queue>) {
			data.queue[state] = 0;
		}
	}
	return data;
}

function mainFlows(data: ServiceData, make: RecordMaker, projectId: string): FlowRecord[] {
	return Array.from({ length: 260 }, (_, i) => {
		const id = makeId('recorded/flow', i);
		// The recorded rows had .123456 seconds, of which responses and cursors show .123.
		data.micros.set(id, 456);
		return make.flow({
			id,
			index: i,
			projectId,
			folderId: i % 7 === 6 ? null : data.folders[i % 5].id,
			name: `${FLOW_NAMES[i % 6]} flow ${padded(i)}`,
			externalId: `ext-flow-${padded(i)}`,
			enabled: i % 3 === 0,
			created: timestamp('2026-01-01T00:00:00.000Z', ((i * 131) % 261) * 61_000),
			updated: timestamp('2026-03-01T00:00:00.123Z', i * 67_000),
			connectionIds: i % 20 === 0 ? ['conn-001'] : [],
		});
	});
}

function secondFlows(make: RecordMaker, projectId: string): FlowRecord[] {
	return Array.from({ length: 12 }, (_, i) =>
		make.flow({
			id: makeId('recorded/flow2', i),
			index: i,
			projectId,
			folderId: null,
			name: `P2 flow ${i}`,
			externalId: `p2-flow-${i}`,
			enabled: false,
			created: timestamp('2026-11-21T00:28:30.500Z', i * 17),
			updated: timestamp('2026-11-21T00:28:30.500Z', i * 17),
		}),
	);
}

function addConnections(data: ServiceData, make: RecordMaker, main: string, second: string) {
	const users = data.flows.filter((flow) => flow.version.connectionIds.includes('conn-001'));
	data.connections = Array.from({ length: 130 }, (_, index) =>
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
}

/** Templates were created in parallel: neighbors in the other order, by release. */
function templateOrder({ version, templatesPath }: ReleaseTraits): number[] {
	const order = Array.from({ length: 45 }, (_, i) => i);
	const swapped = version === '0.86.0' ? [0, 43] : templatesPath === '/v1/templates' ? [] : [0];
	for (const i of swapped) [order[i], order[i + 1]] = [order[i + 1], order[i]];
	return order;
}

function templates(make: RecordMaker, traits: ReleaseTraits, personal: string) {
	const old = traits.templatesPath === '/v1/flow-templates';
	const list = templateOrder(traits).map((index, i) =>
		make.template(index, timestamp('2026-11-21T00:28:32.930Z', i * 5)),
	);
	const last = '2026-11-21T00:28:40.000Z';
	list.push(
		make.template(99, last, old ? { type: 'PROJECT', projectId: personal } : { type: 'SHARED' }),
	);
	return list;
}

/** 25 platform invitations, then 15 of the main project that were accepted at once. */
function invitations(make: RecordMaker, projectId: string) {
	return Array.from({ length: 40 }, (_, index) =>
		make.invitation({
			index,
			email: index < 25 ? `invite${index}@example.test` : `pinvite${index}@example.test`,
			created: timestamp('2026-11-21T00:28:33.207Z', index * 31),
			projectId: index < 25 ? undefined : projectId,
			accepted: index >= 25,
		}),
	);
}
