import type { IDataObject } from 'n8n-workflow';

import { FakeN8n } from './fakeN8n';
import { service, useFakes, watch } from './useFakes';

useFakes();

const addUser = () => {
	service.pass();
	return service.addUser();
};

/** Makes the service change the date of its first connection. */
const touch = () => {
	service.pass();
	service.connections[0].updated = service.time;
};

/** Starts to watch users, with parameters that a test may change. */
async function watchUsers(isDurable = false) {
	const parameters: IDataObject = { event: 'userJoined' };
	const n8n = new FakeN8n(service, parameters, isDurable);
	await n8n.activate('activate');
	return { n8n, parameters };
}

test('a connection that broke again is reported, although n8n dropped the result of the poll in between', async () => {
	const { id } = service.addConnection();
	const n8n = await watch('connectionNeedsAttention');
	const [connection] = service.connections;
	connection.status = 'ACTIVE';
	const another = service.addConnection().id;
	await n8n.publishDuringPoll(() => {
		service.pass();
		Object.assign(connection, { status: 'ERROR', updated: service.time });
	});
	expect(n8n.ids.sort()).toEqual([id, another].sort());
});

test('a change that is published continues from the last poll, not from what n8n has stored', async () => {
	service.addConnection();
	const n8n = await watch('connectionNeedsAttention');
	touch();
	await n8n.poll();
	await n8n.activate('update');
	expect(n8n.given).toEqual([]);
	await n8n.restart();
	expect(n8n.given).toHaveLength(0);
});

test('an older state that n8n has restored may repeat events, and loses none', async () => {
	const first = service.addConnection();
	const n8n = await watch('connectionNeedsAttention');
	const { stored } = n8n;
	const { id } = service.addConnection();
	await n8n.poll();
	await n8n.poll();
	service.pass();
	first.updated = service.time;
	n8n.stored = stored;
	await n8n.activate('update');
	expect(n8n.ids).toEqual([id, id, first.id]);
});

test('a process that leads again uses what n8n has stored, because another one polled in between', async () => {
	const { id } = service.addConnection();
	const n8n = await watch('connectionNeedsAttention');
	await n8n.poll();
	// The other process has seen it repaired.
	touch();
	await n8n.activate('leadershipChange');
	expect(n8n.ids).toEqual([id]);
});

test('a renamed node starts watching again, and may repeat events when it is renamed back', async () => {
	const n8n = await watch('userJoined');
	const first = addUser();
	await n8n.poll();
	addUser();
	n8n.name = 'Renamed';
	await n8n.activate('update');
	const second = addUser();
	expect(await n8n.idsAfterPoll()).toEqual([first, second]);

	n8n.name = 'Trigger';
	await n8n.activate('update');
	const third = addUser();
	await n8n.poll();
	expect(n8n.given).toHaveLength(5);
	expect(new Set(n8n.ids).size).toBe(4);
	expect(n8n.ids).toContain(third);
});

test('another event and back again restarts watching', async () => {
	const { n8n, parameters } = await watchUsers(true);
	const first = addUser();
	await n8n.poll();
	parameters.event = 'flowCreated';
	await n8n.poll();
	addUser();
	parameters.event = 'userJoined';
	await n8n.poll();
	const second = addUser();
	expect(await n8n.idsAfterPoll()).toEqual([first, second]);
});

test('another event that is never polled, and back again, continues', async () => {
	const { n8n, parameters } = await watchUsers();
	service.isDown = true;
	parameters.event = 'flowCreated';
	await n8n.activate('update');
	service.isDown = false;
	const id = addUser();
	parameters.event = 'userJoined';
	await n8n.activate('update');
	expect(n8n.ids).toEqual([id]);
});

test('another credential restarts watching, and a new key in the same one continues', async () => {
	const n8n = await watch('userJoined');
	n8n.apiKey = 'sk-rotated';
	const first = addUser();
	await n8n.activate('update');
	expect(n8n.ids).toEqual([first]);
	addUser();
	n8n.credentialId = 'another';
	await n8n.activate('update');
	const second = addUser();
	expect(await n8n.idsAfterPoll()).toEqual([first, second]);
});

test('a poll that ends after another event was published does not undo its start', async () => {
	const { n8n, parameters } = await watchUsers();
	const end = await n8n.beginPoll();
	parameters.event = 'connectionNeedsAttention';
	await n8n.activate('update');
	await end();
	const id = service.addConnection().id;
	expect(await n8n.idsAfterPoll()).toEqual([id]);
});

test('a change may be published during an outage, however often', async () => {
	const n8n = await watch('userJoined');
	await n8n.poll();
	service.isDown = true;
	for (let change = 0; change < 3; change++) {
		await n8n.activate('update');
		await n8n.poll();
	}
	// The polls in between count.
	expect(n8n.errors).toEqual([]);
});

test('two nodes with the same ID in a workflow do not share their state', async () => {
	const both = [10, 1000].map((threshold) => {
		const n8n = new FakeN8n(service, { event: 'queueBacklog', metric: 'waiting', threshold });
		n8n.name = `Above ${threshold}`;
		return n8n;
	});
	for (const n8n of both) await n8n.activate('activate');
	service.waiting = 50;
	for (let count = 0; count < 5; count++) for (const n8n of both) await n8n.poll();
	expect(both.map(({ given }) => given.length)).toEqual([1, 0]);
	service.isDown = true;
	for (let count = 0; count < 3; count++) for (const n8n of both) await n8n.poll();
	expect(both.map(({ errors }) => errors.length)).toEqual([1, 1]);
});
