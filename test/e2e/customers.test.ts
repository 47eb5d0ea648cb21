import type { INodeParameters } from 'n8n-workflow';

import { byExternalId, byName } from '../engine/harness/byId';
import { slackFlow } from '../engine/harness/flowFile';
import { parametersOf } from '../engine/harness/parameters';
import { startService, type Service } from '../service';
import { credentialJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import { activepieces, splitOut, step, trigger, workflow } from './support/workflow';

const FILE = { name: 'Greeter', externalId: 'greeter', flow: slackFlow('Greeter') };

/** The project of each item, by its name. */
const projectId = byName('={{ $("Customers").item.json.customer }}');

/** Every project has a table of each of these names. */
const MATCH = { value: { Customer: 'Trial', Amount: '12' }, matchingColumns: ['Customer'] };
const STEPS: Record<string, [pair: string, parameters: INodeParameters]> = {
	Import: ['flow.import', { mode: 'upsert', content: JSON.stringify(FILE) }],
	Publish: ['flow.publish', { flowId: byExternalId('greeter') }],
	Store: [
		'tableRecord.upsert',
		{
			tableId: byName('Orders'),
			columns: { mappingMode: 'defineBelow', ...MATCH, schema: [] },
		},
	],
	Clear: ['table.clear', { tableId: byName('Customers') }],
	Delete: ['table.delete', { tableId: byName('Invoices') }],
};

describe.each(N8N_RELEASES)('one workflow for all customers in n8n %s', (n8n) => {
	let service: Service;
	const running = useN8n(n8n, async (ends) => {
		service = await ends(startService({ data: { projects: 4, tablesPerProject: 3 } }));
		const [{ displayName: first }, , { displayName: third }] = service.data.projects;
		const customers = [first, '', `${first}s`, third].map((customer) => ({ customer }));
		const steps = Object.entries(STEPS).map(([name, [pair, parameters]]) => ({
			...activepieces(name, 'key', parametersOf(pair, { projectId, ...parameters })),
			onError: 'continueRegularOutput' as const,
		}));
		const rows = [
			step('List', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ customers }) }),
			splitOut('Customers', 'customers'),
		];
		return [
			[credentialJson('key', service)],
			[workflow('customers', [trigger(), ...rows, ...steps])],
		];
	});

	/** All that a project has, as text */
	const contentOf = ({ data }: Service, id: string) =>
		JSON.stringify(
			[data.flows, data.folders, data.tables, data.fields, data.tableRows, data.projectConnections]
				.flat()
				.filter((record) => (record as { projectId?: string }).projectId === id),
		);

	test('each item changes its project only; a missing or mistyped one changes nothing', async () => {
		const { data } = service;
		const [first, second, third, fourth] = data.projects.map(({ id }) => id);
		const before = [second, fourth].map((id) => contentOf(service, id));
		const { records } = await running.execute('customers');
		for (const name of Object.keys(STEPS)) {
			const errors = records(name).map(({ error }) => error);
			expect([name, ...errors]).toEqual([
				name,
				undefined,
				// A new flow has one project; others are found in all of them.
				name === 'Import' ? expect.any(String) : 'The expression in Project returns an empty text',
				expect.stringMatching(/^No project has the name "/),
				undefined,
			]);
		}
		expect([second, fourth].map((id) => contentOf(service, id))).toEqual(before);
		service.settleFlowChanges();
		for (const id of [first, third]) {
			const flows = data.flows.filter((flow) => flow.projectId === id && flow.metadata !== null);
			expect(flows.map(({ status }) => status)).toEqual(['ENABLED']);
			const tables = data.tables.filter((table) => table.projectId === id);
			expect(tables.map(({ name }) => name).sort()).toEqual(['Customers', 'Orders']);
			const cleared = tables.find(({ name }) => name === 'Customers')!;
			expect(data.tableRows.filter(({ tableId }) => tableId === cleared.id)).toEqual([]);
		}
	});
});
