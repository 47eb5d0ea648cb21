import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import manifest from '../../package.json';
import { createEngine, type Engine } from '../engine/harness/engine';
import { read } from '../engine/harness/environment';
import { refuseChanges, SAVED, savedOf } from '../tools/docs/saved';

let engine: Engine;
beforeAll(async () => {
	engine = await createEngine();
});

test('n8n loads the node, its trigger and two credentials from the build, with codex, icons and Request Options', () => {
	const { known, types } = engine.loader;
	expect(Object.keys(known.nodes)).toEqual(['activepieces', 'activepiecesTrigger']);
	expect(Object.keys(known.credentials)).toEqual(['activepiecesApi', 'activepiecesSignInApi']);
	const [node, trigger] = types.nodes;
	const codex = (words: string) => ({
		categories: expect.arrayContaining(['Development']),
		alias: expect.arrayContaining(words.split(' ')),
	});
	expect(node.codex).toMatchObject(codex('queue folder connection flow table template invitation'));
	expect(node.properties.map(({ name }) => name)).toContain('requestOptions');
	expect(trigger.codex).toMatchObject(codex('run failed connection queue'));
	expect(trigger).toMatchObject({ polling: true, group: ['trigger'], inputs: [] });
	expect(trigger.properties.map(({ name }) => name)).toContain('pollTimes');
	for (const { iconUrl } of [...types.nodes, ...types.credentials]) {
		expect(iconUrl).toEqual({ light: expect.any(String), dark: expect.any(String) });
	}
});

test('display options name parameters of the same level, or those of the node with a slash', () => {
	// n8n 1 does not activate a workflow with a node whose display options name something else.
	const unknownIn = (properties: INodeProperties[]): string[] => {
		const names = properties.map(({ name }) => name);
		return properties.flatMap(({ displayOptions = {}, options = [] }) => [
			...Object.values(displayOptions)
				.flatMap((rule) => Object.keys(rule as object))
				.filter((name) => !/^[/@]/.test(name) && !names.includes(name)),
			...unknownIn(options.filter((each): each is INodeProperties => 'type' in each)),
			...options.flatMap((each) => ('values' in each ? unknownIn(each.values) : [])),
		]);
	};
	for (const { properties } of engine.loader.types.nodes) expect(unknownIn(properties)).toEqual([]);
});

test('n8n offers both credentials in HTTP Request, and so Custom API Call: its copy of them authenticates', () => {
	// n8n copies what it lists with a spread, which leaves out methods of a class.
	const listed = engine.loader.types.credentials.map((each) => ({ ...each }));
	expect(listed.map(({ name, authenticate }) => [name, typeof authenticate])).toEqual([
		['activepiecesApi', 'function'],
		['activepiecesSignInApi', 'function'],
	]);
});

test('credentials save these fields, and n8n returns them without the values of secrets', () => {
	const [key, account] = engine.loader.types.credentials.map(({ properties }) => properties);
	const settings = ['headers', 'allowUnauthorizedCerts', 'proxy', 'timeout'];
	expect(key.map(({ name }) => name)).toEqual(['baseUrl', 'apiKey', ...settings]);
	expect(key[0].default).toBe('https://cloud.activepieces.com/api');
	const ofAccount = ['baseUrl', 'email', 'password', ...settings, 'sessionToken'];
	expect(account.map(({ name }) => name)).toEqual(ofAccount);
	const headers = key.find(({ name }) => name === 'headers');
	const [{ name, values }] = headers?.options as INodePropertyCollection[];
	expect([name, ...values.map((each) => each.name)]).toEqual(['values', 'name', 'value']);
	const secrets = [key, values, account].map((fields) =>
		fields.filter(({ typeOptions }) => typeOptions?.password).map((each) => each.name),
	);
	expect(secrets).toEqual([['apiKey'], ['value'], ['password', 'sessionToken']]);
});

test.each([
	['Activepieces', 0],
	['ActivepiecesTrigger', 1],
])('%s, codex, credential and package.json link to the same repository', (file, index) => {
	const node = engine.loader.types.nodes[index];
	const codex = JSON.parse(read(`nodes/Activepieces/${file}.node.json`)) as {
		node: string;
		resources: Record<string, Array<{ url: string }>>;
	};
	expect(codex.node).toBe(`${manifest.name}.${node.name}`);
	const links = Object.values(codex.resources).flatMap((each) => each.map(({ url }) => url));
	const { documentationUrl } = engine.loader.getCredential('activepiecesApi').type;
	for (const link of [...links, documentationUrl]) {
		const [address, heading] = String(link).split('#');
		expect(address).toBe(manifest.homepage);
		expect(['readme', 'credentials']).toContain(heading);
	}
	expect(manifest.repository.url).toBe(`git+${manifest.homepage}.git`);
	expect(manifest.bugs.url).toBe(`${manifest.homepage}/issues`);
});

test('the names and defaults that workflows save have not changed', () => {
	const [{ usableAsTool, credentials }, trigger] = engine.loader.types.nodes;
	expect(usableAsTool).toBe(true);
	const names = ['activepiecesApi', 'activepiecesSignInApi'];
	expect(credentials?.map((each) => each.name)).toEqual(names);
	expect(trigger.credentials).toEqual(credentials);
	const shown = JSON.stringify(trigger.properties);
	for (const value of ['CANCELED', 'active', 'delayed', 'failed', 'paused', 'prioritized']) {
		expect(shown).toContain(`"value":"${value}"`);
	}
	expect(trigger.usableAsTool).toBeUndefined();
	// `npm run docs` adds new ones, and refuses to change others.
	expect(savedOf(engine.loader.types.nodes)).toEqual(JSON.parse(read(SAVED)));
});

test('npm run docs refuses to take away a name, or to change a default', () => {
	const before = { fields: { 'folder.get': 'folderId' }, defaults: { limit: 50 } };
	const [fields, defaults] = [{ 'folder.get': 'folderId, new' }, { limit: 50, new: '' }];
	expect(() => refuseChanges(before, { fields, defaults })).not.toThrow();
	expect(() => refuseChanges(before, { fields: { 'folder.get': 'id' }, defaults })).toThrow(
		'folder.get: folderId',
	);
	expect(() => refuseChanges(before, { fields, defaults: { limit: 5 } })).toThrow(
		'the default of limit',
	);
});

test('the editor shows the fields of every operation in the operation’s own order', () => {
	const { properties } = engine.loader.types.nodes[0];
	const shownFor = (resource: string, operation: string) =>
		properties.filter(
			({ name, displayOptions: { show = {} } = {} }) =>
				name !== 'toolDescription' &&
				show.resource?.includes(resource) &&
				show.operation?.includes(operation),
		);
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, properties: own } of operations) {
			const shown = shownFor(resource, operation).map(({ name }) => name);
			expect([resource, operation, shown]).toEqual([
				resource,
				operation,
				own.map(({ name }) => name),
			]);
		}
	}
});

test('n8n 1 can tell in which order to show the fields: each depends on another one, or on a path from the root', () => {
	for (const { name, properties } of engine.loader.types.nodes) {
		const names = properties.map((property) => property.name);
		const dependencies = properties.flatMap(({ displayOptions = {} }) =>
			Object.values(displayOptions).flatMap((rule) => Object.keys(rule)),
		);
		// Otherwise n8n 1 runs no workflow with the node ("Could not resolve parameter dependencies").
		const unknown = dependencies.filter((each) => !/^[/@]/.test(each) && !names.includes(each));
		expect([name, unknown]).toEqual([name, []]);
	}
});

test('Simplify stands before Filters, Options and Update Fields in every operation', () => {
	const late = resources.flatMap(({ name: resource, operations }) =>
		operations
			.filter(({ properties: own }) => {
				const simplify = own.findIndex(({ name }) => name === 'simplify');
				return own.slice(0, Math.max(simplify, 0)).some(({ type }) => type === 'collection');
			})
			.map(({ name }) => `${resource} > ${name}`),
	);
	expect(late).toEqual([]);
});

test('lists of five and more options are sorted by name, as n8n requires', () => {
	const insideOf = ({ options = [] }: INodeProperties): INodeProperties[] =>
		(options as Array<INodeProperties | INodePropertyCollection>).flatMap((each) =>
			'values' in each ? each.values : 'type' in each ? [each, ...insideOf(each)] : [],
		);
	const lists = engine.loader.types.nodes
		.flatMap(({ properties }) => properties)
		.filter(({ name }) => !['requestOptions', 'pollTimes'].includes(name))
		.flatMap((each) => [each, ...insideOf(each)])
		.filter(({ type, options = [] }) => /^(multiO|o)ptions$/.test(type) && options.length >= 5)
		.map(({ options = [] }) => options.map(({ name }) => name));
	expect(lists.length).toBeGreaterThan(5);
	expect(lists).toEqual(lists.map((names) => [...names].sort()));
});

test('a filter that stays when another resource is selected has the same values there', () => {
	// n8n keeps values of fields with the same name; the other resource would refuse an unknown value.
	const filters = engine.loader.types.nodes[0].properties
		.filter(({ name }) => name === 'filters')
		.flatMap(({ options }) => options as INodeProperties[]);
	expect(filters.length).toBeGreaterThan(20);
	const valuesOf = ({ type, options = [], typeOptions = {} }: INodeProperties) => ({
		type,
		method: typeOptions.loadOptionsMethod,
		values: (options as INodePropertyOptions[]).map(({ value }) => value),
	});
	const last = new Map(filters.map((filter) => [filter.name, valuesOf(filter)]));
	const all = filters.map((filter) => [filter.name, valuesOf(filter)]);
	expect(all).toEqual(filters.map(({ name }) => [name, last.get(name)]));
});

test('the default operation only reads, and is Get Many if the resource has it', () => {
	const { properties } = engine.loader.types.nodes[0];
	const lists = properties.filter(({ name }) => name === 'operation');
	expect(lists).not.toEqual([]);
	for (const each of lists) {
		const operations = each.options as INodePropertyOptions[];
		const hasList = operations.some(({ value }) => value === 'getAll');
		expect(each.default === 'getAll').toBe(hasList);
		const chosen = operations.find(({ value }) => value === each.default);
		expect(chosen?.routing?.request?.method).toBe('GET');
	}
});

test('locators have From List, By URL if there are pages, By ID, By Name and By External ID where records have them, and By Email for people, and every list has its search', () => {
	const locators = engine.loader.types.nodes[0].properties
		.flatMap((property) => [property, ...((property.options ?? []) as INodeProperties[])])
		.filter(({ type }) => type === 'resourceLocator');
	const withPage = ['flowId', 'flowRunId', 'projectId', 'tableId'];
	const byExternalId = ['connectionId', 'flowId', 'globalConnectionId', 'projectId', 'tableId'];
	const byName = [...byExternalId, 'folderId', 'templateId', 'variableId'];
	const searches = locators.map(({ name, modes, default: initial }) => {
		const entered = name === 'pieceName' ? 'name' : 'id';
		const url = withPage.includes(name) ? ['url'] : [];
		const email = ['memberId', 'userId'].includes(name) ? ['email'] : [];
		const modesOf = modes?.map((mode) => mode.name);
		const named = byName.includes(name) ? ['name'] : [];
		const external = byExternalId.includes(name) ? ['externalId'] : [];
		const others = [...named, ...external, ...email];
		expect(modesOf).toEqual(['list', ...url, entered, ...others]);
		expect(initial).toEqual({ mode: 'list', value: '' });
		expect(modes?.[0].typeOptions?.searchable).toBe(true);
		// n8n shows it while the search continues.
		expect(modes?.[0].typeOptions?.slowLoadNotice?.message).toMatch(/By (ID|Name)/);
		expect(modes?.[0].typeOptions?.slowLoadNotice?.timeout).toBeLessThanOrEqual(3_000);
		return String(modes?.[0].typeOptions?.searchListMethod);
	});
	const { methods } = engine.loader.getNode('activepieces').type as INodeType;
	expect([...new Set(searches)].sort()).toEqual(Object.keys(methods?.listSearch ?? {}).sort());
	const trigger = engine.loader.getNode('activepiecesTrigger').type as INodeType;
	const { listSearch, credentialTest, loadOptions } = methods!;
	const { getTableColumns } = loadOptions!;
	expect(trigger.methods).toEqual({
		listSearch,
		credentialTest,
		loadOptions: { getTableColumns },
	});
});

test('every field with several records, or with a role, has a method that loads its list', () => {
	const fields = engine.loader.types.nodes[0].properties
		.flatMap((property) => [property, ...((property.options ?? []) as INodeProperties[])])
		.filter(({ typeOptions }) => typeOptions?.loadOptionsMethod !== undefined);
	const conditions = engine.loader.types.nodes[0].properties
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.find(({ name }) => name === 'conditions')?.options?.[0] as INodePropertyCollection;
	const ofCondition = conditions.values.map(({ typeOptions }) => typeOptions?.loadOptionsMethod);
	const { methods } = engine.loader.getNode('activepieces').type as INodeType;
	const names = fields.map(({ type, typeOptions, description }) => {
		const isOne = typeOptions?.loadOptionsMethod === 'getProjectRoles';
		expect(type).toBe(isOne ? 'options' : 'multiOptions');
		expect(description).toContain(`or specify ${isOne ? 'an ID' : 'IDs'} using an`);
		return String(typeOptions?.loadOptionsMethod);
	});
	const all = [...names, ...ofCondition.filter((name) => name !== undefined)];
	expect([...new Set(all)].sort()).toEqual(Object.keys(methods?.loadOptions ?? {}).sort());
	expect(Object.keys(methods?.resourceMapping ?? {})).toEqual(['getTableColumns']);
});

test('n8n checks the configuration of its linter, and development packages have one version', () => {
	expect(manifest.n8n.strict).toBe(true);
	for (const [name, version] of Object.entries(manifest.devDependencies)) {
		expect(`${name} ${version}`).toMatch(/ \d+\.\d+\.\d+$/);
	}
});
