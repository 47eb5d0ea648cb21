/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the browser, never inside n8n */
import { writeFileSync } from 'node:fs';

import type { Locator, Page } from 'playwright-core';

import { eventually } from '../support/longRunning';

/** Elements that cover or surround the subject of the picture. */
const HIDDEN = [
	// Notifications and promotions.
	'.el-notification',
	'[data-test-id="node-feature-request"]',
	// Buttons and dots of the canvas.
	'[data-test-id="canvas-background"]',
	'[data-test-id="canvas-controls"]',
	'[data-test-id="canvas-node-toolbar"]',
	'[data-test-id="canvas-handle-plus-wrapper"]',
	'[data-test-id="node-creator-plus-button"]',
	'[data-test-id="command-bar-button"]',
	'[data-test-id="add-sticky-button"]',
	'[data-test-id="toggle-focus-panel-button"]',
	'[data-test-id="instance-ai-canvas-action-button"]',
	':has(> [data-test-id="execute-workflow-button"])',
	// Progress and duration of a run.
	'[data-test-id="node-run-info"]',
];

const STYLE = `
	${HIDDEN.join(', ')} { visibility: hidden !important }
	[data-test-id="node-error-view-instance-ai-button"] { display: none !important }
	/** The page behind it would be visible in the corners. */
	:has([data-test-id="output-panel"]) { border-radius: 0 !important }
`;

/** The smallest box around all visible elements. */
const boxOf = async (parts: Locator) =>
	await parts.evaluateAll((elements) => {
		const boxes = elements
			.map((element) => element.getBoundingClientRect())
			.filter(({ width, height }) => width + height > 0);
		if (boxes.length === 0) throw new Error('There is nothing to draw');
		const x = Math.min(...boxes.map(({ left }) => left));
		const y = Math.min(...boxes.map(({ top }) => top));
		const width = Math.max(...boxes.map(({ right }) => right)) - x;
		const height = Math.max(...boxes.map(({ bottom }) => bottom)) - y;
		return { x, y, width, height };
	});

type Box = Awaited<ReturnType<typeof boxOf>>;

/** The box of elements that may be moving, once they have stopped. */
async function restingBox(page: Page, parts: Locator): Promise<Box> {
	// Away from elements that react to the pointer.
	await page.mouse.move(0, 0);
	let before: Box | undefined;
	return await eventually(async () => {
		const box = await boxOf(parts);
		const isResting = JSON.stringify(box) === JSON.stringify(before);
		before = box;
		if (!isResting) throw new Error('It is still moving');
		return box;
	});
}

const shoot = async (page: Page, clip: Box): Promise<Buffer> =>
	await page.screenshot({ style: STYLE, animations: 'disabled', clip });

/**
 * Writes a picture of parts of a page, cropped to them.
 *
 * @param margin pixels of the page to leave around them
 */
export async function draw(page: Page, path: string, parts: Locator, margin = 0): Promise<void> {
	const { x, y, width, height } = await restingBox(page, parts);
	const clip = {
		x: Math.max(0, Math.floor(x - margin)),
		y: Math.max(0, Math.floor(y - margin)),
		width: Math.ceil(width + 2 * margin),
		height: Math.ceil(height + 2 * margin),
	};
	writeFileSync(path, await shoot(page, clip));
}

/** Pixels above the start of a column. */
const COLUMN_MARGIN = 14;

/**
 * Writes a picture of something high in two columns.
 *
 * @param second the element at which the second column begins
 */
export async function drawInTwo(
	page: Page,
	path: string,
	part: Locator,
	second: Locator,
): Promise<void> {
	const { x, y, width, height } = await restingBox(page, part);
	const cut = Math.floor((await boxOf(second)).y - COLUMN_MARGIN);
	const columns = [
		await shoot(page, { x, y, width, height: cut - y }),
		await shoot(page, { x, y: cut, width, height: y + height - cut }),
	];
	const images = columns.map(
		(column) => `<img width="${width}" src="data:image/png;base64,${column.toString('base64')}">`,
	);
	const style = 'display: inline-flex; align-items: start; margin: 0; background: white';
	const sheet = await page.context().newPage();
	await sheet.setContent(`<body style="${style}">${images.join('')}</body>`);
	await sheet.locator('body').screenshot({ path });
	await sheet.close();
}
