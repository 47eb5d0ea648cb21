import type { Page } from 'playwright-core';

import { firstLines } from '../support/browser';
import { eventually } from '../support/longRunning';

/** The dialog that creates and changes a credential, once it is open. */
export async function openedDialog(page: Page) {
	const root = page.getByTestId('editCredential-modal');
	const accepted = root.getByTestId('credentials-config-container-test-success');
	const headers = root.getByTestId('fixed-collection-headers');
	const field = (name: string) => root.getByTestId(`parameter-input-${name}`).locator('input');
	await field('baseUrl').waitFor();
	return {
		async labels() {
			const labels = root.getByTestId('credential-connection-parameter').locator('label');
			return (await firstLines(labels)).map((text) => text.replace('*', '').trim());
		},
		/** Selects the authentication in n8n 2, which has no field for it beside the credential. */
		async chooseAuthentication(name: string) {
			await root.getByTestId('credential-mode-dropdown-trigger').click();
			await page.getByRole('menuitem', { name, exact: true }).click();
		},
		async fill(values: Record<string, string>) {
			for (const [name, value] of Object.entries(values)) await field(name).fill(value);
		},
		async addHeader(name: string, value: string) {
			const row = (part: string) => headers.getByTestId(`parameter-input-${part}`).last();
			// A new row is gone if n8n fills in the saved values after the dialog has opened.
			await eventually(async () => {
				if ((await row('name').count()) === 0) {
					await headers.getByText('Add header', { exact: true }).click();
				}
				await row('name').locator('input').fill(name, { timeout: 5_000 });
			});
			await row('value').locator('input').fill(value);
		},
		/** The values of Headers, as the dialog has them. */
		async headerValues() {
			const inputs = headers.getByTestId('parameter-input-value').locator('input');
			return await Promise.all((await inputs.all()).map(async (each) => await each.inputValue()));
		},
		/** Saves the credential, which n8n then tests. */
		async save() {
			const saved = page.waitForResponse(
				(response) =>
					['POST', 'PATCH'].includes(response.request().method()) &&
					/\/rest\/credentials(\/(?!test)\w+)?$/.test(response.url()),
			);
			await root.getByRole('button', { name: 'Save', exact: true }).click();
			await saved;
		},
		/** The message of a failed credential test, with its details. */
		async refusal() {
			await root.getByText('More details').click();
			const banner = root.locator('[class*="container"]', { hasText: 'Couldn’t connect' });
			return await banner.last().innerText();
		},
		/** Waits for the message that the test succeeded. */
		acceptance: async () => await accepted.innerText(),
		/** Waits until the test has succeeded, and closes the dialog; that of a new credential closes by itself. */
		async closeWhenAccepted() {
			const closed = root.waitFor({ state: 'hidden' });
			await Promise.race([accepted.waitFor(), closed]);
			// In one step, so that it cannot disappear in between.
			await root
				.getByRole('button', { name: 'Close this dialog' })
				.evaluateAll((buttons) => buttons.forEach((button) => button.click()));
			await closed;
		},
	};
}
