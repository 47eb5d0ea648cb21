import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { actionOf } from '../../nodes/Activepieces/describe';
import { resources } from '../../nodes/Activepieces/resources';
import { simplifyFlow } from '../../nodes/Activepieces/resources/flow/flow';
import type { Operation } from '../../nodes/Activepieces/resources/operation';
import { events } from '../../nodes/Activepieces/trigger/events';
import { startService, type Service } from '../service';
import { useEditor, type Canvas } from './editor/canvas';
import type { NodeDetails } from './editor/nodeDetails';
import type { NodePanel } from './editor/nodePanel';
import { credentialJson, signInJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { eventually } from './support/longRunning';
import { describeWith } from './support/programs';
import { addCredential, addWorkflow } from './support/rest';
import { useEnds, useOwnN8n, type Running } from './support/running';
import {
	activepieces,
	CREDENTIAL_TYPE,
	SIGN_IN_TYPE,
	step,
	trigger,
	workflow,
} from './support/workflow';

/** Every operation, sorted as the editor lists them. */
const PAIRS = resources.flatMap(({ name, value, operations }) =>
	[...operations]
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.map((operation) => ({ action: actionOf(operation, name), resource: value, operation })),
);
const ACTIONS = PAIRS.map(({ action }) => action);
const TRIGGERS = events.map(({ name, action }) => action ?? `On ${name.toLowerCase()}`);

/** The fields of a collection in the node; a tool may have others of the same name. */
const optionsOf = ({ type, options = [] }: INodeProperties) =>
	((type === 'collection' ? options : []) as INodeProperties[]).filter(
		({ displayOptions }) => displayOptions?.show?.['@tool'] === undefined,
	);

/** Adds every field to every collection of an operation. */
const everyOption = ({ properties }: Operation): INodeParameters =>
	Object.fromEntries(
		properties
			.filter(({ type }) => type === 'collection')
			.map((field) => {
				const values = optionsOf(field).map(({ name, default: value }) => [name, value]);
				return [field.name, Object.fromEntries(values) as INodeParameters];
			}),
	);

/** Whether a field is shown while all others have their defaults; fields for agents' tools never are. */
function isShownByDefault({ displayOptions = {} }: INodeProperties, fields: INodeProperties[]) {
	const isMet = ([name, values = []]: [string, unknown]) =>
		fields.some(({ name: each, default: initial }) => {
			const value = (initial as { value?: unknown } | undefined)?.value ?? initial;
			return each === name && (values as unknown[]).includes(value);
		});
	const { show = {}, hide = {} } = displayOptions;
	return Object.entries(show).every(isMet) && !Object.entries(hide).some(isMet);
}

/** Labels of an operation's fields, from its description. */
const labelsOf = ({ properties }: Operation): string[] =>
	properties
		.filter((field) => isShownByDefault(field, properties))
		.flatMap((field) => [
			// n8n's own label, in place of that of the field.
			field.type === 'resourceMapper' ? 'Mapping Column Mode' : field.displayName,
			...optionsOf(field)
				.filter((option) => isShownByDefault(option, properties))
				.map(({ displayName }) => displayName),
		]);

const EVERY_ACTION = 'every-action';

/** A node for each of the actions, in a row. */
function everyAction() {
	const steps = PAIRS.map(({ action, resource, operation }) => {
		const pair = { resource, operation: operation.value };
		const step = activepieces(action, '', { ...pair, ...everyOption(operation) });
		// Without a credential the editor offers to create one instead of a selection.
		return { ...step, credentials: undefined };
	});
	return workflow(EVERY_ACTION, [trigger(), ...steps]);
}

type Open = ReturnType<typeof useEditor>['open'];

/** Waits until the editor shows something that matches. */
const shows = async (read: () => Promise<unknown>, wanted: unknown) =>
	await eventually(async () => expect([await read()]).toMatchObject([wanted]));

/** Adds a node to an empty canvas, as somebody does who has just installed the package. */
async function add(open: Open, action: string): Promise<[NodeDetails, Canvas]> {
	const canvas = await open();
	const panel = await canvas.openNodePanel();
	await panel.search('activepieces');
	await panel.enter('Activepieces');
	return [await panel.add(action), canvas];
}

/** Creates a credential, first with a wrong value. */
async function createCredential(
	details: NodeDetails,
	values: Record<string, string>,
	wrong: Record<string, string>,
	labels: string[],
	refusal: string,
	mode?: string,
): Promise<void> {
	const dialog = await details.createCredential();
	if (mode !== undefined) await dialog.chooseAuthentication(mode);
	await shows(dialog.labels, expect.arrayContaining(labels));
	await dialog.fill({ ...values, ...wrong });
	await dialog.save();
	const refused = await dialog.refusal();
	expect(refused).toContain(refusal);
	for (const secret of Object.values(wrong)) expect(refused).not.toContain(secret);

	await dialog.fill(values);
	await dialog.save();
	await dialog.closeWhenAccepted();
	const again = await details.editCredential();
	expect(await again.acceptance()).toContain('Connection tested successfully');
	await again.closeWhenAccepted();
}

/** A new node would select one of them. */
async function deleteCredentials({ rest }: Running): Promise<void> {
	for (const { id } of await rest.get<Array<{ id: string }>>('/rest/credentials')) {
		await rest.delete(`/rest/credentials/${id}`);
	}
}

function newNode(open: Open): void {
	const ends = useEnds();
	let service: Service;
	let details: NodeDetails;
	beforeAll(async () => {
		service = await ends(startService({ data: { flows: 20 } }));
		[details] = await add(open, 'Get folder');
	});

	const inProject = ({ displayName, projectId }: Service['data']['folders'][number]) => {
		const project = service.data.projects.find(({ id }) => id === projectId);
		return `${displayName} (${project?.displayName})`;
	};

	test('asks for a credential, explains what is wrong with its key, and accepts the right one', async () => {
		const { baseUrl, apiKey } = service;
		const labels = ['Base URL', 'API Key'];
		const refusal = 'Activepieces did not accept the API key';
		await createCredential(details, { baseUrl, apiKey }, { apiKey: 'sk-wrong' }, labels, refusal);
	});

	test('lists the folders of all projects, searches them, and shows the selected one', async () => {
		const folder = details.locator('folderId');
		await folder.openList();
		const all = service.data.folders.map(inProject).sort();
		await shows(async () => (await folder.listed()).sort(), all);
		await folder.search('billing');
		const found = all.filter((name) => name.startsWith('Billing'));
		await shows(async () => (await folder.listed()).sort(), found);
		await folder.choose(found[0]);
		await shows(folder.chosen, found[0]);

		await details.execute();
		const { id, displayName, projectId } = service.data.folders.find(
			(each) => inProject(each) === found[0],
		)!;
		await shows(details.output.table, [{ id, name: displayName, projectId }]);
	});

	test('names the folder that was not found, and what to check', async () => {
		await details.locator('folderId').enterId('nosuchfolder');
		await details.execute();
		await shows(details.output.message, {
			message: 'Folder "nosuchfolder" was not found',
			description:
				'Check Folder. Activepieces IDs have 21 letters and digits; for a name, use By Name if there is one. The folder may have been deleted, or may belong to another Activepieces server or platform.',
		});
	});
}

/** What a person does with the Community edition, which has no API keys. */
function community(running: Running, open: Open): void {
	const ends = useEnds();
	let service: Service;
	beforeAll(async () => {
		await deleteCredentials(running);
		const data = { flows: 20, flowRuns: 30 };
		service = await ends(startService({ edition: 'community', data }));
	});

	test('a node accepts a Sign-In credential, lists the runs, and uses the selected one', async () => {
		const [details] = await add(open, 'Get many flows');
		const [{ user, password }] = service.accounts;
		const login = { baseUrl: service.baseUrl, email: user.email, password };
		const wrong = { password: 'not-the-password' };
		const labels = ['Base URL', 'Email', 'Password'];
		const refusal = 'did not accept the email and password';
		await createCredential(details, login, wrong, labels, refusal, 'Sign-In');
		await details.select('resource', 'Flow Run');
		await details.select('operation', 'Get');
		const field = details.locator('flowRunId');
		await field.openList();
		const { length } = service.data.flowRuns;
		const entry = expect.stringMatching(/^[A-Z].* · .+ · \d+ [A-Z][a-z]{2} \d\d:\d\d/);
		await shows(field.listed, Array(length).fill(entry));
		const [first] = await field.listed();
		await field.choose(first);
		await shows(field.chosen, first);
	});

	test('the trigger fetches the newest failed run, and is active once the workflow is published', async () => {
		const [details, canvas] = await add(open, 'On flow run failed');
		const { id } = service.live.addFlowRun({ status: 'FAILED' });
		await details.execute();
		await shows(details.output.table, [{ id, status: 'FAILED' }]);
		await details.close();
		await canvas.publish();
		const path = `/rest/workflows/${canvas.workflowId()}`;
		expect(await running.rest.get(path)).toMatchObject({ active: true });
	});
}

/** A workflow that somebody has saved. */
function saved(running: Running, open: Open): void {
	const ends = useEnds();

	test('before the credential could be selected: the node has its credential, and lists what it may access', async () => {
		const service = await ends(startService({ data: { flows: 3 } }));
		const name = 'Production';
		const credential = await addCredential(running.rest, credentialJson(name, service));
		const step = activepieces('Flows', credential, { resource: 'flow', operation: 'getAll' });
		step.credentials = { [CREDENTIAL_TYPE]: { id: credential, name } };
		const made = await addWorkflow(running.rest, workflow('saved', [trigger(), step]));
		const details = await (await open(made.id)).openNode(step.name);
		await shows(details.credential, name);
		const project = details.locator('projectId');
		await project.openList();
		const names = service.data.projects.map(({ displayName }) => displayName).sort();
		await shows(async () => (await project.listed()).sort(), names);
	});
}

/** How a person calls an endpoint that the node does not have. */
function customApiCall(running: Running, open: Open): void {
	const ends = useEnds();
	const name = 'Behind a gateway';
	let service: Service;
	beforeAll(async () => {
		await deleteCredentials(running);
		service = await ends(startService());
	});

	/** A node of ours, and HTTP Request, in a workflow without a credential for the latter. */
	async function openWorkflow(type: string, credential: string) {
		const custom = { resource: 'flow', operation: 'getAll' };
		const authentication = type === SIGN_IN_TYPE ? 'signIn' : 'apiKey';
		const ours = activepieces('Flows', credential, { ...custom, authentication });
		ours.credentials = { [type]: { id: credential, name } };
		const url = `${service.baseUrl}/v1/users`;
		const http = step('Users', 'httpRequest', 4.2, { url, options: {} });
		const made = await addWorkflow(running.rest, workflow('custom', [trigger(), http, ours]));
		return await open(made.id);
	}

	test.each([
		[CREDENTIAL_TYPE, 'Activepieces API', credentialJson],
		[SIGN_IN_TYPE, 'Activepieces Sign-In API', signInJson],
	])('Custom API Call leads to HTTP Request with a credential of %s', async (type, label, json) => {
		const { data } = json(name, service);
		const { id } = await running.rest.post<{ id: string }>('/rest/credentials', {
			name,
			type,
			data,
		});
		const canvas = await openWorkflow(type, id);
		const details = await canvas.openNode('Flows');
		await details.select('operation', 'Custom API Call');
		await shows(details.notice, expect.stringContaining('Use the HTTP Request node'));

		// The dialog shows a blank in place of the value, and n8n keeps the value when that is saved.
		for (const isNew of [true, false]) {
			const dialog = await details.editCredential();
			if (isNew) await dialog.addHeader('X-Gateway', 'first-secret');
			else {
				await shows(dialog.headerValues, [expect.stringMatching(/^(?!.*secret)./)]);
				await dialog.fill({ baseUrl: `${service.baseUrl}/` });
			}
			service.clearRequests();
			await dialog.save();
			const sent = async () => service.requests.at(-1)?.headers['x-gateway'];
			await shows(sent, 'first-secret');
			await dialog.closeWhenAccepted();
		}
		await details.close();

		const http = await canvas.openNode('Users');
		await http.selectCredentialType(label);
		await shows(http.credential, name);
		service.clearRequests();
		await http.execute();
		await shows(http.output.table, [{ next: 'null' }]);
		const [{ headers }] = service.requests.filter(({ path }) => path === '/v1/users');
		expect(headers).toMatchObject({ 'x-gateway': 'first-secret' });
		expect(headers.authorization).toMatch(/^Bearer ./);
	});
}

describeWith(['chromium'])('The editor in a browser', () => {
	describe.each(N8N_RELEASES)('of n8n %s', (n8n) => {
		const running = useOwnN8n(n8n, async () => [[], [everyAction()]]);
		const { open, complaints } = useEditor(running);

		describe('the node panel', () => {
			let panel: NodePanel;
			beforeAll(async () => {
				panel = await (await open()).openNodePanel();
			});

			test.each(['queue', 'Activepieces'])('finds the node by "%s"', async (text) => {
				await panel.search(text);
				await shows(panel.found, expect.arrayContaining(['Activepieces']));
				await shows(panel.icons, { drawn: 1, shown: 1 });
			});

			test('lists the actions and triggers in our words, with our icon', async () => {
				await panel.search('Activepieces');
				await panel.enter('Activepieces');
				await shows(async () => await panel.listed('Actions'), ACTIONS);
				expect(await panel.listed('Triggers')).toEqual(TRIGGERS);
				// One for each of them, and one for the node's name.
				const icons = ACTIONS.length + TRIGGERS.length + 1;
				await shows(panel.icons, { drawn: icons, shown: icons });
			});
		});

		describe('the fields', () => {
			let canvas: Canvas;
			beforeAll(async () => {
				canvas = await open(running.workflows[EVERY_ACTION]);
				await canvas.fit();
			});

			test.each(PAIRS)('of "$action" have their names, none of them cut off', async (pair) => {
				const details = await canvas.openNode(pair.action);
				// Closed in any case: an open node would prevent the others from being opened.
				try {
					const credential = expect.stringMatching(/^Credential/);
					const own = labelsOf(pair.operation);
					await shows(details.labels, [credential, 'Resource', 'Operation', ...own]);
					expect(await details.cutLabels()).toEqual([]);
					expect(await details.output.root.innerText()).toContain(pair.operation.hint ?? '');
				} finally {
					await details.close();
				}
			});

			test('of the next node can use the fields of a list that never ran', async () => {
				const next = ACTIONS[ACTIONS.indexOf('Get many flows') + 1];
				const details = await canvas.openNode(next);
				// The fields of a list are followed by their first value.
				const named = async () =>
					(await details.previewOfInput()).filter((field) => !field.includes('['));
				await shows(named, Object.keys(simplifyFlow({})));
				await details.close();
			});
		});

		if (n8n === N8N_RELEASES[0]) describe('a new node', () => newNode(open));
		describe('a saved workflow', () => saved(running, open));
		describe('another endpoint', () => customApiCall(running, open));
		if (n8n === N8N_RELEASES[0]) describe('Community', () => community(running, open));

		test('causes no message in the browser’s console', () => {
			expect(complaints()).toEqual([]);
		});
	});
});
