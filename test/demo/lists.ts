import type { IDataObject } from 'n8n-workflow';

import { deepEqual, type Demo, equal, show } from './demo';

/** Some fields of records, in an order that does not depend on the service. */
function pick(fields: string[], records: IDataObject[]): IDataObject[] {
	return records
		.map(
			(record) => Object.fromEntries(fields.map((field) => [field, record[field]])) as IDataObject,
		)
		.sort((a, b) => String(a.id).localeCompare(String(b.id)));
}

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
	deepEqual(
		broken,
		pick(
			fields,
			held.filter(({ status }) => status !== 'ACTIVE'),
		),
	);
	show(
		'Global Connection → Get Many, Status: Error or Missing',
		`${broken.length} of ${held.length} connections do not work`,
		broken.slice(0, 4),
	);
}
