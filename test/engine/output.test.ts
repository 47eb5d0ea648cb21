import {
	extractFromAICalls,
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import { simplifyFlow } from '../../nodes/Activepieces/resources/flow/flow';
import { cases } from '../operations';
import type { Schema } from '../operations/schemas';
import { stepsOf } from '../service/webhookSteps';
import { pathOf } from '../tools/docs/generate';
import { agentTool } from './harness/agentTool';
import { byId } from './harness/byId';
import { read } from './harness/environment';
import { makeNode, makeWorkflow } from './harness/execution';
import { ACTIVEPIECES, TOOL } from './harness/nodeTypes';
import {
	ALL_FLOWS,
	CONNECTIONS,
	parametersOf,
	RETRY_ON_FAIL,
	TEMPLATES,
} from './harness/parameters';
import { runFlow } from './harness/runFlow';
import { useService } from './harness/service';

const context = useService();

const NEW = { resource: 'flow', operation: 'create', displayName: 'New', projectId: byId('p') };

/** A node with the defaults that n8n adds when it opens the workflow. */
function opened(type: string, parameters: INodeParameters) {
	const { loader } = context.engine;
	const node = makeNode('Tool', type, parameters);
	const { workflow } = makeWorkflow({ loader, credential: context.credential, nodes: [node] });
	return { node, workflow };
}

const asTool = async (parameters: INodeParameters, items?: IDataObject[]) =>
	await context.records(parameters, { items, asTool: true });

const asNode = async (parameters: INodeParameters) => await context.records(parameters);

test.each([
	['flows', ALL_FLOWS],
	['flow templates', TEMPLATES],
	['global connections', { ...CONNECTIONS, returnAll: true }],
])('selected fields of %s come after the ID, in the given order', async (_name, parameters) => {
	for (const fields of ['updated,name ,', 'updated, id,name', 'id, updated, name']) {
		const records = await asTool({ ...parameters, output: 'selectedFields', fields });
		const raw = await asNode(parameters);
		expect(records).toEqual(raw.map(({ id, updated, name }) => ({ id, updated, name })));
		expect(Object.keys(records[0])).toEqual(['id', 'updated', 'name']);
	}
});

describe('Fields of an agent’s tool', () => {
	const select = (fields: string) => ({ ...ALL_FLOWS, output: 'selectedFields', fields });
	test('may be paths into the raw record, which give null when they lead nowhere', async () => {
		const paths = 'name, version.trigger.displayName, triggerSource.schedule.cronExpression';
		const records = await asTool(select(paths));
		const raw = await asNode({ ...ALL_FLOWS, simplify: false });
		const trigger = ({ version }: IDataObject) => (version as IDataObject).trigger as IDataObject;
		const names = raw.map((flow) => trigger(flow).displayName);
		expect(records.map((record) => record['version.trigger.displayName'])).toEqual(names);
		const schedules = records.map((r) => r['triggerSource.schedule.cronExpression']);
		expect(schedules).toContain(null);
		expect(schedules.filter((schedule) => typeof schedule === 'string')).not.toEqual([]);
	});

	const UNKNOWN = ['title', 'id, constructor', '__proto__'];
	test.each(UNKNOWN)('are refused if none has them: %s', async (fields) => {
		const says = `The simplified fields are ${Object.keys(simplifyFlow({})).join(', ')}.`;
		const message = `No record has the field "${fields.split(', ').at(-1)}". Change Fields. ${says} You can also enter fields of the raw record, including paths such as version.state.`;
		await context.failsWith(select(fields), message, says, { asTool: true });
	});

	test('give null after a change when the record lacks them, because an agent would repeat it after an error', async () => {
		const create = { ...NEW, projectId: byId(context.data.projects[0].id) };
		const fields = { output: 'selectedFields', fields: 'name, state' };
		const made = { id: expect.any(String) as string, name: 'New', state: null };
		expect(await asTool({ ...create, ...fields })).toEqual([made]);

		// An earlier try has created it.
		context.fault({ method: 'POST', times: 1, done: true, kind: { status: 502 } });
		const createFolder = { ...create, ...fields, resource: 'folder' };
		const given = { asTool: true, settings: RETRY_ON_FAIL };
		expect(await context.records(createFolder, given)).toEqual([made]);
	});

	test('may be a list from an expression', async () => {
		const [record] = await asTool(select('={{ $json.fields }}'), [{ fields: ['id', 'status'] }]);
		expect(Object.keys(record)).toEqual(['id', 'status']);
	});

	test('are not checked without records', async () => {
		expect(await asTool({ ...select('title'), filters: { name: 'no such flow' } })).toEqual([]);
	});

	const EMPTY =
		'Fields is empty. Enter the fields to return, or choose another option in Output. Nothing was sent.';
	test.each([ALL_FLOWS, NEW])('are checked before anything is sent: %j', async (parameters) => {
		const empty = { ...parameters, output: 'selectedFields', fields: ' , ' };
		await context.refuses(empty, EMPTY, '', { asTool: true });
	});
});

test('an error tells an agent all that it has to know in its message, because n8n 2 gives it nothing else', async () => {
	context.fault({ method: 'POST', kind: { status: 504 } });
	const parameters = { ...NEW, projectId: byId(context.data.projects[0].id) };
	const { message, description } = await context.failure(parameters, { asTool: true });
	expect(message).toMatch(/HTTP 504.*\. .*Activepieces may have applied the change\./);
	expect(message.endsWith(String(description))).toBe(true);
	const inNode = await context.failure(parameters);
	expect(inNode.message).not.toContain('may have applied');
});

test('an Output that an agent invented is refused, and nothing is sent', async () => {
	const message =
		'Output must be one of simplified, raw, selectedFields, not "Everything". Change Output. Nothing was sent.';
	const parameters = { ...ALL_FLOWS, output: '={{ "Everything" }}' };
	await context.refuses(parameters, message, '', { asTool: true });
});

test('the tool overrides a saved Simplify by Output, which changes nothing in the node itself', async () => {
	const simplified = await asNode(ALL_FLOWS);
	expect(await asTool({ ...ALL_FLOWS, simplify: false })).toEqual(simplified);
	const parameters = { ...ALL_FLOWS, simplify: true, output: 'raw' };
	expect(await asTool(parameters)).toEqual(await asNode({ ...ALL_FLOWS, simplify: false }));
	expect(await asNode({ ...ALL_FLOWS, output: 'raw' })).toEqual(simplified);
});

test('Simplify is shown in the node, Output in the tool', () => {
	const { properties } = context.engine.loader.types.nodes[0];
	const [outputs, switches] = ['output', 'simplify'].map((wanted) =>
		properties.filter(({ name }) => name === wanted).map(({ displayOptions }) => displayOptions),
	);
	expect(outputs.length).toBeGreaterThan(0);
	expect(switches).toHaveLength(outputs.length);
	for (const output of outputs) expect(output?.show?.['@tool']).toEqual([true]);
	for (const simplify of switches) expect(simplify?.hide).toEqual({ '@tool': [true] });
});

describe('A field that is the input item in the node', () => {
	const run = parametersOf('flow.run', { flowId: byId('abc') });
	const saved = (...given: [type: string, INodeParameters]) => opened(...given).node.parameters;

	test.each([
		['input', 'Input', 'JSON object with the fields that the flow expects', '{}', run],
		['content', 'Content', 'JSON that Export returned', undefined, parametersOf('flow.import')],
	])('is left to the model in a tool: %s', (name, key, description, defaultValue, parameters) => {
		const value = saved(TOOL, parameters)[name];
		// As the editor writes what the model fills in, and as n8n reads it to tell the model.
		const usual = defaultValue === undefined ? '' : `, '${defaultValue}'`;
		const fromAI = `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, 'string'${usual}) }}`;
		expect(value).toBe(fromAI);
		const call = { key, description, type: 'string', defaultValue };
		expect(extractFromAICalls(String(value))).toEqual([call]);
		const own = { ...parameters, [name]: '={{ $json }}' };
		expect(saved(TOOL, own)).toMatchObject(own);
		expect(saved(ACTIVEPIECES, parameters)[name]).toBe('={{ $json }}');
	});

	test('Flow → Run waits for the response as a tool, unless the workflow says otherwise', () => {
		const wait = (type: string, more = {}) => saved(type, { ...run, ...more }).waitForResponse;
		expect(wait(TOOL)).toBe(true);
		expect(wait(TOOL, { waitForResponse: false })).toBe(false);
		expect(wait(ACTIVEPIECES)).toBe(false);
	});
});

describe('JSON in a tool', () => {
	const fieldsIn = (properties: INodeProperties[]): INodeProperties[][] => {
		const inner = properties.flatMap(({ options = [] }) =>
			options.flatMap((each) => ('values' in each ? [each.values] : [])),
		);
		const collections = properties
			.filter(({ type }) => type === 'collection')
			.map(({ options }) => options as INodeProperties[]);
		return [properties, ...[...inner, ...collections].flatMap(fieldsIn)];
	};

	// n8n's button tells a model the type of a field, but none for JSON, of which it accepts neither {} nor text.
	test('is text in every field', () => {
		const lists = fieldsIn(context.engine.loader.types.nodes[0].properties);
		const found = lists.flatMap((fields) => {
			return fields
				.filter(({ type }) => type === 'json')
				.map(({ name, displayOptions }) => {
					const inTool = fields.find(
						(each) => each.name === name && each.displayOptions?.show?.['@tool'] !== undefined,
					);
					return [name, displayOptions?.hide?.['@tool'], inTool?.type];
				});
		});
		expect([...new Set(found.map(([name]) => name))].sort()).toEqual([
			'content',
			'input',
			'metadata',
		]);
		for (const field of found) expect(field).toEqual([field[0], [true], 'string']);
	});

	const run = parametersOf('flow.run', { flowId: byId('abc') });
	const { getSchema } = requireNative<
		typeof import('n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool')
	>('n8n-core/dist/execution-engine/node-execution-context/utils/create-node-as-tool');

	test('of Flow → Run may be left out, and is checked by n8n as text', () => {
		const schema = getSchema(opened(TOOL, run).node);
		for (const Input of ['{"order":1}', '{}']) expect(schema.parse({ Input })).toEqual({ Input });
		expect(schema.parse({})).toEqual({ Input: '{}' });
		// Agents before version 3 check it, and end: see docs/operations.md.
		expect(schema.safeParse({ Input: {} }).success).toBe(false);
	});

	test.each([
		['an object', { Input: { order: 1 } }, { order: 1 }],
		['an empty object', { Input: {} }, {}],
		['JSON as text', { Input: '{"order":1}' }, { order: 1 }],
		['an empty object as text', { Input: '{}' }, {}],
		['nothing', {}, {}],
	])('of Flow → Run may be %s', async (_what, args, body) => {
		const { input } = opened(TOOL, run).node.parameters;
		const { id } = context.live.addFlow({ enabled: true, steps: stepsOf('webhook', {}) });
		const parameters = { ...runFlow(id), input };
		const call = agentTool(context.engine, context.credential, parameters, {});
		expect(JSON.parse(await call(args))).toMatchObject([{ accepted: true, flowId: id }]);
		expect(context.posts().map((sent) => sent.body)).toEqual([body]);
	});

	test.each([
		['an object', { plan: 'pro' }, { plan: 'pro' }],
		['an empty object', {}, undefined],
		['JSON as text', '{"plan":"pro"}', { plan: 'pro' }],
	])('of Metadata may be %s', async (_what, given, metadata) => {
		const parameters = parametersOf('project.create', {
			displayName: 'A',
			metadata: '={{ $json.m }}',
		});
		await asTool(parameters, [{ m: given }]);
		expect(context.posts()).toMatchObject([{ body: { displayName: 'A' } }]);
		expect((context.posts()[0].body as IDataObject).metadata).toEqual(metadata);
	});
});

describe('the description of a tool', () => {
	const fieldsOf = (pair: string) => {
		const { properties = {} } = JSON.parse(read(`dist/${pathOf(pair)}`)) as Schema;
		return `Fields: ${Object.keys(properties).join(', ')}.`;
	};

	/** The description and the name of the tool that n8n gives to a model. */
	function toolOf(parameters: INodeParameters) {
		const { node: tool, workflow } = opened(TOOL, parameters);
		const type = workflow.nodeTypes.getByNameAndVersion(TOOL, 1);
		return {
			description: NodeHelpers.getToolDescriptionForNode(tool, type),
			name: NodeHelpers.makeNodeName(tool.parameters, context.engine.loader.types.nodes[0]),
		};
	}

	test.each(cases)('$pair: a model reads what it does', ({ pair }) => {
		const [resource, operation] = pair.split('.');
		const { description, name } = toolOf({ resource, operation });
		expect(description).toContain('Activepieces');
		expect(description).toMatch(/^(Permanently |Immediately )?[A-Za-z][a-z]+s /);
		expect(description).toMatch(/\breturns?\b/i);
		expect(description).not.toContain('undefined');
		// Some models accept no more than 1,024.
		expect(description.length).toBeLessThanOrEqual(1_000);
		// Models accept no longer names of tools; n8n makes "<name> in Activepieces".
		expect(`${name} in Activepieces`.length).toBeLessThanOrEqual(64);
		// Hints for a person in the editor.
		expect(description).not.toMatch(/input item|nodes that follow|turn .* off|plan with|Simplify/i);
		const own = context.engine.loader.types.nodes[0].properties.filter(
			({ displayOptions: { show } = {} }) =>
				show?.resource?.includes(resource) && show.operation?.includes(operation),
		);
		// The fields, if one may select them.
		expect(description.includes(fieldsOf(pair))).toBe(own.some(({ name }) => name === 'output'));
		if (operation !== 'getAll') return;
		// The person may have changed it.
		expect(description).toContain('Returns no more records than its Limit.');
		expect(description).toContain(fieldsOf(pair));
		for (const filter of own.find(({ name }) => name === 'filters')?.options ?? []) {
			expect(description).toContain('displayName' in filter ? filter.displayName : filter.name);
		}
	});

	test.each([
		['flow', /Status \(DISABLED, ENABLED\)/],
		['flowRun', /Status \((\w+, ){10}\w+\)/],
		[
			'tableRecord',
			/Conditions \(each with Column.*, Operator \(Contains, Equals, ([A-Z][\w ]+, ){6}Not Equals\), Value\); Must Match \(all, any\)\.$/,
		],
		['auditEvent', /if this tool has them: Actions \(connection\.upserted, ([\w.]+, ){26}[\w.]+\)/],
	])('a filter of %s is described with all its values: %s', (resource, values) => {
		expect(toolOf({ resource, operation: 'getAll' }).description).toMatch(values);
	});

	test.each(['updateMany', 'deleteMany'])('that of %s says what Dry Run does', (operation) => {
		const { description } = toolOf({ resource: 'tableRecord', operation });
		expect(description).toMatch(/If Dry Run is on, it (changes|deletes) nothing/);
	});

	test('a person can change it', () => {
		const toolDescription = 'Only for invoices';
		const { description } = toolOf({ resource: 'flow', operation: 'get', toolDescription });
		expect(description).toBe(toolDescription);
	});
});
