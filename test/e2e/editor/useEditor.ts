import { openTab, type Tab } from '../support/browser';
import type { Running } from '../support/running';
import { signInOnPage } from './signIn';

/** Signs in to a running n8n, with a browser for the tests of a block. */
export function useEditor(running: Running): Tab {
	const tab = {} as Tab;
	beforeAll(async () => {
		Object.assign(tab, await openTab());
		await signInOnPage(tab.page, running.server.url);
	});
	afterAll(async () => {
		await tab.close?.();
	});
	return tab;
}
