/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- a command of its own, run with tsx; never inside n8n */
import { mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { Locator } from 'playwright-core';

import { type Service, startService } from '../service';
import { openCanvas, signInOnPage } from './editor/canvas';
import { draw, drawInTwo } from './editor/picture';
import { openTab, type Tab } from './support/browser';
import { runCommand } from './support/command';
import { EXAMPLE_CREDENTIAL, readExamples, SHOWN_DATA } from './support/exampleFiles';
import { packageRoot } from './support/folders';
import { modelCredential } from './examples/model';
import { credentialJson, importInto } from './support/headless';
import { freshHome, type Home, prepareHomes } from './support/homes';
import { N8N_RELEASES } from './support/install';
import { installPrograms } from './support/programs';
import { startServer } from './support/server';
import { activepieces, activepiecesTrigger, trigger, workflow } from './support/workflow';

const FOLDER = join(packageRoot, 'docs/pictures');

/** Workflows with one node, for pictures of its view. */
const NODES = {
	parameters: {
		resource: 'flow',
		operation: 'getAll',
		returnAll: true,
		filters: { name: 'sync', status: ['ENABLED'] },
		options: {},
	},
	result: { resource: 'flow', operation: 'getAll', returnAll: true },
	error: {
		resource: 'folder',
		operation: 'get',
		folderId: { __rl: true, mode: 'id', value: 'Xk7wPq2mN9rT4vB8sL1cZ' },
	},
};

/** Parameters of the trigger in its picture. */
const TRIGGER = { event: 'flowRunFailed', options: { lookbackHours: 24 } };

const ONE_NODE = 'Activepieces';

function oneNode(id: string, parameters: (typeof NODES)[keyof typeof NODES]) {
	return workflow(id, [trigger(), activepieces(ONE_NODE, EXAMPLE_CREDENTIAL.id, parameters)]);
}

/** Adds the credentials and workflows of the pictures to the home. */
async function prepareHome(home: Home, service: Service): Promise<void> {
	const { id: credential, name } = EXAMPLE_CREDENTIAL;
	await importInto(
		home,
		// The agent needs the second one; otherwise the editor marks its node.
		[credentialJson(credential, service, {}, name), modelCredential({ url: service.origin })],
		[
			workflow('panel', [trigger()]),
			...Object.entries(NODES).map(([id, parameters]) => oneNode(id, parameters)),
			workflow('trigger', [activepiecesTrigger(ONE_NODE, credential, TRIGGER)]),
			...Object.values(EXAMPLES),
		],
	);
}

const EXAMPLES = readExamples();

/** Examples to draw alone, from the command line: `npm run pictures -- failed-runs`. */
const ONLY = process.argv.slice(2);

const report = (file: string) => console.log(`${basename(file)}  ${statSync(file).size >> 10} kB`);

/** Draws the pictures, each with a window that is high enough for its subject. */
async function drawAll({ page }: Tab, url: string): Promise<void> {
	async function open(id: string, height: number, width = 1440) {
		await page.setViewportSize({ width, height });
		return await openCanvas(page, url, id);
	}
	async function picture(name: string, parts: Locator, margin?: number): Promise<void> {
		const file = join(FOLDER, `${name}.png`);
		await draw(page, file, parts, margin);
		report(file);
	}

	for (const name of ONLY.length > 0 ? ONLY : Object.keys(EXAMPLES)) {
		const canvas = await open(EXAMPLES[name].id, 900);
		await canvas.fit();
		await picture(`example-${name}`, canvas.everything, 16);
	}
	if (ONLY.length > 0) return;

	// High enough to show everything without scrolling.
	const panel = await (await open('panel', 2720)).openNodePanel();
	await panel.search('Activepieces');
	await panel.enter('Activepieces');
	const inPanel = join(FOLDER, 'node-panel.png');
	await drawInTwo(page, inPanel, panel.root, panel.root.getByText('Flow Template Actions'));
	report(inPanel);

	const parameters = await (await open('parameters', 900)).openNode(ONE_NODE);
	await picture('parameters', parameters.middle);

	// Wide enough to cut the table between two columns; it continues to the right.
	const result = await (await open('result', 720, 1432)).openNode(ONE_NODE);
	await result.widenOutput();
	await result.execute();
	await result.output.showTable();
	await picture('result', result.middle.or(result.output.root));

	const polling = await (await open('trigger', 900)).openNode(ONE_NODE);
	await polling.execute();
	await polling.output.showTable();
	await picture('trigger', polling.middle.or(polling.output.root));

	const error = await (await open('error', 430)).openNode(ONE_NODE);
	await error.execute();
	await error.output.message();
	await picture('error', error.middle.or(error.output.root));

	const ran = await open(EXAMPLES['flow-inventory'].id, 900);
	await ran.execute('Convert to CSV');
	await ran.fit();
	await picture('workflow', ran.everything, 16);
}

async function main(): Promise<void> {
	const unknown = ONLY.filter((name) => !(name in EXAMPLES));
	if (unknown.length > 0) throw new Error(`No example is called ${unknown.join(', ')}`);
	await installPrograms(['chromium']);
	mkdirSync(FOLDER, { recursive: true });
	const [release] = N8N_RELEASES;
	await prepareHomes('pictures', [release]);
	const home = await freshHome(release);

	// They end with this process.
	await prepareHome(home, await startService({ data: SHOWN_DATA }));
	const server = await startServer(home);
	const tab = await openTab(2);
	await signInOnPage(tab.page, server.url);
	await drawAll(tab, server.url);
	await tab.close();
}

runCommand(main);
