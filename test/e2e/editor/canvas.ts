import type { Page } from 'playwright-core';

import { openTab, type Tab } from '../support/browser';
import { OWNER } from '../support/rest';
import type { Running } from '../support/running';
import { openedNode } from './nodeDetails';
import { openedPanel } from './nodePanel';

/** Signs in as the owner through n8n's sign-in page. */
export async function signInOnPage(page: Page, url: string): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.locator('input[type=email]').fill(OWNER.email);
	await page.locator('input[type=password]').fill(OWNER.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(({ pathname }) => !pathname.startsWith('/signin'));
}

/** Signs in to a running n8n, with a browser for the tests of a block. */
export function useEditor(running: Running) {
	const tab = {} as Tab;
	beforeAll(async () => {
		Object.assign(tab, await openTab());
		await signInOnPage(tab.page, running.server.url);
	});
	afterAll(async () => await tab.close?.());
	return {
		open: async (id?: string) => await openCanvas(tab.page, running.server.url, id),
		complaints: () => tab.complaints(),
	};
}

/** The canvas of the editor, with a workflow on it. */
export type Canvas = Awaited<ReturnType<typeof openCanvas>>;

/** Opens a workflow by its ID, or a new one. */
export async function openCanvas(page: Page, url: string, id = 'new') {
	const plus = page.getByTestId('node-creator-plus-button');
	const node = (name: string) =>
		page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	await page.goto(`${url}/workflow/${id}`);
	await plus.waitFor();
	if (id !== 'new') await page.getByTestId('canvas-node').first().waitFor();
	return {
		async openNodePanel() {
			await plus.click();
			return await openedPanel(page);
		},
		async openNode(name: string) {
			await node(name).dblclick();
			return await openedNode(page);
		},
		/** All elements on the canvas: notes, nodes with their names, lines. */
		everything: page.locator(
			'.vue-flow__node, .vue-flow__edge, [data-test-id="canvas-node"] :visible',
		),
		/** Activates the workflow, which n8n 2 calls publishing. */
		async publish() {
			const publish = page.getByTestId('workflow-open-publish-modal-button');
			await publish.click();
			await page.getByTestId('workflow-publish-button').click();
			await publish.getByText('Published').waitFor();
		},
		/** The ID of the workflow, once it is saved. */
		workflowId: () => new URL(page.url()).pathname.split('/').slice(-1)[0],
		/** Brings all of the workflow into view. */
		fit: async () => await page.getByTestId('zoom-to-fit').click(),
	};
}
