/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the browser, never inside n8n */
import { writeFileSync } from 'node:fs';

import type { Locator, Page } from 'playwright-core';

import { eventually } from '../support/longRunning';

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

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

/** Pixels above the start of a column. */
const COLUMN_MARGIN = 14;

/** The smallest box around all boxes. */
function around(boxes: Box[]): Box {
	const x = Math.min(...boxes.map((box) => box.x));
	const y = Math.min(...boxes.map((box) => box.y));
	const right = Math.max(...boxes.map((box) => box.x + box.width));
	const bottom = Math.max(...boxes.map((box) => box.y + box.height));
	return { x, y, width: right - x, height: bottom - y };
}

async function boxOf(locators: Locator[]): Promise<Box> {
	const boxes = await Promise.all(
		locators.map(
			async (locator) =>
				await locator.evaluateAll((elements) =>
					elements
						.map((element) => element.getBoundingClientRect())
						.filter(({ width, height }) => width + height > 0)
						.map(({ x, y, width, height }): Box => ({ x, y, width, height })),
				),
		),
	);
	if (boxes.flat().length === 0) throw new Error('There is nothing to draw');
	return around(boxes.flat());
}

/** The box of elements that may be moving, once they have stopped. */
async function restingBox(locators: Locator[]): Promise<Box> {
	let before = '';
	return await eventually(async () => {
		const box = await boxOf(locators);
		const now = JSON.stringify(box);
		if (now !== before) {
			before = now;
			throw new Error('It is still moving');
		}
		return box;
	});
}

/** Takes a picture of a part of the page. */
async function shoot(page: Page, clip: Box): Promise<Buffer> {
	return await page.screenshot({ style: STYLE, animations: 'disabled', clip });
}

/**
 * Writes a picture of parts of a page, cropped to them.
 *
 * @param margin pixels of the page to leave around them
 */
export async function draw(page: Page, path: string, parts: Locator[], margin = 0): Promise<void> {
	// Away from elements that react to the pointer.
	await page.mouse.move(0, 0);
	const box = await restingBox(parts);
	const picture = await shoot(page, {
		x: Math.max(0, Math.floor(box.x - margin)),
		y: Math.max(0, Math.floor(box.y - margin)),
		width: Math.ceil(box.width + 2 * margin),
		height: Math.ceil(box.height + 2 * margin),
	});
	writeFileSync(path, picture);
}

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
	await page.mouse.move(0, 0);
	const { x, y, width, height } = await restingBox([part]);
	const cut = Math.floor((await restingBox([second])).y - COLUMN_MARGIN);
	const columns = [
		await shoot(page, { x, y, width, height: cut - y }),
		await shoot(page, { x, y: cut, width, height: y + height - cut }),
	];
	const sheet = await page.context().newPage();
	try {
		const images = columns.map(
			(column) => `<img width="${width}" src="data:image/png;base64,${column.toString('base64')}">`,
		);
		const style = 'display: inline-flex; align-items: start; margin: 0; background: white';
		await sheet.setContent(`<body style="${style}">${images.join('')}</body>`);
		await sheet.locator('body').screenshot({ path });
	} finally {
		await sheet.close();
	}
}
