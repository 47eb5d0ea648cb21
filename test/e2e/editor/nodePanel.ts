import type { Locator, Page } from 'playwright-core';

import { NodeDetails } from './nodeDetails';

/** What an icon of ours is loaded from. */
const OUR_ICON = 'img[src*="n8n-nodes-activepieces"]';

/** The panel beside the canvas in which nodes and their actions are found. */
export class NodePanel {
	readonly root: Locator;

	private constructor(private readonly page: Page) {
		this.root = page.getByTestId('node-creator');
	}

	static async opened(page: Page): Promise<NodePanel> {
		const panel = new NodePanel(page);
		await panel.root.waitFor();
		return panel;
	}

	async search(text: string): Promise<void> {
		await this.root.getByTestId('node-creator-search-bar').fill(text);
	}

	/** Names of the nodes that the search has found so far. */
	async found(): Promise<string[]> {
		return await this.root.getByTestId('node-creator-item-name').allInnerTexts();
	}

	/** Opens what is inside a node: its actions. */
	async enter(node: string): Promise<void> {
		await this.item(node).click();
		await this.ourActions().first().waitFor();
	}

	/** The actions that have our icon, in their order. */
	async actions(): Promise<string[]> {
		return await this.ourActions().getByTestId('node-creator-item-name').allInnerTexts();
	}

	/** How many of the icons of ours are drawn, and how many there should be. */
	async icons(): Promise<{ drawn: number; shown: number }> {
		return await this.root.locator(OUR_ICON).evaluateAll((images) => ({
			// What lies ready to be dragged is hidden, and drawn only then.
			shown: images.filter((image) => image.offsetParent !== null).length,
			drawn: images.filter((image) => image.offsetParent !== null && image.naturalWidth > 0).length,
		}));
	}

	/** Adds a node for an action; it opens by itself. */
	async add(action: string): Promise<NodeDetails> {
		await this.item(action).click();
		return await NodeDetails.opened(this.page);
	}

	private item(name: string): Locator {
		return this.root.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	}

	private ourActions(): Locator {
		return this.root
			.locator('[data-keyboard-nav-type="action"]')
			.filter({ has: this.page.locator(OUR_ICON) });
	}
}
