/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- a command of its own, run with tsx; never inside n8n */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../e2e/support/command';
import { EXAMPLE_CREDENTIAL, readExamples, SHOWN_DATA } from '../e2e/support/exampleFiles';
import { packageRoot, temporaryFolder } from '../e2e/support/folders';
import { credentialJson, importInto, type CredentialJson } from '../e2e/support/headless';
import { homeIn, installPackage, packPackage, type Home } from '../e2e/support/homes';
import { installed, N8N_RELEASES } from '../e2e/support/install';
import { freePorts, isFree } from '../e2e/support/longRunning';
import { OWNER, setUpOwner } from '../e2e/support/rest';
import { startServer, type Server } from '../e2e/support/server';
import type { WorkflowJson } from '../e2e/support/workflow';
import { startService, type Service } from '../service';
import { addSampleFlows } from '../service/sampleFlows';

const USAGE = `Starts n8n with the node, a credential and the examples, and a simulated Activepieces server.

  npm start -- [options]

  --folder <path>   where n8n keeps its data; default .start in the project
  --port <n>        of n8n; default 5678, or a free one
`;

/** n8n's usual port, for people who run no n8n of their own. */
const USUAL_PORT = 5678;
const SERVICE_PORT = 4681;

/** Imports them, unless an earlier start has imported the same: a person may have changed them since. */
async function importOnce(
	home: Home,
	name: string,
	...values: [CredentialJson[], WorkflowJson[]?]
): Promise<void> {
	const file = join(home.folder, `imported-${name}.json`);
	const text = JSON.stringify(values);
	if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
	await importInto(home, ...values);
	writeFileSync(file, text);
}

/** Moves the runs so that the newest is of now: examples read the runs of the last hours. */
function moveRunsToNow({ data, time }: Service): void {
	const newest = Math.max(...data.flowRuns.map(({ created }) => Date.parse(created)));
	const moved = <T extends string | null>(at: T) =>
		(at && new Date(Date.parse(at) - newest + Date.now()).toISOString()) as T;
	for (const run of data.flowRuns) {
		run.created = moved(run.created);
		run.updated = moved(run.updated);
		run.startTime = moved(run.startTime);
		run.finishTime = moved(run.finishTime);
	}
	time.set(new Date().toISOString());
}

/** A start that uses a folder. */
interface Running {
	pid: number;
	/** Of its simulated server, which lives as long as the process */
	port: string;
	/** Of its n8n */
	url: string;
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** @throws when another start uses the folder, because two n8n would share its database */
async function claim(folder: string, own: Running): Promise<void> {
	const file = join(folder, 'running.json');
	if (existsSync(file)) {
		const { pid, port, url } = JSON.parse(readFileSync(file, 'utf8')) as Running;
		if (isRunning(pid) && !(await isFree(Number(port)))) {
			throw new Error(`n8n is already running at ${url}. To restart it, stop that one first.`);
		}
	}
	writeFileSync(file, JSON.stringify(own));
}

async function ensureOwner(url: string): Promise<void> {
	const settings = (await (await fetch(`${url}/rest/settings`)).json()) as {
		data: { userManagement: { showSetupOnFirstLoad?: boolean } };
	};
	if (settings.data.userManagement.showSetupOnFirstLoad) await setUpOwner(url);
}

async function portNear(usual: number): Promise<number> {
	return (await isFree(usual)) ? usual : (await freePorts(1))[0];
}

let server: Server | undefined;
let isEnding = false;

/** Ctrl-C reaches this process from the terminal and from its parents. */
async function end(): Promise<void> {
	if (isEnding) return;
	isEnding = true;
	console.log('\nStopping n8n and the simulated server …');
	await server?.stop();
	process.exit(0);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			folder: { type: 'string', default: join(packageRoot, '.start') },
			port: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return;
	}
	const installation = await installed(N8N_RELEASES[0]);
	mkdirSync(values.folder, { recursive: true });
	const service = await startService({ port: await portNear(SERVICE_PORT), data: SHOWN_DATA });
	const port = values.port ?? String(await portNear(USUAL_PORT));
	await claim(values.folder, {
		pid: process.pid,
		port: new URL(service.origin).port,
		url: `http://127.0.0.1:${port}`,
	});
	moveRunsToNow(service);
	addSampleFlows(service);
	const home = homeIn(values.folder, installation);
	console.log('Installing the node, the credential and the examples …');
	await installPackage(home.folder, await packPackage(temporaryFolder('start')));
	const { id, name } = EXAMPLE_CREDENTIAL;
	await importOnce(home, 'credential', [credentialJson(id, service, {}, name)]);
	await importOnce(home, 'examples', [], Object.values(readExamples()));
	console.log(`Starting n8n ${installation.release} …`);
	server = await startServer(home, { N8N_PORT: port });
	await ensureOwner(server.url);

	const [{ user, password }] = service.accounts;
	console.log(`
  n8n           ${server.url}/home/workflows
  sign in as    ${OWNER.email}
  password      ${OWNER.password}

  Activepieces  ${service.baseUrl}  (simulated, release ${service.release})
  API key       ${service.apiKey}
  or Sign-In    ${user.email}
  password      ${password}

The node, a credential and the examples are installed. To run flows, choose "Return the input" or "Fail". Your changes in n8n are kept in
${values.folder}. Changes on the simulated server are not kept. Press Ctrl+C to stop both.
`);
	await once(server.process, 'close');
	if (isEnding) return;
	throw new Error(`n8n stopped unexpectedly. Its last output:\n${server.log().slice(-2000)}`);
}

const interrupt = () => void end();
process.on('SIGHUP', interrupt);
runCommand(main, interrupt);
