/* eslint-disable no-console, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a command for people, run with tsx; never inside n8n */
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, sortedIds } from '../engine/harness/byId';
import { createEngine, type Engine } from '../engine/harness/engine';
import { type Service, startService } from '../service';

interface Demo {
	engine: Engine;
	/** The newest release, with thousands of flows */
	service: Service;
	/** Runs the node in a workflow and returns its records; throws the error that stopped it. */
	run(parameters: INodeParameters, service?: Service): Promise<IDataObject[]>;
}

const credentialOf = ({ baseUrl, apiKey }: Service) => ({ baseUrl, apiKey });

/** Prints a checked result, with some of its records. */
function show(operation: string, text: string, records: IDataObject[] = []): void {
	console.log(`\n✓ ${operation}\n  ${text}`);
	if (records.length > 0) console.table(records);
}

const METRICS = { resource: 'queue', operation: 'getMetrics' };

/** Different numbers, so that no counter is right by accident. */
const JOBS = {
	waiting: 128,
	prioritized: 6,
	active: 12,
	delayed: 43,
	failed: 7,
	completed: 90_412,
};

/** Releases have the metrics at different paths; the node finds them without a setting. */
async function queueMetrics({ service, run }: Demo): Promise<void> {
	const old = [await startService({ release: '0.79' }), await startService({ release: '0.73' })];
	const rows = [];
	for (const target of [service, ...old]) {
		const queue = Object.assign(target.data.queue, JOBS);
		const records = await run(METRICS, target);
		// From 0.80 on the service counts two states, and prioritized jobs among the waiting ones.
		const { waiting, prioritized, active } = queue;
		const stats = target === service ? { waiting: waiting + prioritized, active } : { ...queue };
		equal(records.length, 1);
		deepEqual(records[0].stats, stats);
		rows.push({ release: target.release, ...stats });
	}
	for (const each of old) await each.close();
	show('Queue → Get Metrics', 'The same workflow on three releases of Activepieces', rows);
}

/** Some fields of records, in an order that does not depend on the service. */
const pick = (fields: string[], records: IDataObject[]): IDataObject[] =>
	records
		.map((record): IDataObject => Object.fromEntries(fields.map((name) => [name, record[name]])))
		.sort((a, b) => String(a.id).localeCompare(String(b.id)));

async function allFlows({ service, run }: Demo): Promise<void> {
	const list = { resource: 'flow', operation: 'getAll' };
	const fields = ['id', 'name', 'status', 'projectId', 'updated'];
	const flows = pick(fields, await run({ ...list, returnAll: true }));
	const held = service.data.flows.map((flow) => ({ ...flow, name: flow.version.displayName }));
	deepEqual(flows, pick(fields, held));
	show('Flow → Get Many, Return All', `Each of ${flows.length} flows once`, flows.slice(0, 4));

	const some = await run({ ...list, limit: 250, options: { pageSize: 100 } });
	deepEqual([some.length, new Set(sortedIds(some)).size], [250, 250]);
	show('Flow → Get Many, Limit 250', 'Gives 250 different flows, also with 100 a page');
}

async function brokenConnections({ service, run }: Demo): Promise<void> {
	const fields = ['id', 'name', 'pieceName', 'status'];
	const filters = { connectionStatus: ['ERROR', 'MISSING'] };
	const list = { resource: 'globalConnection', operation: 'getAll', returnAll: true, filters };
	const broken = pick(fields, await run(list));
	const held = service.data.connections.map((each) => ({ ...each, name: each.displayName }));
	const heldBroken = held.filter(({ status }) => status !== 'ACTIVE');
	deepEqual(broken, pick(fields, heldBroken));
	const text = `${broken.length} of ${held.length} connections do not work`;
	show('Global Connection → Get Many, Status: Error or Missing', text, broken.slice(0, 4));
}

async function renameFolder({ service, run }: Demo): Promise<void> {
	const [{ id, displayName: oldName }, ...others] = structuredClone(service.data.folders);
	const name = `${oldName} 2027`;
	const folder = { resource: 'folder', folderId: byId(id) };
	const [before] = await run({ ...folder, operation: 'get' });
	await run({ ...folder, operation: 'update', displayName: name });
	const [after] = await run({ ...folder, operation: 'get' });
	const [renamed, ...rest] = service.data.folders;
	deepEqual([before.name, after.name, renamed.displayName], [oldName, name, name]);
	deepEqual(rest, others);
	show('Folder → Get, Update, Get', `"${oldName}" has become "${name}", and nothing else changed`);
}

/** Selects the invitation by email address, as in the editor. */
async function revokeInvitation({ engine, service, run }: Demo): Promise<void> {
	const [invited, ...others] = service.data.invitations;
	const options = { credential: credentialOf(service), filter: invited.email };
	const { results } = await engine.search('searchInvitations', options);
	const [{ name, value }] = results;
	deepEqual([results.length, value], [1, invited.id]);
	const invitationId = { __rl: true, mode: 'list', value, cachedResultName: name };
	const deleted = await run({ resource: 'userInvitation', operation: 'delete', invitationId });
	deepEqual(deleted, [{ deleted: true }]);
	deepEqual(sortedIds(service.data.invitations), sortedIds(others));
	show('User Invitation → Delete', `${name} is revoked, ${others.length} are left`);
}

/** What a person reads in the editor when the credential is wrong. */
async function wrongCredentials({ engine, service }: Demo): Promise<void> {
	const failWith = async (wrong: object) =>
		await engine.failure({
			credential: { ...credentialOf(service), ...wrong },
			parameters: METRICS,
		});
	const wrongKey = `${service.apiKey.slice(0, -4)}xxxx`;
	const refused = await failWith({ apiKey: wrongKey });
	equal(refused.httpCode, '401');
	match(refused.message, /API key/);
	doesNotMatch(`${refused.message} ${refused.description}`, new RegExp(wrongKey));
	show('With a wrong API key', `${refused.message}\n  ${refused.description}`);

	const astray = await failWith({ baseUrl: service.origin });
	match(astray.message, /Base URL/);
	match(`${astray.description}`, new RegExp(service.baseUrl));
	show('With a Base URL without /api', `${astray.message}\n  ${astray.description}`);
}

async function main(): Promise<void> {
	const engine = await createEngine();
	const data = { projects: 5, flows: 6000, connections: 60, invitations: 12 };
	const service = await startService({ data });
	console.log(`The built node in n8n's own engine, with a simulated Activepieces ${service.release} server that has
${service.data.flows.length} flows. Every result is compared with the data of that server.`);
	const run: Demo['run'] = async (parameters, target = service) =>
		await engine.records({ credential: credentialOf(target), parameters });
	const reads = [queueMetrics, allFlows, brokenConnections];
	const changes = [renameFolder, revokeInvitation];
	for (const each of [...reads, ...changes, wrongCredentials]) await each({ engine, service, run });
	console.log('\nAll results are correct.');
}

main().then(
	() => process.exit(),
	(error: Error) => {
		console.error(error.stack);
		process.exit(1);
	},
);
