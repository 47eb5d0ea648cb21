/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the repository's files in Node, never inside n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

import { packageRoot } from '../engine/harness/environment';

/** The folder of the node's sources. */
export const NODE = join(packageRoot, 'nodes/Activepieces');

/** The paths of the sources in it */
export const files = readdirSync(NODE, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.split(sep).join('/'));

export const textOf = (file: string) => readFileSync(join(NODE, file), 'utf8');
