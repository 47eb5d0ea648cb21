import type { IDataObject } from 'n8n-workflow';

import { type Service, startService } from '../service';
import { Canvas, useEditor } from './editor/canvas';
import type { NodeDetails } from './editor/nodeDetails';
import { N8N_RELEASES } from './support/install';
import { eventually } from './support/longRunning';
import { describeWith } from './support/programs';
import { useN8n } from './support/running';

const [N8N] = N8N_RELEASES;

/** What a person does with the Community edition, which has no API keys. */
describeWith(['chromium'])(`Activepieces Community in the editor of n8n ${N8N}`, () => {
	const running = useN8n(N8N);
	const tab = useEditor(running);
	let service: Service;
	beforeAll(async () => {
		const data = { flows: 20, flowRuns: 30 };
		service = await startService({ edition: 'community', release: '0.85', data });
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

	describe('a node', () => {
		let details: NodeDetails;
		beforeAll(async () => {
			[, details] = await add('Get many flows');
		});

		test('accepts a Sign-In credential, and says when the password is wrong', async () => {
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

		test('lists the runs, and uses the selected one', async () => {
			await details.select('resource', 'Flow Run');
			await details.select('operation', 'Get');
			const field = details.locator('flowRunId');
			await field.openList();
			const { flowRuns } = service.data;
			const times = flowRuns.map(({ created }) => `${created.slice(0, 19).replace('T', ' ')}Z`);
			const timesListed = async () =>
				(await field.listed()).map((entry) => entry.replace(/,.*/, '')).sort();
			await eventually(async () => expect(await timesListed()).toEqual(times.sort()));
			const [first] = await field.listed();
			await field.choose(first);
			await eventually(async () => expect(await field.chosen()).toBe(first));
		});
	});

	describe('the trigger', () => {
		let canvas: Canvas;
		let details: NodeDetails;
		beforeAll(async () => {
			[canvas, details] = await add('On flow run failed');
		});

		test('fetches the newest failed run as its test event', async () => {
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

	test('causes no message in the browser’s console', () => {
		expect(tab.complaints()).toEqual([]);
	});
});
