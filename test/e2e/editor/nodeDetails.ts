import type { Locator, Page } from 'playwright-core';

import { CredentialDialog } from './credentialDialog';

class OutputPanel {
	constructor(readonly root: Locator) {}

	/** Waits for items and shows them as a table. */
	async showTable(): Promise<void> {
		await this.root.getByTestId('radio-button-table').click();
		await this.root.locator('table tbody tr').first().waitFor();
	}

	/** The rows of the table, keyed by the names in its head. */
	async table(): Promise<Array<Record<string, string>>> {
		await this.showTable();
		const names = await this.root.locator('table thead th').allInnerTexts();
		const rows = await this.root
			.locator('table tbody tr')
			.evaluateAll((lines) =>
				lines.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.innerText)),
			);
		return rows.map((cells) =>
			Object.fromEntries(names.map((name, index) => [name.trim(), cells[index].trim()])),
		);
	}

	/** Waits for a message and returns it. */
	async message(): Promise<{ message: string; description: string }> {
		const textOf = async (part: string) =>
			await this.root.getByTestId(`node-error-${part}`).innerText();
		return { message: await textOf('message'), description: await textOf('description') };
	}
}

/** A field that selects a record: From List or By ID. */
class LocatorField {
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

/** The view of one node: input on the left, parameters in the middle, output on the right. */
export class NodeDetails {
	readonly root: Locator;
	/** Tabs, button and parameters */
	readonly middle: Locator;
	private readonly parameters: Locator;
	readonly output: OutputPanel;

	private constructor(private readonly page: Page) {
		this.root = page.getByTestId('ndv');
		this.middle = this.root.locator('.node-settings');
		this.parameters = this.root.getByTestId('node-parameters');
		this.output = new OutputPanel(this.root.getByTestId('output-panel'));
	}

	static async opened(page: Page): Promise<NodeDetails> {
		const details = new NodeDetails(page);
		await details.root.waitFor();
		await details.field('resource').or(details.field('event')).waitFor();
		return details;
	}

	/** Labels of the visible fields, from top to bottom. */
	async labels(): Promise<string[]> {
		const texts = await this.shownLabels().allInnerTexts();
		// The switch between Fixed and Expression is below the label.
		return texts.map((text) => text.split('\n')[0].trim());
	}

	/** Labels that have less space than their text needs. */
	async cutLabels(): Promise<string[]> {
		return await this.shownLabels().evaluateAll((labels) =>
			labels
				.filter((label) =>
					[label, ...label.querySelectorAll('div')].some(
						({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
					),
				)
				.map(({ textContent }) => textContent ?? ''),
		);
	}

	/** The selected option of a dropdown. */
	async selected(parameter: string): Promise<string> {
		return await this.field(parameter).locator('input').inputValue();
	}

	async choices(parameter: string): Promise<string[]> {
		const options = await this.openDropdown(parameter);
		const texts = await options.allInnerTexts();
		// Closes it; Escape would close the node as well.
		await this.field(parameter).click();
		await options.first().waitFor({ state: 'hidden' });
		// An option may have a description below its name.
		return texts.map((text) => text.split('\n')[0].trim());
	}

	async select(parameter: string, choice: string): Promise<void> {
		const options = await this.openDropdown(parameter);
		await options.getByText(choice, { exact: true }).click();
		await options.first().waitFor({ state: 'hidden' });
	}

	async credential(): Promise<string> {
		return await this.root.getByTestId('node-credentials-select').locator('input').inputValue();
	}

	/** Opens the dialog for a new credential. */
	async createCredential(): Promise<CredentialDialog> {
		await this.root.getByTestId('node-credentials-empty-state').getByRole('button').click();
		return await CredentialDialog.opened(this.page);
	}

	/** Opens the dialog for the selected credential. */
	async editCredential(): Promise<CredentialDialog> {
		await this.root.getByTestId('credential-edit-button').click();
		return await CredentialDialog.opened(this.page);
	}

	locator(parameter: string): LocatorField {
		return new LocatorField(this.page, this.root.getByTestId(`resource-locator-${parameter}`));
	}

	/** Fields that the previous node usually returns, as shown before it ran. */
	async previewOfInput(): Promise<string[]> {
		const panel = this.root.getByTestId('ndv-input-panel');
		await panel.getByTestId('schema-preview-warning').waitFor();
		return await panel.getByTestId('run-data-schema-node-name').allInnerTexts();
	}

	/** Gives the output the width of the input. */
	async widenOutput(): Promise<void> {
		const handle = await this.root.getByTestId('panel-drag-button').boundingBox();
		if (handle === null) throw new Error('The panels cannot be moved');
		const { mouse } = this.page;
		await mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
		await mouse.down();
		await mouse.move(0, handle.y, { steps: 10 });
		await mouse.up();
	}

	async execute(): Promise<void> {
		await this.root.getByTestId('node-execute-button').click();
	}

	async close(): Promise<void> {
		const button = this.root.getByTestId('ndv-close-button');
		// n8n 1.x has the other one.
		await button.or(this.root.getByTestId('back-to-canvas')).click();
		await this.root.waitFor({ state: 'hidden' });
	}

	private async openDropdown(parameter: string): Promise<Locator> {
		await this.field(parameter).click();
		const options = this.page.locator('.el-select-dropdown__item:visible');
		await options.first().waitFor();
		return options;
	}

	private field(parameter: string): Locator {
		return this.parameters.getByTestId(`parameter-input-${parameter}`);
	}

	private shownLabels(): Locator {
		// In n8n 1.x the switch between Fixed and Expression also consists of labels.
		return this.parameters.locator('label:visible:not([role=radio])');
	}
}
