/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n's engine, never inside n8n */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// n8n-core reads these when it is loaded, so this file is imported first.
if (process.env.N8N_USER_FOLDER === undefined) {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-activepieces-'));
	process.env.N8N_USER_FOLDER = folder;
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	// Without these an interrupted run would leave the folder behind.
	process.once('SIGINT', () => process.exit(130));
	process.once('SIGTERM', () => process.exit(143));
}
process.env.N8N_LOG_LEVEL ??= 'silent';

/** The folder of the package, whose `dist` is run. */
export const packageRoot = resolve(__dirname, '../../..');

export const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');
