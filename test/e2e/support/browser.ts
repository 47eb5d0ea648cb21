import { chromium, type Page, selectors } from 'playwright-core';

import { programPath } from './programs';

/** A browser of its own, with one page and a new profile. */
export interface Tab {
	readonly page: Page;
	/** What the browser's console was told so far that n8n does not always say */
	complaints(): string[];
	close(): Promise<void>;
}

export interface TabOptions {
	width?: number;
	height?: number;
	/** Pixels of a picture per pixel of the page */
	scale?: number;
}

/** Chromium as root, without a graphics card, and without calls to its makers. */
const ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** What n8n's editor says by itself, with any node and with none. */
const NOISE = [
	// Loads the lists of fields also for a node that has no credential yet, and says so in the field.
	/status of 500 .*\/rest\/dynamic-node-parameters\/options/,
	// Asks who is signed in, before anybody is.
	/status of 401 .*\/rest\/login/,
	// n8n 1.x: a setting is read before it has come, a feature of the paid plans is asked for, and what is
	// not there (a run before the first one, a schema of the trigger) is answered with 404.
	/reading 'enabled'/,
	/status of 403 .*\/rest\/ai\/sessions/,
	/sessions metadata: .*Plan lacks license/,
	/status of 404 .*\/executions\/last-successful/,
	/status of 404 .*\/schemas\/n8n-nodes-base/,
];

const isNoise = (text: string) =>
	!/activepieces/i.test(text) && NOISE.some((pattern) => pattern.test(text));

/** How long a page may take to show something, slow machines included. */
const WITHIN_MS = 60_000;

/**
 * Opens a browser. What the editor asks of other servers than ours (the npm registry, n8n's banners) is
 * answered with an empty list: tests ask nobody outside, and need nobody.
 */
export async function openTab({
	width = 1440,
	height = 900,
	scale = 1,
}: TabOptions = {}): Promise<Tab> {
	selectors.setTestIdAttribute('data-test-id');
	const browser = await chromium.launch({
		executablePath: programPath('chromium'),
		args: ARGUMENTS,
	});
	const context = await browser.newContext({
		viewport: { width, height },
		deviceScaleFactor: scale,
		locale: 'en-US',
		timezoneId: 'UTC',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(WITHIN_MS);
	await context.route(
		({ protocol, hostname }) => protocol.startsWith('http') && hostname !== '127.0.0.1',
		async (route) => await route.fulfill({ json: [] }),
	);

	const heard: string[] = [];
	const page = await context.newPage();
	page.on('console', (message) => {
		if (message.type() !== 'error') return;
		heard.push(`${message.text()} (${message.location().url})`);
	});
	page.on('pageerror', (error) => heard.push(`${error.message}\n${error.stack ?? ''}`));

	return {
		page,
		complaints: () => heard.filter((text) => !isNoise(text)),
		close: async () => await browser.close(),
	};
}
