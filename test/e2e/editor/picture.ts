import type { Locator, Page } from 'playwright-core';

import { eventually } from '../support/longRunning';

/** Without elements that cover or surround the subject of the picture. */
const STYLE = `
	/* Notifications and promotions */
	.el-notification, [data-test-id="node-feature-request"],
	/* Buttons and dots of the canvas */
	[data-test-id="canvas-background"], [data-test-id="canvas-controls"],
	[data-test-id="canvas-node-toolbar"], [data-test-id="canvas-handle-plus-wrapper"],
	[data-test-id="node-creator-plus-button"], [data-test-id="command-bar-button"],
	[data-test-id="add-sticky-button"], [data-test-id="toggle-focus-panel-button"],
	[data-test-id="instance-ai-canvas-action-button"],
	:has(> [data-test-id="execute-workflow-button"]),
	/* Progress and duration of a run */
	[data-test-id="node-run-info"] { visibility: hidden !important }
	[data-test-id="node-error-view-instance-ai-button"] { display: none !important }
	/* The page behind it would be visible in the corners. */
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

/**
 * Takes a picture of parts of a page, cropped to them.
 *
 * @param margin pixels of the page to leave around them
 */
export async function draw(page: Page, parts: Locator, margin = 0): Promise<Buffer> {
	// Away from elements that react to the pointer.
	await page.mouse.move(0, 0);
	let before = '';
	const { x, y, width, height } = await eventually(async () => {
		const box = await boxOf(parts);
		const last = before;
		before = JSON.stringify(box);
		if (before !== last) throw new Error('It is still moving');
		return box;
	});
	const clip = {
		x: Math.floor(x - margin),
		y: Math.floor(y - margin),
		width: Math.ceil(width + 2 * margin),
		height: Math.ceil(height + 2 * margin),
	};
	return await page.screenshot({ style: STYLE, animations: 'disabled', clip });
}
