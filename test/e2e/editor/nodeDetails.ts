import type { Locator, Page } from 'playwright-core';

import { firstLines } from '../support/browser';
import { openedDialog } from './credentialDialog';

function outputPanel(root: Locator) {
	/** Waits for items and shows them as a table. */
	async function showTable() {
		await root.getByTestId('radio-button-table').click();
		await root.locator('table tbody tr').first().waitFor();
	}
	const errorText = async (part: string) =>
		await root.getByTestId(`node-error-${part}`).innerText();
	return {
		root,
		showTable,
		/** The rows of the table, keyed by the names in its head. */
		async table(): Promise<Array<Record<string, string>>> {
			await showTable();
			const names = await root.locator('table thead th').allInnerTexts();
			const rows = await root
				.locator('table tbody tr')
				.evaluateAll((lines) =>
					lines.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.innerText)),
				);
			return rows.map((cells) =>
				Object.fromEntries(names.map((name, index) => [name.trim(), cells[index].trim()])),
			);
		},
		/** Waits for a message and returns it. */
		message: async () => ({
			message: await errorText('message'),
			description: await errorText('description'),
		}),
	};
}

/** A field that selects a record: From List or By ID. */
function locatorField(page: Page, root: Locator) {
	const entries = page.getByTestId('rlc-item');
	const input = root.getByTestId('rlc-input');
	return {
		async openList() {
			await input.click();
			await entries.first().waitFor();
		},
		listed: async () => (await entries.allInnerTexts()).map((text) => text.trim()),
		search: async (text: string) => await page.getByTestId('rlc-search').fill(text),
		choose: async (entry: string) => await entries.getByText(entry, { exact: true }).click(),
		chosen: async () => await input.inputValue(),
		/** Enters an ID in n8n 2, which saves workflows by itself. */
		async enterId(id: string) {
			await root.getByTestId('rlc-mode-selector').click();
			await page.getByRole('option', { name: 'By ID' }).click();
			// n8n processes typed text with a delay. The automatic save shows that it is complete.
			const saved = page.waitForRequest((request) => request.postData()?.includes(id) ?? false);
			await input.fill(id);
			await saved;
		},
	};
}

/** The view of one node: input on the left, parameters in the middle, output on the right. */
export type NodeDetails = Awaited<ReturnType<typeof openedNode>>;

export async function openedNode(page: Page) {
	const root = page.getByTestId('ndv');
	const parameters = root.getByTestId('node-parameters');
	const field = (name: string) => parameters.getByTestId(`parameter-input-${name}`);
	// In n8n 1.x the switch between Fixed and Expression also consists of labels.
	const shownLabels = parameters.locator('label:visible:not([role=radio])');
	const options = page.locator('.el-select-dropdown__item:visible');

	await root.waitFor();
	await field('resource').or(field('event')).or(field('url')).waitFor();
	return {
		/** Tabs, button and parameters */
		middle: root.locator('.node-settings'),
		output: outputPanel(root.getByTestId('output-panel')),
		locator: (name: string) => locatorField(page, root.getByTestId(`resource-locator-${name}`)),
		/** Labels of the visible fields, from top to bottom. */
		labels: async () => await firstLines(shownLabels),
		/** Labels that have less space than their text needs. */
		cutLabels: async () =>
			await shownLabels.evaluateAll((labels) =>
				labels
					.filter((label) =>
						[label, ...label.querySelectorAll('div')].some(
							({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
						),
					)
					.map(({ textContent }) => textContent ?? ''),
			),
		/** Selects an option of a dropdown. */
		async select(parameter: string, choice: string) {
			await field(parameter).click();
			await options.getByText(choice, { exact: true }).click();
			await options.first().waitFor({ state: 'hidden' });
		},
		/** What the parameters tell, besides their labels. */
		notice: async () => await parameters.innerText(),
		/** Selects a credential type of a node in the node HTTP Request. */
		async selectCredentialType(name: string) {
			await this.select('authentication', 'Predefined Credential Type');
			await parameters.getByTestId('credential-select').click();
			await page.keyboard.type(name);
			await page.getByTestId('credential-select-option').getByText(name, { exact: true }).click();
		},
		credential: async () =>
			await root.getByTestId('node-credentials-select').locator('input').inputValue(),
		async createCredential() {
			await root.getByTestId('node-credentials-empty-state').getByRole('button').click();
			return await openedDialog(page);
		},
		/** Opens the dialog for the selected credential. */
		async editCredential() {
			await root.getByTestId('credential-edit-button').click();
			return await openedDialog(page);
		},
		/** Fields that the previous node usually returns, as shown before it ran. */
		async previewOfInput() {
			const panel = root.getByTestId('ndv-input-panel');
			await panel.getByTestId('schema-preview-warning').waitFor();
			return await panel.getByTestId('run-data-schema-node-name').allInnerTexts();
		},
		/** Gives the output the width of the input. */
		async widenOutput() {
			const handle = await root.getByTestId('panel-drag-button').boundingBox();
			if (handle === null) throw new Error('The panels cannot be moved');
			await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
			await page.mouse.down();
			await page.mouse.move(0, handle.y, { steps: 10 });
			await page.mouse.up();
		},
		execute: async () => await root.getByTestId('node-execute-button').click(),
		async close() {
			const button = root.getByTestId('ndv-close-button');
			// n8n 1.x has the other one.
			await button.or(root.getByTestId('back-to-canvas')).click();
			await root.waitFor({ state: 'hidden' });
		},
	};
}
