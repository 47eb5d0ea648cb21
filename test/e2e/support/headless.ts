/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IRunData } from 'n8n-workflow';

import type { Service } from '../../service';
import type { CommandResult } from './command';
import type { Home } from './homes';
import { type Outcome, outcomeOf } from './outcome';
import { CREDENTIAL_TYPE, SIGN_IN_TYPE, type WorkflowJson } from './workflow';

export interface CredentialJson {
	id: string;
	name: string;
	type: string;
	data: object;
}

/** A credential of the node as n8n imports it. */
export function credentialJson(
	id: string,
	{ baseUrl, apiKey }: { baseUrl: string; apiKey: string },
	name = id,
): CredentialJson {
	return { id, name, type: CREDENTIAL_TYPE, data: { baseUrl, apiKey } };
}

export function signInJson(id: string, { baseUrl, accounts }: Service): CredentialJson {
	const [{ user, password }] = accounts;
	return { id, name: id, type: SIGN_IN_TYPE, data: { baseUrl, email: user.email, password } };
}

function check({ status, stdout, stderr }: CommandResult, what: string): string {
	if (status === 0) return stdout;
	const printed = `${stdout.slice(-4000)}\n${stderr.slice(-2000)}`;
	throw new Error(`n8n could not ${what}, and ended with ${status}:\n${printed}`);
}

let files = 0;

async function load(home: Home, what: 'credentials' | 'workflow', values: object[]): Promise<void> {
	if (values.length === 0) return;
	const folder = join(home.folder, 'imports');
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `${what}-${++files}.json`);
	writeFileSync(file, JSON.stringify(values));
	try {
		check(await home.cli([`import:${what}`, `--input=${file}`]), `import ${what}`);
	} finally {
		// It contains credentials in plain text.
		rmSync(file);
	}
}

/** Imports credentials; n8n encrypts them. */
export async function importCredentials(home: Home, values: CredentialJson[]): Promise<void> {
	await load(home, 'credentials', values);
}

export async function importWorkflows(home: Home, values: WorkflowJson[]): Promise<void> {
	await load(home, 'workflow', values);
}

/** The execution that `n8n execute` prints. */
interface PrintedRun {
	data: { resultData: { runData: IRunData; error?: object } };
}

/** Finds the result in n8n's output, which begins with messages about its settings. */
function resultIn(printed: string): PrintedRun | undefined {
	const begin = printed.search(/^\{/m);
	const end = printed.lastIndexOf('\n}');
	if (begin === -1 || end < begin) return undefined;
	return JSON.parse(printed.slice(begin, end + 2)) as PrintedRun;
}

/**
 * Executes an imported workflow without a server, as `n8n execute` does.
 *
 * @throws when the execution did not succeed, with n8n's output
 */
export async function execute(home: Home, id: string): Promise<Outcome & { printed: string }> {
	const result = await home.cli(['execute', `--id=${id}`, '--rawOutput']);
	const run = resultIn(result.stdout);
	// On a loaded machine n8n sometimes exits with another status after a successful execution.
	if (run === undefined || run.data.resultData.error !== undefined) {
		check(result, `execute ${id}`);
		throw new Error(`n8n execute ${id} gave no result:\n${result.stdout.slice(-4000)}`);
	}
	return { ...outcomeOf(run.data.resultData.runData), printed: result.stdout + result.stderr };
}
