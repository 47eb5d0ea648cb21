import type { Locator, Page } from 'playwright-core';

import { openTab, type Tab } from '../support/browser';
import { OWNER } from '../support/rest';
import type { Running } from '../support/running';
import { NodeDetails } from './nodeDetails';
import { NodePanel } from './nodePanel';

/** Signs in as the owner through n8n's sign-in page. */
export async function signInOnPage(page: Page, url: string): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.locator('input[type=email]').fill(OWNER.email);
	await page.locator('input[type=password]').fill(OWNER.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(({ pathname }) => !pathname.startsWith('/signin'));
}

/** Signs in to a running n8n, with a browser for the tests of a block. */
export function useEditor(running: Running): Tab {
	const tab = {} as Tab;
	beforeAll(async () => {
		Object.assign(tab, await openTab());
		await signInOnPage(tab.page, running.server.url);
	});
	afterAll(async () => {
		await tab.close?.();
	});
	return tab;
}

/** The canvas of the editor, with a workflow on it. */
export class Canvas {
	private constructor(private readonly page: Page) {}

	/** Opens a workflow by its ID, or a new one. */
	static async open(page: Page, url: string, id = 'new'): Promise<Canvas> {
		await page.goto(`${url}/workflow/${id}`);
		await page.getByTestId('node-creator-plus-button').waitFor();
		const canvas = new Canvas(page);
		if (id !== 'new') await page.getByTestId('canvas-node').first().waitFor();
		return canvas;
	}

	private node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async openNodePanel(): Promise<NodePanel> {
		await this.page.getByTestId('node-creator-plus-button').click();
		return await NodePanel.opened(this.page);
	}

	async openNode(name: string): Promise<NodeDetails> {
		await this.node(name).dblclick();
		return await NodeDetails.opened(this.page);
	}

	/** All elements on the canvas: notes, nodes with their names, lines. */
	everything(): Locator {
		return this.page.locator(
			'.vue-flow__node, .vue-flow__edge, [data-test-id="canvas-node"] :visible',
		);
	}

	/** Executes the workflow, and waits until its last node has run. */
	async execute(last: string): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
		await this.node(last).getByTestId('canvas-node-status-success').waitFor();
	}

	/** Activates the workflow: n8n 1 has a switch for it, n8n 2 publishes it. */
	async activate(): Promise<void> {
		const publish = this.page.getByTestId('workflow-open-publish-modal-button');
		const toggle = this.page.getByTestId('workflow-activate-switch');
		await publish.or(toggle).waitFor();
		if (await toggle.isVisible()) {
			await toggle.click();
			await this.page.locator('.is-checked[data-test-id="workflow-activate-switch"]').waitFor();
			return;
		}
		await publish.click();
		await this.page.getByTestId('workflow-publish-button').click();
		await publish.getByText('Published').waitFor();
	}

	/** The ID of the workflow, once it is saved. */
	get workflowId(): string {
		return new URL(this.page.url()).pathname.split('/').slice(-1)[0];
	}

	/** Brings all of the workflow into view. */
	async fit(): Promise<void> {
		await this.page.getByTestId('zoom-to-fit').click();
	}
}
