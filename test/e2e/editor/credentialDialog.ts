import type { Locator, Page } from 'playwright-core';

/** The dialog that creates and changes a credential. */
export class CredentialDialog {
	private readonly root: Locator;
	private readonly accepted: Locator;

	private constructor(private readonly page: Page) {
		this.root = page.getByTestId('editCredential-modal');
		this.accepted = this.root.getByTestId('credentials-config-container-test-success');
	}

	static async opened(page: Page): Promise<CredentialDialog> {
		const dialog = new CredentialDialog(page);
		await dialog.field('baseUrl').waitFor();
		return dialog;
	}

	async labels(): Promise<string[]> {
		const texts = await this.root
			.getByTestId('credential-connection-parameter')
			.locator('label')
			.allInnerTexts();
		return texts.map((text) => text.split('\n')[0].replace('*', '').trim());
	}

	/** Selects the authentication in n8n 2, which has no field for it beside the credential. */
	async chooseAuthentication(name: string): Promise<void> {
		await this.root.getByTestId('credential-mode-dropdown-trigger').click();
		await this.page.getByRole('menuitem', { name, exact: true }).click();
	}

	async fill(values: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
	}

	/** Saves the credential, which n8n then tests. */
	async save(): Promise<void> {
		await this.root.getByRole('button', { name: 'Save', exact: true }).click();
	}

	/** The message of a failed credential test, with its details. */
	async refusal(): Promise<string> {
		await this.root.getByText('More details').click();
		const banner = this.root.locator('[class*="container"]', { hasText: 'Couldn’t connect' });
		return await banner.last().innerText();
	}

	/** Waits for the message that the test succeeded. */
	async acceptance(): Promise<string> {
		await this.accepted.waitFor();
		return await this.accepted.innerText();
	}

	/** Waits until the test has succeeded, and closes the dialog; that of a new credential closes by itself. */
	async closeWhenAccepted(): Promise<void> {
		const closed = this.root.waitFor({ state: 'hidden' });
		await Promise.race([this.accepted.waitFor(), closed]);
		// In one step, so that it cannot disappear in between.
		await this.root
			.getByRole('button', { name: 'Close this dialog' })
			.evaluateAll((buttons) => buttons.forEach((button) => button.click()));
		await closed;
	}

	private field(name: string): Locator {
		return this.root.getByTestId(`parameter-input-${name}`).locator('input');
	}
}
