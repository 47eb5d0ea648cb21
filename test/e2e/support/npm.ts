/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs npm beside n8n, never inside it */
import { basename } from 'node:path';

import { type CommandOptions, succeed } from './command';

/** Runs the npm that runs this process, because the one in PATH may be older or missing. */
export async function npm(args: string[], options: CommandOptions = {}): Promise<string> {
	const running = process.env.npm_execpath;
	return running !== undefined && basename(running) === 'npm-cli.js'
		? await succeed(process.execPath, [running, ...args], options)
		: await succeed('npm', args, options);
}
