import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import { simplifyFlow } from '../../nodes/Activepieces/resources/flow/flow';
import type { Operation } from '../../nodes/Activepieces/resources/operation';
import { events } from '../../nodes/Activepieces/trigger/events';
import { type Service, startService } from '../service';
import { Canvas, useEditor } from './editor/canvas';
import type { NodeDetails } from './editor/nodeDetails';
import type { NodePanel } from './editor/nodePanel';
import { type Inbox, startInbox } from './examples/inbox';
import { credentialJson, importWorkflows } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { eventually, pause } from './support/longRunning';
import { describeWith } from './support/programs';
import { type Running, useN8n } from './support/running';
import { createActivation, POLL_MS, receivedBy, triggerWorkflow } from './support/triggerEvents';
import { activepieces, chain, trigger, workflow } from './support/workflow';

/** Sorted as the editor lists them. */
const byName = (operations: Operation[]) =>
	[...operations].sort((a, b) => (a.name < b.name ? -1 : 1));

const PAIRS = resources.flatMap(({ name, value, operations }) =>
	byName(operations).map((operation) => ({
		action: operation.action,
		resource: { name, value },
		operation,
	})),
);
const ACTIONS = PAIRS.map(({ action }) => action);
const TRIGGERS = events.map(({ name, action }) => action ?? `On ${name.toLowerCase()}`);

const optionsOf = ({ options = [] }: INodeProperties) => options as INodeProperties[];
const isCollection = ({ type }: INodeProperties) => type === 'collection';

/** Adds every field to every collection of an operation. */
const everyOption = ({ properties }: Operation): INodeParameters =>
	Object.fromEntries(
		properties
			.filter(isCollection)
			.map((field) => [
				field.name,
				Object.fromEntries(
					optionsOf(field).map((option) => [option.name, option.default]),
				) as INodeParameters,
			]),
	);

/** Whether a field is shown while all others have their defaults; fields for agents' tools never are. */
const isShownByDefault = ({ displayOptions }: INodeProperties, fields: INodeProperties[]) =>
	Object.entries(displayOptions?.show ?? {}).every(([name, values = []]) =>
		fields.some((field) => field.name === name && (values as unknown[]).includes(field.default)),
	);

/** Labels of an operation's fields, from its description. */
const labelsOf = ({ properties }: Operation): string[] =>
	properties
		.filter((field) => isShownByDefault(field, properties))
		.flatMap((field) => [
			// n8n's own label, in place of that of the field.
			field.type === 'resourceMapper' ? 'Mapping Column Mode' : field.displayName,
			...(isCollection(field) ? optionsOf(field).map(({ displayName }) => displayName) : []),
		]);

const EVERY_ACTION = 'every-action';

/** A node for each of the actions, in a row. */
function everyAction() {
	const start = trigger();
	const steps = PAIRS.map(({ action, resource, operation }) => ({
		...activepieces(action, '', {
			resource: resource.value,
			operation: operation.value,
			...everyOption(operation),
		}),
		// Without a credential the editor offers to create one instead of a selection.
		credentials: undefined,
	}));
	return workflow(EVERY_ACTION, [start, ...steps], chain(start, ...steps));
}

/** The fields of a list that its schema shows in the editor before it ever ran. */
const FIELDS_OF_A_FLOW = Object.keys(simplifyFlow({}));

/** From an empty canvas to results and messages, as somebody does who has just installed the package. */
function newNode(open: () => Promise<Canvas>): void {
	let service: Service;
	let details: NodeDetails;
	beforeAll(async () => {
		service = await startService({ data: { flows: 20 } });
		const panel = await (await open()).openNodePanel();
		await panel.search('activepieces');
		await panel.enter('Activepieces');
		details = await panel.add('Get folder');
	});
	afterAll(async () => {
		await service?.close();
	});

	const inProject = ({ displayName, projectId }: Service['data']['folders'][number]) => {
		const project = service.data.projects.find(({ id }) => id === projectId);
		return `${displayName} (${project?.displayName})`;
	};

	test('asks for a credential, explains what is wrong with its key, and accepts the right one', async () => {
		const dialog = await details.createCredential();
		expect((await dialog.labels()).slice(0, 2)).toEqual(['Base URL', 'API Key']);
		await dialog.fill({ baseUrl: service.baseUrl, apiKey: 'sk-wrong' });
		await dialog.save();
		const refusal = await dialog.refusal();
		expect(refusal).toContain('Activepieces did not accept the API key');
		expect(refusal).toContain('Security > API Keys');
		expect(refusal).not.toContain('sk-wrong');

		await dialog.fill({ baseUrl: service.baseUrl, apiKey: service.apiKey });
		await dialog.save();
		await dialog.closeWhenAccepted();
		const again = await details.editCredential();
		expect(await again.acceptance()).toContain('Connection tested successfully');
		await again.closeWhenAccepted();
	});

	test('lists the folders of all projects, and searches them', async () => {
		const folder = details.locator('folderId');
		await folder.openList();
		const all = service.data.folders.map(inProject).sort();
		await eventually(async () => expect((await folder.listed()).sort()).toEqual(all));
		await folder.search('billing');
		const found = all.filter((name) => name.startsWith('Billing'));
		await eventually(async () => expect((await folder.listed()).sort()).toEqual(found));
		await folder.choose(found[0]);
		await eventually(async () => expect(await folder.chosen()).toBe(found[0]));
	});

	test('shows the selected folder', async () => {
		await details.execute();
		const [folder] = service.data.folders
			.filter(({ displayName }) => displayName === 'Billing')
			.sort((a, b) => (inProject(a) < inProject(b) ? -1 : 1));
		await eventually(async () =>
			expect(await details.output.table()).toMatchObject([
				{ id: folder.id, name: folder.displayName, projectId: folder.projectId },
			]),
		);
	});

	test('names the folder that was not found, and what to check', async () => {
		await details.locator('folderId').enterId('nosuchfolder');
		await details.execute();
		await eventually(async () =>
			expect(await details.output.message()).toEqual({
				message: 'Folder "nosuchfolder" was not found',
				description:
					'Check Folder. The folder may have been deleted, or may belong to another Activepieces server or platform.',
			}),
		);
	});
}

/** A workflow without the field `authentication`. */
function savedWorkflow(running: Running, open: (id: string) => Promise<Canvas>): void {
	const name = 'Production';
	let service: Service;
	let details: NodeDetails;
	beforeAll(async () => {
		service = await startService({ data: { flows: 3 } });
		const { rest } = running;
		const { type, data } = credentialJson(name, service);
		const { id } = await rest.post<{ id: string }>('/rest/credentials', { name, type, data });
		const step = {
			...activepieces('Flows', id, { resource: 'flow', operation: 'getAll' }),
			credentials: { [type]: { id, name } },
		};
		const steps = [trigger(), step];
		const saved = { ...workflow('saved', steps, chain(...steps)), id: undefined };
		const made = await rest.post<{ id: string }>('/rest/workflows', saved);
		details = await (await open(made.id)).openNode(step.name);
	});
	afterAll(async () => {
		await service?.close();
	});

	test('has its credential', async () => {
		await eventually(async () => expect(await details.credential()).toBe(name));
	});

	test('lists what its credential may access', async () => {
		const project = details.locator('projectId');
		await project.openList();
		const names = service.data.projects.map(({ displayName }) => displayName).sort();
		await eventually(async () => expect((await project.listed()).sort()).toEqual(names));
	});
}

/** What somebody does who receives a workflow with a trigger. */
function savedTrigger(running: Running, open: (id: string) => Promise<Canvas>): void {
	const name = 'Watched';
	let service: Service;
	let inbox: Inbox;
	let id: string;
	let canvas: Canvas;
	beforeAll(async () => {
		const { rest } = running;
		service = await startService({ data: { flows: 3 } });
		inbox = await startInbox();
		const { type, data } = credentialJson(name, service);
		const credential = await rest.post<{ id: string }>('/rest/credentials', { name, type, data });
		const json = triggerWorkflow('editor', inbox, { event: 'userJoined' }, credential.id);
		({ id } = await rest.post<{ id: string }>('/rest/workflows', { ...json, id: undefined }));
		canvas = await open(id);
	});
	afterAll(async () => {
		await createActivation(running.home.installation.release, running.rest).deactivate(id);
		await inbox?.close();
		await service?.close();
	});

	test('fetches a test event', async () => {
		const details = await canvas.openNode('Activepieces Trigger');
		const newest = service.live.addUser();
		await details.execute();
		await eventually(async () =>
			expect(await details.output.table()).toMatchObject([{ id: newest.id }]),
		);
		await details.close();
	});

	test('is activated, and starts the workflow', async () => {
		await canvas.activate();
		// The first poll remembers the existing records.
		await eventually(async () => expect(service.requests.slice(-1)[0].path).toBe('/v1/users'));
		await pause(POLL_MS);
		const { id: joined } = service.live.addUser();
		await eventually(async () => expect(receivedBy(inbox, 'editor')).toEqual([joined]));
	});
}

describeWith(['chromium'])('The editor in a browser', () => {
	describe.each(N8N_RELEASES)('of n8n %s', (n8n) => {
		const running = useN8n(n8n, async (home) => await importWorkflows(home, [everyAction()]));
		const tab = useEditor(running);
		const open = async (id?: string) => await Canvas.open(tab.page, running.server.url, id);

		describe('the node panel', () => {
			let panel: NodePanel;
			beforeAll(async () => {
				panel = await (await open()).openNodePanel();
			});

			test.each(['queue', 'Activepieces'])('finds the node by "%s"', async (text) => {
				await panel.search(text);
				await eventually(async () => expect(await panel.found()).toContain('Activepieces'));
				await eventually(async () => expect(await panel.icons()).toEqual({ drawn: 1, shown: 1 }));
			});

			test('lists the actions and triggers in our words, with our icon', async () => {
				await panel.search('Activepieces');
				await panel.enter('Activepieces');
				await eventually(async () => expect(await panel.listed('Actions')).toEqual(ACTIONS));
				expect(await panel.listed('Triggers')).toEqual(TRIGGERS);
				// One for each of them, and one for the node's name.
				const icons = ACTIONS.length + TRIGGERS.length + 1;
				await eventually(async () =>
					expect(await panel.icons()).toEqual({ drawn: icons, shown: icons }),
				);
			});
		});

		describe('the fields', () => {
			let canvas: Canvas;
			beforeAll(async () => {
				canvas = await open(EVERY_ACTION);
				await canvas.fit();
			});

			test.each(PAIRS)('of "$action" have their names, none of them cut off', async (pair) => {
				const details = await canvas.openNode(pair.action);
				// Closed in any case: an open node would prevent the others from being opened.
				try {
					await eventually(async () =>
						expect(await details.labels()).toEqual([
							expect.stringMatching(/^Credential/),
							'Resource',
							'Operation',
							...labelsOf(pair.operation),
						]),
					);
					expect(await details.cutLabels()).toEqual([]);
					expect(await details.output.text()).toContain(pair.operation.hint ?? '');
				} finally {
					await details.close();
				}
			});

			test('of the next node can use the fields of a list that never ran', async () => {
				const next = ACTIONS[ACTIONS.indexOf('Get many flows') + 1];
				const details = await canvas.openNode(next);
				await eventually(async () => {
					const fields = await details.previewOfInput();
					// The fields of a list are followed by their first value.
					expect(fields.filter((field) => !field.includes('['))).toEqual(FIELDS_OF_A_FLOW);
				});
				await details.close();
			});

			test('list the resources and their operations', async () => {
				const details = await canvas.openNode('Get many flows');
				expect(await details.choices('resource')).toEqual(resources.map(({ name }) => name));
				for (const { name, operations } of resources) {
					await details.select('resource', name);
					const [{ name: first }] = operations;
					await eventually(async () => expect(await details.selected('operation')).toBe(first));
					expect(await details.choices('operation')).toEqual(
						byName(operations).map((operation) => operation.name),
					);
				}
				await details.close();
			});
		});

		if (n8n === N8N_RELEASES[0]) describe('a new node', () => newNode(open));

		describe('a workflow that was saved before the credential could be selected', () =>
			savedWorkflow(running, open));

		describe('a workflow with a trigger', () => savedTrigger(running, open));

		test('causes no message in the browser’s console', () => {
			expect(tab.complaints()).toEqual([]);
		});
	});
});
