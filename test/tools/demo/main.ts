/* eslint-disable no-console, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a command for people, run with tsx; never inside n8n */
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';

import { createEngine, type Engine } from '../../engine/harness/engine';
import { METRICS } from '../../engine/harness/parameters';
import { casesFor, type Case } from '../../operations';
import { FIRST_AND_LAST, startService, type Service } from '../../service';

const credentialOf = ({ baseUrl, apiKey }: Service) => ({ baseUrl, apiKey });

/** What a value has of the expected one, which may be a part of it. */
function partOf(value: unknown, expected: unknown): unknown {
	if (Array.isArray(value)) {
		equal(value.length, (expected as unknown[]).length);
		return value.map((each, index) => partOf(each, (expected as unknown[])[index]));
	}
	if (typeof expected !== 'object' || expected === null) return value;
	const record = value as Record<string, unknown>;
	const parts = Object.entries(expected).map(([name, part]) => [name, partOf(record[name], part)]);
	return Object.fromEntries(parts);
}

/** Runs an operation, compares its records with the data of the server, and prints the first of them. */
async function tryOperation(engine: Engine, service: Service, operation: Case): Promise<void> {
	const { data } = service;
	const before = { ...data, flows: [...data.flows] };
	const id = operation.idIn(data);
	const expected = operation.expected(data, id);
	const parameters = operation.parameters(data, id);
	const records = await engine.records({
		credential: operation.credentialFor(service),
		parameters,
	});
	deepEqual(partOf(operation.inOrder(records), expected), expected);
	equal(operation.isChanged(service, id, before) ?? true, true);
	const count = records.length === 1 ? '' : `, ${records.length} records`;
	console.log(`✓ ${operation.title}${count}\n  ${JSON.stringify(records[0]).slice(0, 160)}`);
}

/** What a person reads in the editor when the credential is wrong. */
async function tryWrongCredentials(engine: Engine, service: Service): Promise<void> {
	const failWith = async (wrong: object) => {
		const credential = { ...credentialOf(service), ...wrong };
		const error = await engine.failure({ credential, parameters: METRICS });
		console.log(`✓ ${error.message}\n  ${error.description}`);
		return { ...error, text: `${error.message} ${error.description}` };
	};
	const wrongKey = `${service.apiKey.slice(0, -4)}xxxx`;
	const refused = await failWith({ apiKey: wrongKey });
	equal(refused.httpCode, '401');
	match(refused.text, /API key/);
	doesNotMatch(refused.text, new RegExp(wrongKey));
	const astray = await failWith({ baseUrl: service.origin });
	match(astray.text, new RegExp(`Base URL.*${service.baseUrl}`));
}

async function main(): Promise<void> {
	const engine = await createEngine();
	for (const release of FIRST_AND_LAST) {
		const service = await startService({ release, data: { flows: 6000, flowRuns: 40 } });
		console.log(`\nThe built node in n8n's own engine, with a simulated Activepieces ${release} server that has
${service.data.flows.length} flows. Every result is compared with the data of that server.\n`);
		for (const operation of casesFor(release)) await tryOperation(engine, service, operation);
		await tryWrongCredentials(engine, service);
		await service.close();
	}
	console.log('\nAll results are correct.');
}

main().then(
	() => process.exit(),
	(error: Error) => {
		console.error(error.stack);
		process.exit(1);
	},
);
