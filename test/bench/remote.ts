/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- starts the stand-in service in a process of its own, never inside n8n */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

import { packageRoot } from '../engine/harness/environment';

export interface Remote {
	baseUrl: string;
	apiKey: string;
	stop(): void;
}

/** Starts the stand-in service in its own process, so that it does not share the event loop measured. */
export async function startRemote(...options: string[]): Promise<Remote> {
	const child = spawn(
		process.execPath,
		[
			'--import',
			'tsx',
			join(packageRoot, 'test/service/main.ts'),
			'--until-stdin-closes',
			...options,
		],
		{ cwd: packageRoot, stdio: ['pipe', 'pipe', 'inherit'] },
	);
	for await (const line of createInterface({ input: child.stdout })) {
		const { baseUrl, apiKey } = JSON.parse(line) as Remote;
		return { baseUrl, apiKey, stop: () => child.stdin.end() };
	}
	throw new Error('The stand-in service did not start');
}
