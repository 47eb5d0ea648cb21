import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { skipWaits } from './harness/built';
import { byId, byName, sortedIds } from './harness/byId';
import { ofRecord, parametersOf, RETRY_ON_FAIL } from './harness/parameters';
import { changesSent, endSilences, requestPaths, useService } from './harness/service';

const TELEGRAM = '@activepieces/piece-telegram-bot';
const SECRET = 'only the service knows';
/** A message that begins like this */
const begins = (text: string) => new RegExp(`^${text.replace(/[()[\]"]/g, '\\$&')}`);

describe('Connection > Create or Update', () => {
	const context = useService({ data: { projects: 2, connectionsPerProject: 3 } });
	const { record, failsWith, refuses } = context;
	beforeAll(skipWaits);
	endSilences(context);
	afterEach(() => (context.service.worker.state = 'running'));

	const upsert = (externalId: string, more: INodeParameters = {}) =>
		parametersOf('connection.upsert', {
			...{ projectId: byId(context.data.projects[0].id), externalId, displayName: 'CRM' },
			...{ pieceName: byName(TELEGRAM), connectionType: 'SECRET_TEXT', secretText: SECRET },
			...more,
		});
	const rows = (externalId: string) =>
		context.data.projectConnections.filter((row) => row.externalId === externalId);
	const bodies = () => changesSent(context).map(([, body]) => body);
	const basic = (username: string, password: string): INodeParameters => {
		return { connectionType: 'BASIC_AUTH', username, password };
	};
	const custom = (...pairs: Array<[name: string, value: unknown]>) => ({
		connectionType: 'CUSTOM_AUTH',
		properties: { values: pairs.map(([name, value]) => ({ name, value: value as string })) },
	});

	test.each<[string, INodeParameters, object]>([
		['SECRET_TEXT', {}, { secret_text: SECRET }],
		['BASIC_AUTH', basic('me', SECRET), { username: 'me', password: SECRET }],
		['BASIC_AUTH', basic('me', ''), { username: 'me', password: '' }],
		['CUSTOM_AUTH', custom([' key ', SECRET], ['port', 25]), { props: { key: SECRET, port: 25 } }],
		['NO_AUTH', {}, {}],
	])('sends a value of type %s, and no field of another type', async (type, more, value) => {
		const options = { metadata: '{"plan":"pro"}', pieceVersion: '0.2.0' };
		const made = await record(upsert(`of ${type}`, { connectionType: type, options, ...more }));
		expect(made).toMatchObject({
			...{ name: 'CRM', pieceName: TELEGRAM, externalId: `of ${type}` },
			...{ flowIds: null, ownerEmail: null },
		});
		expect(bodies()).toEqual([
			expect.objectContaining({ type, value: { type, ...value }, metadata: { plan: 'pro' } }),
		]);
	});

	test('fills in a connection that has no secret yet, whatever its type', async () => {
		const { id } = await record(upsert('empty', { connectionType: 'NO_AUTH' }));
		Object.assign(rows('empty')[0], { status: 'MISSING' });
		expect(await record(upsert('empty'))).toMatchObject({ id });
		expect(rows('empty')).toMatchObject([{ id, type: 'SECRET_TEXT' }]);
		Object.assign(rows('empty')[0], { status: 'MISSING' });
		const other = upsert('empty', { pieceName: byName('@activepieces/piece-http') });
		await failsWith(other, /is for another piece/, 'Nothing was changed');
	});

	test('overwrites the same connection, and one of another piece or type only with the option for it', async () => {
		const { id } = await record(upsert('crm'));
		expect((await record(upsert('crm', { displayName: 'New' }))).id).toBe(id);
		const http = { pieceName: byName('@activepieces/piece-http') };
		context.clearRequests();
		for (const other of [http, { connectionType: 'NO_AUTH' }]) {
			const refusal = `The connection "New" (${String(id)}) with this external ID is for another piece`;
			const advice = [TELEGRAM, 'Nothing was changed', 'Replace Any Connection'];
			await failsWith(upsert('crm', other), begins(refusal), advice);
		}
		expect(changesSent(context)).toEqual([]);
		const replaced = { connectionType: 'NO_AUTH', options: { replaceOther: true } };
		expect((await record(upsert('crm', replaced))).id).toBe(id);
		expect(rows('crm')).toMatchObject([{ type: 'NO_AUTH' }]);
		// That of another project, and a global one, are others.
		const [global] = context.data.connections;
		const projectId = byId(context.data.projects[1].id);
		expect((await record(upsert('crm', { projectId }))).id).not.toBe(id);
		expect((await record(upsert(global.externalId))).id).not.toBe(global.id);
	});

	test('tells a global connection with the same external ID in the project, and stores its own', async () => {
		const [global] = context.data.connections;
		const [here, elsewhere] = context.data.projects;
		global.projectIds = [here.id];
		const { items, hints } = await context.run(upsert(global.externalId));
		expect(items[0].json.id).not.toBe(global.id);
		const told = `the global connection "${global.displayName}" (${global.id}) with this external ID`;
		expect(hints).toEqual([expect.stringContaining(told)]);
		const other = upsert(global.externalId, { projectId: byId(elsewhere.id) });
		expect((await context.run(other)).hints).toEqual([]);
	});

	test('makes one connection of many items with one external ID, and refuses where there are several', async () => {
		const items = Array.from({ length: 5 }, (_, index) => ({ index }));
		const many = upsert('many', { displayName: '=No {{ $json.index }}' });
		const given = await context.records(many, items);
		expect(new Set(given.map(({ id }) => id)).size).toBe(1);
		const [{ projectIds }] = rows('many');
		context.live.addConnection({ projectId: projectIds[0], externalId: 'many' });
		const several = '2 connections have the external ID "many"';
		await failsWith(upsert('many'), several, 'Delete the others');
	});

	const DIGITS = 'has more digits than a number keeps';
	test.each<[INodeParameters, string]>([
		[{ externalId: ' ' }, 'External ID is empty'],
		[{ displayName: "={{ '' }}" }, 'Name is empty'],
		[{ pieceName: byName("={{ '' }}") }, 'Piece is empty'],
		[{ secretText: '={{ undefined }}' }, 'Secret Text is empty'],
		[{ secretText: `={{ { key: '${SECRET}' } }}` }, 'Secret Text must be text'],
		[{ secretText: '={{ 12345678901234567890 }}' }, `Secret Text ${DIGITS}`],
		[{ secretText: '={{ Infinity }}' }, 'Secret Text must be text, not Infinity'],
		[basic("={{ '' }}", ''), 'Username is empty'],
		[basic('me', '={{ undefined }}'), 'The expression in Password returns no value'],
		[basic('me', '\u2800'), 'Password is empty'],
		[{ connectionType: 'CUSTOM_AUTH' }, 'Properties is empty'],
		[custom(['', SECRET]), 'Properties > Name is empty'],
		[custom(['\u200b', SECRET]), 'Properties > Name is empty'],
		[custom(['key', SECRET], ['key ', 'other']), 'Two properties have the same name'],
		[custom(['key', ' ']), 'Properties > Value is empty'],
		[custom(['key', '\u200b']), 'Properties > Value is empty'],
		[custom(['key', '\u2800']), 'Properties > Value is empty'],
		[custom(['key', '= {{ $json.none }}']), 'Properties > Value is empty'],
		[custom(['key', '={{ NaN }}']), 'Properties > Value must be text, not NaN'],
		[custom(['key', '={{ 1e21 }}']), `Properties > Value ${DIGITS}`],
		[{ options: { metadata: '[]' } }, 'Metadata must be a JSON object'],
	])('refuses %j before anything is sent', async (more, message) => {
		await refuses(upsert('refused', more), begins(message));
	});

	test('says what the piece refuses', async () => {
		const openai = { pieceName: byName('@activepieces/piece-openai') };
		const key = upsert('openai', { ...openai, ...custom(['apiKey', SECRET]) });
		const refused = 'Activepieces did not accept the values of the connection';
		await failsWith(key, refused, 'Invalid API key');
		const otherType = 'The piece does not accept a connection of this type';
		await failsWith(upsert('openai', openai), otherType, 'It needs Custom Auth: change Type.');
		const missing = upsert('missing', { pieceName: byName('@activepieces/piece-none') });
		await failsWith(missing, /^The piece "@activepieces\/piece-none" is not installed/, 'Piece');
	});

	test.each(['NO_AUTH', 'SECRET_TEXT'])(
		'refuses a piece by its short name, with Piece Version and type %s as well',
		async (connectionType) => {
			const message = 'The piece "slack" is not installed on this Activepieces server';
			const name = 'the whole name of a piece, such as @activepieces/piece-slack';
			const options = { pieceVersion: '0.12.1' };
			const short = { pieceName: byName('slack'), connectionType, options };
			await failsWith(upsert('short', short), message, [name, 'Nothing was changed']);
			expect(rows('short')).toEqual([]);
			const whole = { ...short, pieceName: byName('@activepieces/piece-slack') };
			expect(await record(upsert(connectionType, whole))).toMatchObject({ name: 'CRM' });
			// Where pieces cannot be listed, the service decides.
			context.fault({ path: '/v1/pieces', kind: { status: 403, code: 'AUTHORIZATION' } });
			if (connectionType === 'NO_AUTH') await record(upsert('unread', short));
		},
	);

	test('says that a worker could not check the values, and why', async () => {
		// har/enterprise-0.86, c/48
		const reason = { status: 'INTERNAL_ERROR', error: 'fetch failed' };
		const params = { message: 'Failed to run engine validate auth', context: reason };
		const kind = { status: 400, code: 'ENGINE_OPERATION_FAILURE', params };
		context.fault({ method: 'POST', kind });
		const message = 'Activepieces could not check the values of the connection';
		const why = ['Activepieces says: fetch failed.', 'the worker can reach', 'Nothing was changed'];
		await failsWith(upsert('unchecked'), message, why);
	});

	// Some services want the key as username, and no password or any letter.
	test.each([
		['', 'the text is not shown'],
		['X', 'the text is not shown'],
		['hunter2!', `bad ${SECRET}`],
	])('shows no username with the password "%s" that is the key itself', async (password, shown) => {
		const message = `bad ${SECRET}`;
		context.fault({ method: 'POST', kind: { status: 400, code: 'VALIDATION', message } });
		const refused = 'Activepieces did not accept the request';
		const stripe = upsert('stripe', basic('={{ $json.key }}', password));
		await failsWith(stripe, refused, shown, [{ key: SECRET }]);
	});

	test('keeps the metadata that an option left at its default does not give', async () => {
		const metadata = { plan: 'pro' };
		await record(upsert('kept', { options: { metadata: JSON.stringify(metadata) } }));
		for (const given of ['{}', '', '={{ ({}) }}']) {
			await record(upsert('kept', { options: { metadata: given } }));
			expect(rows('kept')).toMatchObject([{ metadata }]);
		}
		const [{ id }] = rows('kept');
		await record(ofRecord('connection.update', id, { updateFields: { metadata: '{}' } }));
		expect(rows('kept')).toMatchObject([{ metadata: {} }]);
	});

	const NO_WORKER = ['Check that a worker is running', 'may have applied the change'];
	test('without a worker says so, and looks for the connection', async () => {
		context.service.worker.state = 'stopped';
		const error = await failsWith(upsert('late'), /did not respond in time/, NO_WORKER);
		expect(error.description).not.toContain(SECRET);
		expect(requestPaths(context).map((path) => path.split(' ')[0])).toEqual(['GET', 'POST', 'GET']);
	});

	test('does not report a new secret as stored if the request that stores it did not arrive', async () => {
		const { id, updated } = await record(upsert('rotated'));
		for (const settings of [{}, RETRY_ON_FAIL]) {
			context.clearRequests();
			context.fault({ method: 'POST', kind: { reset: 'beforeHeaders' } });
			const rotated = upsert('rotated', { secretText: 'the new secret' });
			const cut = /closed the connection before the response was complete$/;
			await failsWith(rotated, cut, NO_WORKER, { settings });
			expect(context.posts().length).toBeGreaterThan(0);
			expect(rows('rotated')).toMatchObject([{ id, updated }]);
			context.clearFaults();
		}
	});

	test.each([502, 504, 524])('says so if a proxy does not wait for it: HTTP %i', async (status) => {
		context.fault({ method: 'POST', kind: { status, shape: 'html' } });
		const message = new RegExp(`HTTP ${status}`);
		await failsWith(upsert('behind a proxy'), message, ['A proxy', ...NO_WORKER]);
		const none = upsert('behind a proxy', { connectionType: 'NO_AUTH' });
		const { description } = await failsWith(none, message, 'may have applied the change');
		expect(description).not.toContain('worker');
	});
});

describe('Connection > Update', () => {
	const context = useService({ data: { projects: 2, connectionsPerProject: 3 } });
	const update = (updateFields: INodeParameters) => {
		const [{ id }] = context.data.projectConnections;
		return ofRecord('connection.update', id, { updateFields });
	};

	test('changes name and metadata, and keeps the name that it does not change', async () => {
		const [row] = context.data.projectConnections;
		expect(await context.record(update({ displayName: ' New ' }))).toMatchObject({ name: 'New' });
		await context.record(update({ metadata: '{"a":1}' }));
		expect(row).toMatchObject({ displayName: 'New', metadata: { a: 1 } });
		expect(changesSent(context).map(([, body]) => body)).toEqual([
			{ displayName: 'New' },
			{ displayName: 'New', metadata: { a: 1 } },
		]);
		context.clearRequests();
		await context.refuses(update({}), 'Update Fields is empty');
		await context.refuses(update({ displayName: ' ' }), 'Name is empty');
	});

	test('sends the name that it does not change as it is, and asks for one that is missing', async () => {
		const [row] = context.data.projectConnections;
		const { displayName } = row;
		row.displayName = ' CRM ';
		await context.record(update({ metadata: '{"a":2}' }));
		expect(row).toMatchObject({ displayName: ' CRM ', metadata: { a: 2 } });
		row.displayName = '';
		context.clearRequests();
		const message = `The connection "${row.id}" (${row.id}) has no name`;
		const advice = ['Add Name to Update Fields.', 'Nothing was changed'];
		await context.failsWith(update({ metadata: '{}' }), message, advice);
		expect(changesSent(context)).toEqual([]);
		row.displayName = displayName;
	});

	test('reads the connections once for new names of several', async () => {
		const items = context.data.projectConnections.map(({ id }) => ({ id }));
		const updateFields = { displayName: 'Renamed' };
		await context.records(
			ofRecord('connection.update', '={{ $json.id }}', { updateFields }),
			items,
		);
		const lists = requestPaths(context).filter((path) => path === 'GET /v1/app-connections');
		expect(lists).toHaveLength(context.data.projects.length);
		expect(context.posts()).toHaveLength(items.length);
	});
});

describe('Global Connection', () => {
	const context = useService({ data: { projects: 3, connections: 3, connectionsPerProject: 2 } });
	const projects = () => context.data.projects.map(({ id }) => id);
	const row = () => context.data.connections[0];
	const upsert = (externalId: string, more: INodeParameters = {}) =>
		parametersOf('globalConnection.upsert', {
			...{ externalId, displayName: 'CRM', pieceName: byName(TELEGRAM) },
			...{ connectionType: 'SECRET_TEXT', secretText: SECRET, ...more },
		});
	const of = (operation: string, id: string, more: INodeParameters = {}) =>
		parametersOf(`globalConnection.${operation}`, { globalConnectionId: byId(id), ...more });

	test('Create or Update changes one connection, whatever its projects', async () => {
		const [a, b, c] = projects();
		const rows = () => context.data.connections.filter((each) => each.externalId === 'crm');
		const first = await context.record(upsert('crm', { projectIds: [a, b, a] }));
		expect(first).toMatchObject({ name: 'CRM', projectIds: [a, b], flowCount: null });
		for (const projectIds of [[c], [a, c], [], [a], [b]]) {
			const now = await context.record(upsert('crm', { projectIds, displayName: 'New' }));
			const kept = projectIds.length === 0 ? [a, c] : projectIds;
			expect(now).toMatchObject({ id: first.id, name: 'New', projectIds: kept });
			expect(rows()).toMatchObject([{ id: first.id, projectIds: kept }]);
		}
		const other = upsert('crm', { connectionType: 'NO_AUTH' });
		await context.failsWith(other, begins('The connection "New"'), 'Replace Any Connection');
	});

	test('the projects may be given by name, of which each must have one', async () => {
		const [a, b, c] = context.data.projects;
		const names = [a.displayName.toUpperCase(), b.id];
		const { id, projectIds } = await context.record(upsert('by-name', { projectIds: names }));
		expect(projectIds).toEqual([a.id, b.id]);
		const updateFields = { projectIds: `={{ "${c.displayName}" }}` };
		const updated = await context.record(of('update', String(id), { updateFields }));
		expect(updated.projectIds).toEqual([a.id, b.id, c.id]);
		c.displayName = a.displayName;
		const message = `2 projects have the name "${c.displayName}"`;
		const advice = [a.id, c.id, 'Set Project Names or IDs to one of these IDs.'];
		const sent = changesSent(context).length;
		const twins = upsert('by-name', { projectIds: [c.displayName] });
		await context.failsWith(twins, message, advice);
		expect(changesSent(context)).toHaveLength(sent);
	});

	test('Create or Update keeps the secret when a project is not there, and names it', async () => {
		const [a, b] = projects();
		await context.record(upsert('kept', { projectIds: [a] }));
		const url = `https://cloud.activepieces.com/projects/${b}`;
		context.clearRequests();
		for (const externalId of ['kept', 'new']) {
			for (const unknown of ['Nowhere', url, 'A'.repeat(21)]) {
				const parameters = upsert(externalId, { projectIds: [b, unknown] });
				const message = /^(Project ".+" was not found|No project has the name ".+")$/;
				const advice = ['Check Project Names or IDs.', /Nothing was (sent|changed)\.$/];
				await context.failsWith(parameters, message, advice);
			}
		}
		const [one, two] = ['A', 'B'].map((letter) => letter.repeat(21));
		const both = upsert('kept', { projectIds: [one, two] });
		await context.failsWith(both, `Projects "${one}", "${two}" were not found`);
		expect(changesSent(context)).toEqual([]);
		context.clearRequests();
		const each = upsert('=each {{ $json.index }}', { projectIds: [a] });
		await context.records(each, [{ index: 0 }, { index: 1 }, { index: 2 }]);
		const lists = requestPaths(context).filter((path) => path === 'GET /v1/projects');
		expect(lists).toHaveLength(1);
	});

	test('Create or Update tells of a connection that no project can use, as a mistyped external ID makes one', async () => {
		const { items, hints } = await context.run(upsert('mistyped'));
		const [{ json }] = items;
		expect(hints).toEqual([
			`No project can use the connection "CRM" (${String(json.id)}). Check External ID, or choose projects in Project Names or IDs.`,
		]);
		expect((await context.run(upsert('mistyped', { projectIds: projects() }))).hints).toEqual([]);
		expect((await context.run(upsert('mistyped'))).hints).toEqual([]);
	});

	const NO_PROJECT = { status: 404, params: { entityType: 'Project' } };
	const CUT = / closed the connection before the response was complete$/;
	test.each<[string, FaultKind, string | RegExp]>([
		['were not changed', NO_PROJECT, 'One of the projects was not found'],
		['may have been changed', { reset: 'beforeHeaders' }, CUT],
	])('Create or Update says that only the projects %s', async (what, kind, message) => {
		const [a, b] = projects();
		await context.record(upsert('half', { projectIds: [a] }));
		context.fault({ method: 'POST', path: /global-connections\/./, kind });
		const error = await context.failsWith(upsert('half', { projectIds: [b] }), message, [
			/The secret and the name were stored/,
			`the projects ${what}.`,
		]);
		expect(error.description).not.toContain('Check in Activepieces');
	});

	test('an overwritten connection is still selected for new projects', async () => {
		const { externalId, pieceName, type, projectIds } = row();
		row().preSelectForNewProjects = true;
		const more = { pieceName: byName(pieceName), options: { replaceOther: true }, projectIds };
		const { id } = await context.record(upsert(externalId, more));
		expect([id, type]).toEqual([row().id, type]);
		expect(row().preSelectForNewProjects).toBe(true);
	});

	test('Update adds, removes and replaces projects, and keeps the name', async () => {
		const [a, b, c] = projects();
		const { id, displayName } = row();
		row().projectIds = [a];
		const change = async (projectChange: string, ...projectIds: string[]) => {
			const updateFields = { projectChange, projectIds };
			return await context.record(of('update', id, { updateFields }));
		};
		expect((await change('add', b, a)).projectIds).toEqual([b, a]);
		expect((await change('remove', b)).projectIds).toEqual([a]);
		const byDefault = await context.record(of('update', id, { updateFields: { projectIds: [b] } }));
		expect(byDefault.projectIds).toEqual([a, b]);
		const replaced = { name: displayName, projectIds: [c, b] };
		expect(await change('replace', c, b)).toMatchObject(replaced);
		const renamed = await context.record(of('update', id, { updateFields: { displayName: 'N' } }));
		expect(renamed).toMatchObject({ name: 'N', projectIds: [c, b] });
		context.clearRequests();
		const empty = of('update', id, { updateFields: { projectChange: 'replace', projectIds: [] } });
		await context.refuses(empty, 'Project Names or IDs is empty');
		for (const more of [{}, { displayName: 'New' }]) {
			const none = of('update', id, { updateFields: { projectChange: 'replace', ...more } });
			const advice = 'remove Project Change';
			await context.refuses(none, 'Project Names or IDs is missing', advice);
		}
	});

	const CHANGES = ['add', 'remove', 'replace'];
	test.each(CHANGES)('Update refuses to %s an unknown project', async (how) => {
		const [a, b] = projects();
		row().projectIds = [a];
		const change = (...projectIds: string[]) =>
			of('update', row().id, { updateFields: { projectChange: how, projectIds } });
		const unknown = 'A'.repeat(21);
		const message = `Project "${unknown}" was not found`;
		const advice = ['Check Project Names or IDs.', 'Nothing was changed'];
		await context.failsWith(change(b, unknown), message, advice);
		expect(changesSent(context)).toEqual([]);
		// Of the connection, although it is in no list of projects.
		row().projectIds = [a, 'Z'.repeat(21)];
		const gone = change('Z'.repeat(21));
		if (how === 'remove') expect(await context.record(gone)).toMatchObject({ projectIds: [a] });
		else await context.failsWith(gone, 'One of the projects was not found');
	});

	test('tells how a connection is changed that was shared with a deleted project', async () => {
		const [a, b] = projects();
		const { id, externalId, pieceName } = row();
		row().projectIds = [a, 'Z'.repeat(21)];
		const message = 'One of the projects was not found';
		const advice = ['a project that has been deleted', 'Project Change set to Replace'];
		const change = (projectChange: string) =>
			of('update', id, { updateFields: { projectChange, projectIds: [b] } });
		const more = { pieceName: byName(pieceName), options: { replaceOther: true } };
		const again = upsert(externalId, more);
		for (const parameters of [again, change('add')]) {
			await context.failsWith(parameters, message, advice);
		}
		await context.record(change('replace'));
		expect(await context.record(again)).toMatchObject({ id, projectIds: [b] });
	});

	test('Update and Delete look first, and keep a connection of a project', async () => {
		const [{ id }] = context.data.projectConnections;
		const message = `Global connection "${id}" was not found`;
		await context.failsWith(of('delete', id), message, 'use the resource Connection');
		const updateFields = { displayName: 'New' };
		await context.failsWith(of('update', id, { updateFields }), message, 'Nothing was changed');
		expect(changesSent(context)).toEqual([]);
		const { id: own } = row();
		expect(await context.records(of('delete', own))).toEqual([{ deleted: true }]);
		expect(context.data.connections.map((each) => each.id)).not.toContain(own);
	});

	test('From List shows global connections with their piece, and pieces with their name', async () => {
		const { results } = await context.search('searchGlobalConnections');
		expect(results.map(({ value }) => value).sort()).toEqual(sortedIds(context.data.connections));
		const pieces = await context.search('searchPieces', { filter: 'telegram' });
		expect(pieces.results).toEqual([{ name: 'Telegram Bot (telegram-bot)', value: TELEGRAM }]);
		const listed = await context.loadOptions('getProjects');
		expect(listed.map(({ value }) => value).sort()).toEqual([...projects()].sort());
	});
});
