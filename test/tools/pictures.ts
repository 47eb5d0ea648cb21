/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- a command of its own, run with tsx; never inside n8n */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { openCanvas, signInOnPage } from '../e2e/editor/canvas';
import { draw } from '../e2e/editor/picture';
import { modelCredential } from '../e2e/examples/model';
import { openTab, type Tab } from '../e2e/support/browser';
import { runCommand } from '../e2e/support/command';
import { EXAMPLE_CREDENTIAL, readExamples, SHOWN_DATA } from '../e2e/support/exampleFiles';
import { packageRoot } from '../e2e/support/folders';
import { credentialJson, importInto } from '../e2e/support/headless';
import { freshHome, prepareHomes } from '../e2e/support/homes';
import { N8N_RELEASES } from '../e2e/support/install';
import { installPrograms } from '../e2e/support/programs';
import { startServer } from '../e2e/support/server';
import {
	activepieces,
	activepiecesTrigger,
	trigger,
	workflow,
	type Step,
} from '../e2e/support/workflow';
import { byId } from '../engine/harness/byId';
import { startService } from '../service';

const FOLDER = join(packageRoot, 'docs/pictures');

const NODE = 'Activepieces';
const { id: CREDENTIAL, name: CREDENTIAL_NAME } = EXAMPLE_CREDENTIAL;

const started = (parameters: INodeParameters) => [
	trigger(),
	activepieces(NODE, CREDENTIAL, parameters),
];
const flows = { resource: 'flow', operation: 'getAll', returnAll: true };
const unknown = byId('Xk7wPq2mN9rT4vB8sL1cZ');
const failed = { event: 'flowRunFailed', options: { lookbackHours: 24 } };

/** Workflows with a node, for pictures of its view. */
const VIEWS: Record<string, Step[]> = {
	parameters: started({ ...flows, filters: { name: 'sync', status: ['ENABLED'] }, options: {} }),
	result: started(flows),
	error: started({ resource: 'folder', operation: 'get', folderId: unknown }),
	trigger: [activepiecesTrigger(NODE, CREDENTIAL, failed)],
};

const EXAMPLES = readExamples();

/** Examples to draw alone, from the command line: `npm run pictures -- failed-runs`. */
const ONLY = process.argv.slice(2);

/** Draws the pictures, each with a window that is high enough for its subject. */
async function drawAll({ page }: Tab, url: string): Promise<void> {
	async function open(id: string, height: number, width = 1440) {
		await page.setViewportSize({ width, height });
		return await openCanvas(page, url, id);
	}
	async function openNode(id: string, height: number, width?: number) {
		return await (await open(id, height, width)).openNode(NODE);
	}
	function save(name: string, picture: Buffer): void {
		writeFileSync(join(FOLDER, `${name}.png`), picture);
		console.log(`${name}.png  ${picture.length >> 10} kB`);
	}

	for (const name of ONLY.length > 0 ? ONLY : Object.keys(EXAMPLES)) {
		const canvas = await open(EXAMPLES[name].id, 900);
		await canvas.fit();
		save(`example-${name}`, await draw(page, canvas.everything, 16));
	}
	if (ONLY.length > 0) return;

	save('parameters', await draw(page, (await openNode('parameters', 900)).middle));

	// Wide enough to cut the table between two columns; it continues to the right.
	const result = await openNode('result', 720, 1432);
	await result.widenOutput();
	await result.execute();
	await result.output.showTable();
	save('result', await draw(page, result.middle.or(result.output.root)));

	const polling = await openNode('trigger', 900);
	await polling.execute();
	await polling.output.showTable();
	save('trigger', await draw(page, polling.middle.or(polling.output.root)));

	const error = await openNode('error', 430);
	await error.execute();
	await error.output.message();
	save('error', await draw(page, error.middle.or(error.output.root)));
}

async function main(): Promise<void> {
	const wrong = ONLY.filter((name) => !(name in EXAMPLES));
	if (wrong.length > 0) throw new Error(`No example is called ${wrong.join(', ')}`);
	await installPrograms(['chromium']);
	const [release] = N8N_RELEASES;
	await prepareHomes('pictures', [release]);
	const home = await freshHome(release);

	// They end with this process.
	const service = await startService({ data: SHOWN_DATA });
	await importInto(
		home,
		// The agent needs the second one; otherwise the editor marks its node.
		[
			credentialJson(CREDENTIAL, service, {}, CREDENTIAL_NAME),
			modelCredential({ url: service.origin }),
		],
		[...Object.entries(VIEWS).map(([id, row]) => workflow(id, row)), ...Object.values(EXAMPLES)],
	);
	const server = await startServer(home);
	const tab = await openTab(2);
	await signInOnPage(tab.page, server.url);
	await drawAll(tab, server.url);
	await tab.close();
}

runCommand(main);
