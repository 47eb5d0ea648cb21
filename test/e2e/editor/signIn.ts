import type { Page } from 'playwright-core';

import { OWNER } from '../support/rest';

/** Signs in as the owner through n8n's sign-in page. */
export async function signInOnPage(page: Page, url: string): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.locator('input[type=email]').fill(OWNER.email);
	await page.locator('input[type=password]').fill(OWNER.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(({ pathname }) => !pathname.startsWith('/signin'));
}
