/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs npm beside n8n, never inside it */
import { join } from 'node:path';

import { packageRoot } from './folders';
import { npm } from './npm';

/**
 * Packs the built package as it would be published.
 *
 * @returns the path of the tarball
 */
export async function packPackage(folder: string): Promise<string> {
	const printed = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
		cwd: packageRoot,
	});
	const [{ filename }] = JSON.parse(printed.slice(printed.indexOf('['))) as [{ filename: string }];
	return join(folder, filename);
}
