import type { Page } from 'playwright-core';

import { openedNode } from './nodeDetails';

/** The source of our icons. */
const OUR_ICON = 'img[src*="n8n-nodes-activepieces"]';

const SECTIONS = ['Actions', 'Triggers'] as const;

/** The panel beside the canvas with nodes and their actions. */
export type NodePanel = Awaited<ReturnType<typeof openedPanel>>;

export async function openedPanel(page: Page) {
	const root = page.getByTestId('node-creator');
	const item = (name: string) =>
		root.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	const section = (name: (typeof SECTIONS)[number]) =>
		root
			.locator('[data-category-collapsed]')
			.filter({ has: page.locator(`[data-keyboard-nav-id="${name}"]`) });
	await root.waitFor();
	return {
		root,
		search: async (text: string) => await root.getByTestId('node-creator-search-bar').fill(text),
		/** Names of the nodes that the search has found. */
		found: async () => await root.getByTestId('node-creator-item-name').allInnerTexts(),
		/** Opens the content of a node: its actions and triggers. */
		async enter(node: string) {
			await item(node).click();
			for (const each of SECTIONS.map(section)) {
				const head = each.getByTestId('node-creator-category-item');
				await head.waitFor();
				// On an empty canvas the triggers are open, otherwise the actions.
				if ((await each.getAttribute('data-category-collapsed')) === 'true') await head.click();
			}
		},
		/** The actions, or triggers, with our icon, in their order. */
		listed: async (name: (typeof SECTIONS)[number]) =>
			await section(name)
				.locator('[data-keyboard-nav-type="action"]')
				.filter({ has: page.locator(OUR_ICON) })
				.getByTestId('node-creator-item-name')
				.allInnerTexts(),
		/** How many of our icons are drawn, and how many there should be. */
		icons: async () =>
			await root.locator(OUR_ICON).evaluateAll((images) => {
				// Images for dragging are hidden until they are dragged.
				const shown = images.filter((image) => image.offsetParent !== null);
				return {
					shown: shown.length,
					drawn: shown.filter((image) => image.naturalWidth > 0).length,
				};
			}),
		/** Adds a node for an action or a trigger, which opens it. */
		async add(action: string) {
			await item(action).click();
			return await openedNode(page);
		},
	};
}
