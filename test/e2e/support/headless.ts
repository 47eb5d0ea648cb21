/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n, never inside it */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, IRunData } from 'n8n-workflow';

import type { Service } from '../../service';
import { outputOf } from './command';
import type { Home } from './homes';
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
	{ baseUrl, apiKey }: Pick<Service, 'baseUrl' | 'apiKey'>,
	more: object = {},
	name = id,
): CredentialJson {
	return { id, name, type: CREDENTIAL_TYPE, data: { baseUrl, apiKey, ...more } };
}

export function signInJson(
	id: string,
	{ baseUrl, accounts }: Service,
	more: object = {},
): CredentialJson {
	const [{ user, password }] = accounts;
	const data = { baseUrl, email: user.email, password, ...more };
	return { id, name: id, type: SIGN_IN_TYPE, data };
}

/** Imports credentials, which n8n encrypts, and workflows. */
export async function importInto(
	home: Home,
	credentials: CredentialJson[],
	workflows: WorkflowJson[] = [],
): Promise<void> {
	for (const [what, values] of Object.entries({ credentials, workflow: workflows })) {
		if (values.length === 0) continue;
		const file = join(home.folder, `${what}.json`);
		writeFileSync(file, JSON.stringify(values));
		try {
			outputOf(await home.cli([`import:${what}`, `--input=${file}`]), `import:${what}`);
		} finally {
			// It contains credentials in plain text.
			rmSync(file);
		}
	}
}

export type Outcome = ReturnType<typeof outcomeOf>;

/** The execution that `n8n execute` prints, after messages about its settings. */
function resultIn(printed: string) {
	const [begin, end] = [printed.search(/^\{/m), printed.lastIndexOf('\n}')];
	if (begin === -1 || end < begin) return undefined;
	const run = JSON.parse(printed.slice(begin, end + 2)) as {
		data: { resultData: { runData: IRunData; error?: object } };
	};
	return run.data.resultData;
}

/**
 * Executes an imported workflow without a server, as `n8n execute` does.
 *
 * @throws when the execution did not succeed, with n8n's output
 */
export async function execute(home: Home, id: string) {
	const result = await home.cli(['execute', `--id=${id}`, '--rawOutput']);
	const { runData, error } = resultIn(result.stdout) ?? {};
	// On a loaded machine n8n sometimes exits with another status after a successful execution.
	if (runData === undefined || error !== undefined) {
		outputOf(result, `execute ${id}`);
		throw new Error(`n8n execute ${id} gave no result:\n${result.stdout.slice(-4000)}`);
	}
	return outcomeOf(runData, result.stdout + result.stderr);
}

/** @param printed what n8n printed */
export function outcomeOf(runData: IRunData, printed: string) {
	const runsOf = (node: string) => runData[node] ?? [];
	const items = (node: string) => runsOf(node).flatMap(({ data }) => data?.main?.[0] ?? []);
	return {
		/** A node's items, over all its runs; none when it did not run */
		items,
		/** Their JSON */
		records: (node: string): IDataObject[] => items(node).map(({ json }) => json),
		/** Milliseconds of a node, over all its runs, measured by n8n */
		executionTime: (node: string) => runsOf(node).reduce((sum, run) => sum + run.executionTime, 0),
		/** Names of the nodes that ran */
		executed: Object.keys(runData),
		printed,
	};
}
