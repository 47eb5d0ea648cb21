import { makeId, many, padded, timestamp } from './ids';
import { RecordMaker } from './make';
import { emptyPlatform } from './platform';
import type { ServiceData } from './records';
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
