/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tells where the bench ran, never inside n8n */
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

import { packageRoot } from '../../engine/harness/environment';

/** The machine on which the figures came about. */
export function machine(): string {
	const all = cpus();
	const memory = Math.round(totalmem() / 1024 ** 3);
	return `${all[0]?.model.trim() ?? 'unknown CPU'}, ${all.length} cores, ${memory} GB, ${type()} ${release()}, Node.js ${process.versions.node}`;
}

function versionOf(name: string): string {
	// Read, because not every package lets its package.json be required.
	const file = join(packageRoot, 'node_modules', name, 'package.json');
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** The packages whose code the figures depend on. */
export const versions = (): string =>
	['n8n-core', 'n8n-workflow', 'axios', 'undici']
		.map((name) => `${name} ${versionOf(name)}`)
		.join(', ');
