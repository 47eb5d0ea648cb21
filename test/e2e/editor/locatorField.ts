import type { Locator, Page } from 'playwright-core';

/** A field that selects a record: From List or By ID. */
export class LocatorField {
	constructor(
		private readonly page: Page,
		private readonly root: Locator,
	) {}

	async openList(): Promise<void> {
		await this.root.getByTestId('rlc-input').click();
		await this.entries().first().waitFor();
	}

	async listed(): Promise<string[]> {
		return (await this.entries().allInnerTexts()).map((text) => text.trim());
	}

	async search(text: string): Promise<void> {
		await this.page.getByTestId('rlc-search').fill(text);
	}

	async choose(entry: string): Promise<void> {
		await this.entries().getByText(entry, { exact: true }).click();
	}

	/** The content of the field. */
	async chosen(): Promise<string> {
		return await this.root.getByTestId('rlc-input').inputValue();
	}

	/** Enters an ID in n8n 2, which saves workflows by itself. */
	async enterId(id: string): Promise<void> {
		await this.root.getByTestId('rlc-mode-selector').click();
		await this.page.getByRole('option', { name: 'By ID' }).click();
		// n8n processes typed text with a delay. The automatic save shows that it is complete.
		const saved = this.page.waitForRequest((request) => request.postData()?.includes(id) ?? false);
		await this.root.getByTestId('rlc-input').fill(id);
		await saved;
	}

	private entries(): Locator {
		return this.page.getByTestId('rlc-item');
	}
}
