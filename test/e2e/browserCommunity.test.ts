import type { IDataObject } from 'n8n-workflow';

import { FAILED_ON_ALL_RELEASES } from '../../nodes/Activepieces/resources/flowRun/statuses';
import { type Service, startService } from '../service';
import { startWord } from '../startWord';
import { Canvas } from './editor/canvas';
import type { NodeDetails } from './editor/nodeDetails';
import { useEditor } from './editor/useEditor';
import { eventually } from './support/eventually';
import { N8N_RELEASES } from './support/install';
import { describeWith } from './support/programs';
import { useN8n } from './support/running';

const [N8N] = N8N_RELEASES;

/** What a person of the Community edition does, which has no API keys. */
describeWith(['chromium'])(`Activepieces Community in the editor of n8n ${N8N}`, () => {
	const running = useN8n(N8N);
	const tab = useEditor(running);
	let service: Service;
	beforeAll(async () => {
		service = await startService({
			edition: 'community',
			release: '0.85',
			data: { flows: 20, flowRuns: 30, invitations: 6 },
		});
	});
	afterAll(async () => {
		await service?.close();
	});

	/** Adds a node to a new workflow. */
	async function add(action: string): Promise<[Canvas, NodeDetails]> {
		const canvas = await Canvas.open(tab.page, running.server.url);
		const panel = await canvas.openNodePanel();
		await panel.search('activepieces');
		await panel.enter('Activepieces');
		return [canvas, await panel.add(action)];
	}

	const projectName = (id: unknown) =>
		service.data.projects.find((project) => project.id === id)?.displayName;

	describe('a node', () => {
		let details: NodeDetails;
		beforeAll(async () => {
			[, details] = await add('Get many flows');
		});

		test('is given a Sign-In credential, which says when the password is wrong', async () => {
			const dialog = await details.createCredential();
			await dialog.chooseAuthentication('Sign-In');
			await eventually(async () =>
				expect((await dialog.labels()).slice(0, 3)).toEqual(['Base URL', 'Email', 'Password']),
			);
			const [{ user, password }] = service.accounts;
			const { baseUrl } = service;
			await dialog.fill({ baseUrl, email: user.email, password: 'not-the-password' });
			await dialog.save();
			const refusal = await dialog.refusal();
			expect(refusal).toContain('did not accept the email and password');
			expect(refusal).not.toContain('not-the-password');

			await dialog.fill({ baseUrl, email: user.email, password });
			await dialog.save();
			await dialog.closeWhenAccepted();
			const again = await details.editCredential();
			expect(await again.acceptance()).toContain('Connection tested successfully');
			await again.closeWhenAccepted();
		});

		test.each<{
			operation: [resource: string, operation: string];
			locator: string;
			names: () => string[];
		}>([
			{
				operation: ['Flow', 'Get Many'],
				locator: 'projectId',
				names: () => service.data.projects.map(({ displayName }) => displayName),
			},
			{
				operation: ['Flow', 'Get'],
				locator: 'flowId',
				names: () =>
					service.data.flows.map(
						({ version, projectId, status }) =>
							`${version.displayName} (${projectName(projectId)}, ${status.toLowerCase()}, ${startWord(version.trigger)})`,
					),
			},
			{
				operation: ['Flow Run', 'Get'],
				locator: 'flowRunId',
				names: () =>
					service.data.flowRuns
						.filter(({ status }) => FAILED_ON_ALL_RELEASES.includes(status))
						.map(({ flowId, created, projectId, status, failedStep }) => {
							const { published, flows } = service.data;
							const version =
								published.get(flowId) ?? flows.find(({ id }) => id === flowId)?.version;
							const second = created.slice(0, 19).replace('T', ' ');
							const word = status.toLowerCase().replaceAll('_', ' ');
							const reason = failedStep?.displayName ?? word;
							const several = service.data.projects.length > 1;
							const project = several ? ` (${projectName(projectId)})` : '';
							return `${second}Z, ${version?.displayName}, ${reason}${project}`;
						}),
			},
			{
				operation: ['Folder', 'Get'],
				locator: 'folderId',
				names: () =>
					service.data.folders.map(
						({ displayName, projectId }) => `${displayName} (${projectName(projectId)})`,
					),
			},
			{
				operation: ['User Invitation', 'Delete'],
				locator: 'invitationId',
				names: () =>
					service.data.invitations.map(
						({ email, status }) => `${email} (platform, ${status.toLowerCase()})`,
					),
			},
		])('lists the records of $locator', async ({ operation, locator, names }) => {
			await details.select('resource', operation[0]);
			await details.select('operation', operation[1]);
			const field = details.locator(locator);
			await field.openList();
			await eventually(async () => expect((await field.listed()).sort()).toEqual(names().sort()));
			const [first] = names();
			await field.choose(first);
			await eventually(async () => expect(await field.chosen()).toBe(first));
		});

		test('gives the folders', async () => {
			await details.select('resource', 'Folder');
			await details.select('operation', 'Get Many');
			await details.execute();
			const held = service.data.folders.map(({ id }) => id).sort();
			await eventually(async () =>
				expect((await details.output.table()).map(({ id }) => id).sort()).toEqual(held),
			);
		});
	});

	describe('the trigger', () => {
		let canvas: Canvas;
		let details: NodeDetails;
		beforeAll(async () => {
			[canvas, details] = await add('On flow run failed');
		});

		test('has the Sign-In credential and the event that was chosen', async () => {
			await eventually(async () =>
				expect(await details.credential()).toBe('Activepieces Sign-In account'),
			);
			expect(await details.selected('event')).toBe('Flow Run Failed');
		});

		test('fetches the newest run that failed as its test event', async () => {
			const { id } = service.live.addFlowRun({ status: 'FAILED' });
			await details.execute();
			await eventually(async () =>
				expect(await details.output.table()).toMatchObject([{ id, status: 'FAILED' }]),
			);
			await details.close();
		});

		test('is active once the workflow is published', async () => {
			await canvas.activate();
			const [id] = new URL(tab.page.url()).pathname.split('/').slice(-1);
			expect(await running.rest.get<IDataObject>(`/rest/workflows/${id}`)).toMatchObject({
				active: true,
			});
		});
	});

	test('nothing of it makes the browser complain', () => {
		expect(tab.complaints()).toEqual([]);
	});
});
