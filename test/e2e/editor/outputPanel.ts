import type { Locator } from 'playwright-core';

export class OutputPanel {
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

	/** The whole text of the panel. */
	async text(): Promise<string> {
		return await this.root.innerText();
	}

	/** Waits for a message and returns it. */
	async message(): Promise<{ message: string; description: string }> {
		const message = this.root.getByTestId('node-error-message');
		await message.waitFor();
		const description = this.root.getByTestId('node-error-description');
		return { message: await message.innerText(), description: await description.innerText() };
	}
}
