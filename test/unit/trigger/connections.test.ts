import { limits } from '../../../nodes/Activepieces/transport/limits';
import { DAY, HOUR, service, useFakes, watch } from './useFakes';

useFakes();

const EVENT = 'connectionNeedsAttention';

/** Makes a connection break later than everything before. */
function addBroken(projectId?: string): string {
	service.pass();
	return service.addConnection({ projectId }).id;
}

function change(id: string, status: 'ACTIVE' | 'ERROR'): void {
	service.pass();
	const connection = service.connections.find((each) => each.id === id);
	Object.assign(connection ?? {}, { status, updated: service.time });
}

/** Makes the list of global connections respond with a status, optionally as a missing route. */
function refuseGlobal(status: number, message = 'Refused'): void {
	const body = JSON.stringify({ statusCode: status, code: 'X', params: {}, message });
	const refusal = { statusCode: status, headers: { 'content-length': '1' }, body };
	service.answers.set(undefined, ({ url }) =>
		url === '/v1/global-connections' ? refusal : undefined,
	);
}

const NO_GLOBAL: Array<[string, number, string?]> = [
	['the edition', 404, 'Route not found'],
	['the plan', 402],
	['the user', 403],
];

test.each(['all', 'global', 'project'])(
	'of one project its own and the global ones that it may use: %s',
	async (scope) => {
		const n8n = await watch(EVENT, { scope, projectId: 'project-b' });
		const [other, own] = [addBroken('project-a'), addBroken('project-b')];
		const shared = addBroken();
		service.addConnection({ projectIds: ['project-a'] });
		expect(await n8n.idsAfterPoll()).not.toContain(other);
		const expected = { all: [own, shared], global: [shared], project: [own] }[scope];
		expect(n8n.ids).toEqual(expected);
	},
);

test('a global connection that a release lists with a project is returned once, as the global one', async () => {
	const n8n = await watch(EVENT);
	service.pass();
	const { id } = service.addConnection();
	service.answers.set('project-a', () => ({
		statusCode: 200,
		headers: { 'content-length': '1' },
		body: JSON.stringify({ data: service.connections, next: null }),
	}));
	const [item] = await n8n.poll();
	expect(await n8n.idsAfterPoll()).toEqual([id]);
	expect(item).toHaveProperty('flowCount');
});

test('unknown fields of a connection are not returned', async () => {
	const n8n = await watch(EVENT, { simplify: false });
	for (const projectId of [undefined, 'project-a']) {
		addBroken(projectId);
		const more = { value: { secret_text: 'hidden' }, pieceName: 'slack' };
		Object.assign(service.connections.at(-1) ?? {}, more);
	}
	await n8n.poll();
	expect(n8n.given).toHaveLength(2);
	for (const item of n8n.given) expect(item).toHaveProperty('pieceName', 'slack');
	expect(JSON.stringify([n8n.given, n8n.stored])).not.toContain('hidden');
});

describe.each(NO_GLOBAL)('without global connections, because of %s', (_who, status, message) => {
	test('Global Connections is an error at once', async () => {
		const n8n = await watch(EVENT, { scope: 'global' });
		refuseGlobal(status, message);
		await n8n.poll();
		expect(n8n.errors).toHaveLength(1);
	});

	test('those that come with a plan are no events, unless they break', async () => {
		refuseGlobal(status, message);
		const n8n = await watch(EVENT);
		addBroken();
		service.pass(DAY);
		await n8n.poll();
		service.answers.clear();
		await n8n.poll();
		expect(n8n.given).toEqual([]);
		const id = addBroken();
		await n8n.poll();
		expect(await n8n.idsAfterRestart()).toEqual([id]);
	});

	test('All Connections repeats nothing when the plan returns, and returns what breaks then', async () => {
		const n8n = await watch(EVENT);
		const before = addBroken();
		await n8n.poll();
		refuseGlobal(status, message);
		const given = addBroken('project-a');
		await n8n.poll();
		addBroken();
		service.pass(DAY);
		await n8n.poll();
		service.answers.clear();
		await n8n.poll();
		expect(n8n.ids).toEqual([before, given]);
		const id = addBroken();
		expect(await n8n.idsAfterPoll()).toEqual([before, given, id]);
		expect([...n8n.errors, ...n8n.warnings]).toEqual([]);
	});
});

describe('a list that cannot be read', () => {
	test('of global connections does not silence the projects, and is told', async () => {
		const n8n = await watch(EVENT);
		refuseGlobal(500);
		const made: string[] = [];
		await n8n.polls(4, () => made.push(addBroken('project-a')));
		const missed = addBroken();
		expect(n8n.ids).toEqual(made);
		expect(n8n.warnings).toHaveLength(limits.triggerToleratedFailures);
		expect(n8n.warnings[0]).toMatch(
			/Global connections cannot be read: .+\. The trigger still reads the projects /,
		);
		expect(n8n.errors).toHaveLength(2);
		expect(n8n.errors[0].message).toMatch(/^Global connections cannot be read: /);
		service.answers.clear();
		expect(await n8n.idsAfterPoll()).toEqual([...made, missed]);
	});

	test('of every project does not silence the global connections', async () => {
		const n8n = await watch(EVENT);
		for (const id of service.projects) service.refused.set(id, 403);
		const [missed, id] = [addBroken('project-a'), addBroken()];
		expect(await n8n.idsAfterPoll()).toEqual([id]);
		expect(n8n.warnings[0]).toContain('"project-b"');
		service.refused.clear();
		expect(await n8n.idsAfterPoll()).toEqual([id, missed]);
	});

	test('is a poll that gives nothing when there is no other', async () => {
		const n8n = await watch(EVENT);
		for (const id of service.projects) service.refused.set(id, 403);
		refuseGlobal(500);
		await n8n.poll();
		expect([...n8n.errors, ...n8n.warnings]).toHaveLength(1);
		expect(n8n.warnings.join()).not.toContain('The trigger reads');
	});

	test('leaves what is broken known, whatever happens meanwhile', async () => {
		const n8n = await watch(EVENT);
		const [stays, works, again] = [1, 2, 3].map(() => addBroken('project-b'));
		await n8n.poll();
		service.refused.set('project-b', 403);
		await n8n.polls(5, () => service.pass(HOUR));
		change(works, 'ACTIVE');
		change(again, 'ACTIVE');
		change(again, 'ERROR');
		await n8n.poll();
		service.refused.clear();
		await n8n.poll();
		// A connection that is repaired and breaks again between two polls is not noticed.
		expect(n8n.ids).toEqual([stays, works, again]);
		change(works, 'ERROR');
		expect(await n8n.idsAfterPoll()).toEqual([stays, works, again, works]);
	});
});

test('beyond Max Items per Poll nothing of a project that was made since is lost', async () => {
	const n8n = await watch(EVENT, { 'options.maxItems': 2 });
	service.pass(DAY);
	await n8n.poll();
	service.projects.push('project-c');
	const made = Array.from({ length: 7 }, () => addBroken('project-c'));
	await n8n.pollToEnd();
	expect(await n8n.idsAfterRestart()).toEqual(made);
});

test('a connection of a project that was made since is given although nothing dates its break', async () => {
	const n8n = await watch(EVENT);
	const { id } = service.addConnection({ projectId: 'project-c', status: 'ACTIVE' });
	service.pass(DAY);
	await n8n.poll();
	service.projects.push('project-c');
	await n8n.poll();
	service.pass();
	for (const connection of service.connections) connection.status = 'MISSING';
	expect(await n8n.idsAfterPoll()).toEqual([id]);
});

describe.each([1000, 2])('beyond the limit of the state, with %d items per poll,', (maxItems) => {
	test('a project that cannot be read loses nothing', async () => {
		limits.triggerMaxValues = 5;
		const n8n = await watch(EVENT, { 'options.maxItems': maxItems });
		service.refused.set('project-b', 403);
		await n8n.poll();
		const missed = Array.from({ length: 5 }, () => addBroken('project-b'));
		const made = Array.from({ length: 12 }, () => addBroken());
		await n8n.polls(7);
		expect(n8n.ids).toEqual(made);
		n8n.errors = [];
		service.refused.clear();
		await n8n.pollToEnd();
		expect(n8n.ids).toEqual([...made, ...missed]);
		expect(n8n.errors).toEqual([]);
	});
});
