import type { Locator, Page } from 'playwright-core';

/** A field that picks a record: From List or By ID. */
export class LocatorField {
	constructor(
		private readonly page: Page,
		private readonly root: Locator,
	) {}

	async openList(): Promise<void> {
		await this.root.getByTestId('rlc-input').click();
		await this.entries().first().waitFor();
	}

	/** What the open list shows. */
	async listed(): Promise<string[]> {
		return (await this.entries().allInnerTexts()).map((text) => text.trim());
	}

	async search(text: string): Promise<void> {
		await this.page.getByTestId('rlc-search').fill(text);
	}

	async choose(entry: string): Promise<void> {
		await this.entries().getByText(entry, { exact: true }).click();
	}

	/** What stands in the field. */
	async chosen(): Promise<string> {
		return await this.root.getByTestId('rlc-input').inputValue();
	}

	/** Enters an id in n8n 2, which saves workflows by itself. */
	async enterId(id: string): Promise<void> {
		await this.root.getByTestId('rlc-mode-selector').click();
		await this.page.getByRole('option', { name: 'By ID' }).click();
		// n8n takes in a moment later what was typed. That it saves it by itself shows that it has.
		const saved = this.page.waitForRequest((request) => request.postData()?.includes(id) ?? false);
		await this.root.getByTestId('rlc-input').fill(id);
		await saved;
	}

	private entries(): Locator {
		return this.page.getByTestId('rlc-item');
	}
}
