import type { Locator, Page } from 'playwright-core';

import { CredentialDialog } from './credentialDialog';
import { LocatorField } from './locatorField';
import { OutputPanel } from './outputPanel';

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
		// The second selector is for n8n 1.x.
		await this.root
			.getByTestId('ndv-close-button')
			.or(this.root.getByTestId('back-to-canvas'))
			.click();
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
