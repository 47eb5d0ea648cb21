import type { Locator, Page } from 'playwright-core';

import { NodeDetails } from './nodeDetails';

/** The source of our icons. */
const OUR_ICON = 'img[src*="n8n-nodes-activepieces"]';

const SECTIONS = ['Actions', 'Triggers'] as const;
type Section = (typeof SECTIONS)[number];

/** The panel beside the canvas with nodes and their actions. */
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

	/** Names of the nodes that the search has found. */
	async found(): Promise<string[]> {
		return await this.root.getByTestId('node-creator-item-name').allInnerTexts();
	}

	/** Opens the content of a node: its actions and triggers. */
	async enter(node: string): Promise<void> {
		await this.item(node).click();
		for (const section of SECTIONS) {
			const head = this.section(section).getByTestId('node-creator-category-item');
			await head.waitFor();
			// On an empty canvas the triggers are open, otherwise the actions.
			if (await this.isClosed(section)) await head.click();
		}
	}

	/** The actions, or triggers, with our icon, in their order. */
	async listed(section: Section): Promise<string[]> {
		return await this.section(section)
			.locator('[data-keyboard-nav-type="action"]')
			.filter({ has: this.page.locator(OUR_ICON) })
			.getByTestId('node-creator-item-name')
			.allInnerTexts();
	}

	/** How many of our icons are drawn, and how many there should be. */
	async icons(): Promise<{ drawn: number; shown: number }> {
		return await this.root.locator(OUR_ICON).evaluateAll((images) => ({
			// Images for dragging are hidden until they are dragged.
			shown: images.filter((image) => image.offsetParent !== null).length,
			drawn: images.filter((image) => image.offsetParent !== null && image.naturalWidth > 0).length,
		}));
	}

	/** Adds a node for an action or a trigger, which opens it. */
	async add(action: string): Promise<NodeDetails> {
		await this.item(action).click();
		return await NodeDetails.opened(this.page);
	}

	private item(name: string): Locator {
		return this.root.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	}

	private section(section: Section): Locator {
		const head = this.page.locator(`[data-keyboard-nav-id="${section}"]`);
		return this.root.locator('[data-category-collapsed]').filter({ has: head });
	}

	private async isClosed(section: Section): Promise<boolean> {
		return (await this.section(section).getAttribute('data-category-collapsed')) === 'true';
	}
}
