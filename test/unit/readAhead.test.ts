/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node, never inside n8n */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const BUILT = join(__dirname, '../../dist/nodes/Activepieces/transport/pages.js');

/** In another process: jest prevents an unhandled rejection from ending its process, as it would end n8n's. */
const SCRIPT = `
	const { createReadAhead } = require(${JSON.stringify(BUILT)});
	const page = createReadAhead(5, async (index) => {
		if (index === 3) throw new Error('page 3 failed');
		return index;
	});
	page(0).then(async (first) => {
		await new Promise((resolve) => setTimeout(resolve, 20));
		console.log(first, await page(1), await page(2));
		console.log(await page(3).catch((error) => error.message));
	});
`;

test('a page that fails ahead of its turn throws in its turn, and does not end the process before', async () => {
	const { stdout } = await promisify(execFile)(process.execPath, ['-e', SCRIPT]);
	expect(stdout).toBe('0 1 2\npage 3 failed\n');
});
