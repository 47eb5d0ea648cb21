import { chromium, selectors, type Locator } from 'playwright-core';

import { programPath } from './programs';

/** A browser with one page and a new profile. */
export type Tab = Awaited<ReturnType<typeof openTab>>;

/** Runs Chromium as root, without a graphics card, and without calls to its vendor. */
const ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Messages that n8n's editor always writes, with or without a node. */
const NOISE = [
	// It also loads the lists of fields for a node without a credential, and shows the error in the field.
	/status of 500 .*\/rest\/dynamic-node-parameters\/options/,
	// It asks who is signed in before anybody is.
	/status of 401 .*\/rest\/login/,
	// n8n 1.x: it reads a setting before it has arrived, requests a feature of the paid plans, and gets 404
	// for what does not exist (a run before the first one, a schema of the trigger).
	/reading 'enabled'/,
	/status of 403 .*\/rest\/ai\/sessions/,
	/sessions metadata: .*Plan lacks license/,
	/status of 404 .*\/executions\/last-successful/,
	/status of 404 .*\/schemas\/n8n-nodes-base/,
];

const isNoise = (text: string) =>
	!/activepieces/i.test(text) && NOISE.some((pattern) => pattern.test(text));

/** The first line of each element: below it are a switch, or a description. */
export const firstLines = async (elements: Locator) =>
	(await elements.allInnerTexts()).map((text) => text.split('\n')[0].trim());

/** How long a page may take to show something, including slow machines. */
const WITHIN_MS = 60_000;

/**
 * Opens a browser. Requests of the editor to other servers (the npm registry, n8n's banners) get an
 * empty list, so tests contact no server outside.
 *
 * @param scale pixels of a picture per pixel of the page
 */
export async function openTab(scale = 1) {
	selectors.setTestIdAttribute('data-test-id');
	const browser = await chromium.launch({
		executablePath: programPath('chromium'),
		args: ARGUMENTS,
	});
	const context = await browser.newContext({
		viewport: { width: 1440, height: 900 },
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
		if (message.type() === 'error') heard.push(`${message.text()} (${message.location().url})`);
	});
	page.on('pageerror', (error) => heard.push(`${error.message}\n${error.stack ?? ''}`));

	return {
		page,
		/** Messages in the browser's console that n8n does not always write */
		complaints: () => heard.filter((text) => !isNoise(text)),
		close: async () => await browser.close(),
	};
}
