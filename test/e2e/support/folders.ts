/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { atEnd } from './command';

export const packageRoot = resolve(__dirname, '../../..');

/** For data that never changes, shared between runs and clones: the n8n releases. `N8N_E2E_CACHE` sets another one. */
export const cacheFolder =
	process.env.N8N_E2E_CACHE ??
	join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-activepieces');

/** Makes a folder that is removed when this process ends. */
export function temporaryFolder(purpose: string): string {
	const folder = mkdtempSync(join(tmpdir(), `activepieces-${purpose}-`));
	// Processes that were just killed may still write to it.
	atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	return folder;
}
