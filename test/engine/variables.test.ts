import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, ids, sortedIds } from './harness/byId';
import { ofRecord, parametersOf } from './harness/parameters';
import { changesSent, requestUrls, useService } from './harness/service';
import { textsOf, tracesOf } from './harness/traces';

const ALL = parametersOf('variable.getAll', { returnAll: true });
const SECRET = 'correct horse\n"battery" & staple ';
const upsert = (variableName: string, more: INodeParameters = {}) =>
	parametersOf('variable.upsert', { variableName, value: '={{ $json.value }}', ...more });
const WITH_SECRET = [{ value: SECRET }];

describe('variables', () => {
	const context = useService({ data: { projects: 2, variablesPerProject: 3 } });
	const { record, records } = context;
	const project = () => byId(context.data.projects[0].id);
	const named = (name: string) => context.data.variables.filter((each) => each.name === name);

	test('those of all projects or of one are listed with their project, and found by name', async () => {
		const { variables, projects } = context.data;
		expect(sortedIds(await records(ALL))).toEqual(sortedIds(variables));
		const [{ id, displayName }] = projects;
		const filters = { name: 'oken_001' };
		const found = await records({ ...ALL, projectId: byId(id), filters });
		const { name, created, updated, owner } = named('TOKEN_001')[0];
		const { id: own } = variables[1];
		const common = { id: own, projectId: id, projectName: displayName, created, updated };
		expect(found).toEqual([{ ...common, name, metadata: null, ownerEmail: owner?.email }]);
	});

	test('a new name makes a variable, a known one changes it: exactly that name, in its letter case', async () => {
		const [{ id, projectId }] = named('TOKEN_001');
		const metadata = '{"team": "sales"}';
		const first = await record(
			upsert(' TOKEN_001', { projectId: project(), metadata }),
			WITH_SECRET,
		);
		expect(first).toMatchObject({ id, metadata: { team: 'sales' } });
		for (const name of ['token_001', 'TOKEN%001'.replace('%', 'x'), 'TOKEN']) {
			const made = await record(upsert(name, { projectId: project() }), WITH_SECRET);
			expect(made).toMatchObject({ name, projectId, metadata: null });
		}
		expect(changesSent(context)).toEqual([
			[`POST /v1/variables/${id}`, { value: SECRET, metadata: { team: 'sales' } }],
			...['token_001', 'TOKENx001', 'TOKEN'].map((name) => [
				'POST /v1/variables',
				{ projectId, name, value: SECRET },
			]),
		]);
	});

	test('the same name in several items is made once, and gets the value of the last one', async () => {
		const items = ['one', 'two', 'three'].map((value) => ({ value }));
		const given = await records(upsert('SEVERAL', { projectId: project() }), items);
		expect(new Set(ids(given)).size).toBe(1);
		const sent = changesSent(context);
		expect(sent.at(-1)).toEqual([`POST /v1/variables/${given[0].id}`, { value: 'three' }]);
		expect(sent).toHaveLength(3);
	});

	test('booleans and numbers are stored as their text', async () => {
		const items = [false, true, 5, 0].map((value) => ({ value }));
		await records(upsert('SETTING', { projectId: project() }), items);
		const stored = changesSent(context).map(([, body]) => (body as IDataObject).value);
		expect(stored).toEqual(['false', 'true', '5', '0']);
	});

	test.each<[string, INodeParameters, message: RegExp]>([
		['no name', { variableName: '={{ "" }}' }, /^Name is empty/],
		['a hyphen', { variableName: 'API-TOKEN' }, /^Name must be letters, digits and underscores$/],
		[
			'a letter that is none to the service',
			{ variableName: 'Größe' },
			/^Name must be letters, digits and underscores$/,
		],
		['no value', { value: '={{ "" }}' }, /^Value is empty/],
		['an expression without a value', { value: '={{ $json.missing }}' }, /^Value is empty/],
		['what an expression leaves', { value: '= {{ $json.missing }}' }, /^Value is empty/],
		['a zero-width space', { value: '={{ "\\u200b" }}' }, /^Value is empty/],
		['NaN', { value: '={{ NaN }}' }, /^Value must be text, not NaN$/],
		['Infinity', { value: '={{ -Infinity }}' }, /^Value must be text, not -Infinity$/],
		['an object', { value: '={{ ({ a: "hunter2!" }) }}' }, /^Value must be text, not an object$/],
		['metadata that is a list', { metadata: '[1]' }, /^Metadata must be a JSON object/],
	])('%s is refused before anything is sent', async (_what, more, message) => {
		const parameters = upsert('NAME', { projectId: project(), ...more });
		await context.refuses(parameters, message, 'Nothing was sent', { items: WITH_SECRET });
	});

	// How a server may quote it is in `secrets/quotedSecrets.test.ts`.
	test.each(['TOKEN_000', 'NEW_ONE'])(
		'the value of %s is in nothing that a run leaves behind, if a server repeats it',
		async (name) => {
			const message = `body/value Invalid input: ${JSON.stringify({ value: SECRET })}`;
			const kind = { status: 400, code: 'VALIDATION', message };
			context.fault({ method: 'POST', path: /variables/, kind });
			// Made by the expression, so that no input item contains it.
			const items = [{ text: [...SECRET].reverse().join('') }];
			const value = '={{ $json.text.split("").reverse().join("") }}';
			const parameters = upsert(name, { projectId: project(), value });
			for (const onError of [undefined, 'continueErrorOutput'] as const) {
				const result = await context.run(parameters, { items, onError });
				const shown = tracesOf(result);
				expect(JSON.stringify(shown)).toContain('did not accept');
				expect(shown.filter((text) => /correct horse|battery/.test(text))).toEqual([]);
			}
		},
	);

	test('a value that was entered as Name is not repeated either', async () => {
		const parameters = upsert('={{ $json.value }}', { projectId: project() });
		const { message, description } = await context.failure(parameters, WITH_SECRET);
		expect(message).toBe('Name must be letters, digits and underscores');
		expect(description).not.toContain('battery');
	});

	test('no request but that of the change has the value', async () => {
		await record(upsert('TOKEN_000', { projectId: project() }), WITH_SECRET);
		const others = context.requests.filter(({ method }) => method === 'GET');
		expect(textsOf(others.map(({ url, headers }) => [url, headers])).join()).not.toContain(
			'battery',
		);
		expect(requestUrls(context)[0]).toContain('name=TOKEN_000');
	});
});

describe('release 0.79', () => {
	const context = useService({ release: '0.79', data: { projects: 1 } });

	test('has no variables, and says which release has', async () => {
		const made = upsert('NAME', { projectId: byId('x') });
		const message = 'This Activepieces server has no variables';
		const says = 'Variables require Activepieces 0.85 or later.';
		for (const parameters of [ALL, made, ofRecord('variable.delete', 'abc')]) {
			await context.failsWith(parameters, message, says, { items: WITH_SECRET });
		}
	});
});
