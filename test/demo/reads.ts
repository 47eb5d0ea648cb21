import type { IDataObject } from 'n8n-workflow';

import { deepEqual, type Demo, doesNotMatch, equal, match, show } from './demo';

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
export async function queueMetrics({ service, open, run }: Demo): Promise<void> {
	const rows = [];
	for (const target of [service, await open('0.79'), await open('0.73')]) {
		const queue = Object.assign(target.data.queue, JOBS);
		const records = await run(METRICS, target);
		// From 0.80 on the service counts two states, and prioritized jobs among the waiting ones.
		const { waiting, prioritized, active } = queue;
		const stats = target === service ? { waiting: waiting + prioritized, active } : { ...queue };
		equal(records.length, 1);
		deepEqual(records[0].stats, stats);
		rows.push({ release: target.release, ...stats });
	}
	show('Queue → Get Metrics', 'The same workflow on three releases of Activepieces', rows);
}

/** Some fields of records, in an order that does not depend on the service. */
const pick = (fields: string[], records: IDataObject[]): IDataObject[] =>
	records
		.map((record): IDataObject => Object.fromEntries(fields.map((name) => [name, record[name]])))
		.sort((a, b) => String(a.id).localeCompare(String(b.id)));

export async function allFlows({ service, run }: Demo): Promise<void> {
	const list = { resource: 'flow', operation: 'getAll' };
	const fields = ['id', 'name', 'status', 'projectId', 'updated'];
	const flows = pick(fields, await run({ ...list, returnAll: true }));
	const held = service.data.flows.map((flow) => ({ ...flow, name: flow.version.displayName }));
	deepEqual(flows, pick(fields, held));
	show('Flow → Get Many, Return All', `Each of ${flows.length} flows once`, flows.slice(0, 4));

	const some = await run({ ...list, limit: 250, options: { pageSize: 100 } });
	equal(some.length, 250);
	equal(new Set(some.map(({ id }) => id)).size, 250);
	show('Flow → Get Many, Limit 250', 'Gives 250 different flows, also with 100 a page');
}

export async function brokenConnections({ service, run }: Demo): Promise<void> {
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

/** What a person reads in the editor when the credential is wrong. */
export async function wrongCredentials({ service, fail }: Demo): Promise<void> {
	const wrongKey = `${service.apiKey.slice(0, -4)}xxxx`;
	const refused = await fail(METRICS, { apiKey: wrongKey });
	equal(refused.httpCode, '401');
	match(refused.message, /API key/);
	doesNotMatch(`${refused.message} ${refused.description}`, new RegExp(wrongKey));
	show('With a wrong API key', `${refused.message}\n  ${refused.description}`);

	const astray = await fail(METRICS, { baseUrl: service.origin });
	match(astray.message, /Base URL/);
	match(`${astray.description}`, new RegExp(service.baseUrl));
	show('With a Base URL without /api', `${astray.message}\n  ${astray.description}`);
}
