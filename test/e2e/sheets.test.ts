/* eslint-disable @n8n/community-nodes/no-restricted-imports -- writes files that n8n reads, never inside n8n */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byName } from '../engine/harness/byId';
import { parametersOf } from '../engine/harness/parameters';
import { startService, type Service } from '../service';
import { credentialJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import { activepieces, splitOut, step, trigger, workflow } from './support/workflow';

/** As a German bank exports it: a byte order mark, decimal commas, days first, and a blank row. n8n 1 itself ends at an empty line. */
const BANK = `\uFEFFNo;Day;Amount;Purpose
B-1;01.06.26;-9,99 €;Rent
;;;
B-2;31.10.2026, 14:30 Uhr;1.234,50;Salary
B-3;2026/10/31;45,67-;Power
`;

/** Excel's days, and a number as the file has it. */
const EXCEL = [
	{ No: 'X-1', Day: 46174, Amount: 12.5 },
	{ No: 'X-2', Day: 46174.5, Amount: -3 },
];

const columns: INodeParameters = {
	column: [
		{ name: 'No', type: 'TEXT' },
		{ name: 'Day', type: 'DATE' },
		{ name: 'Amount', type: 'NUMBER' },
	],
};
const AUTO = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['No'], schema: [] };
const options = { valueFormat: 'commaDayFirst', extraFields: 'addText', emptyItems: 'skip' };

describe.each(N8N_RELEASES)('rows of a file in n8n %s', (n8n) => {
	let service: Service;
	const running = useN8n(n8n, async (ends, home) => {
		service = await ends(startService());
		const folder = join(home.folder, 'sheets');
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'bank.csv'), BANK);
		const projectId = byName(service.data.projects[0].displayName);
		const tableOf = (name: string) => [
			activepieces(
				'Create',
				'key',
				parametersOf('table.create', { projectId, tableName: name, columns, ifExists: 'use' }),
			),
		];
		const store = (name: string) =>
			activepieces(
				'Store',
				'key',
				parametersOf('tableRecord.upsert', {
					projectId,
					tableId: byName(name),
					columns: AUTO,
					options,
				}),
			);
		const csv = workflow('csv', [
			trigger(),
			...tableOf('Bank'),
			step('Read', 'readWriteFile', 1, { fileSelector: join(folder, 'bank.csv'), options: {} }),
			step('Extract', 'extractFromFile', 1, { operation: 'csv', options: { delimiter: ';' } }),
			store('Bank'),
		]);
		const xlsx = workflow('xlsx', [
			trigger(),
			...tableOf('Excel'),
			step('Rows', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ rows: EXCEL }) }),
			splitOut('Split', 'rows'),
			step('To File', 'convertToFile', 1.1, { operation: 'xlsx', options: {} }),
			step('Extract', 'extractFromFile', 1, { operation: 'xlsx', options: {} }),
			store('Excel'),
		]);
		return [[credentialJson('key', service)], [csv, xlsx]];
	});

	const stored = async (id: string) => {
		const { records } = await running.execute(id);
		return records('Store').map(({ change, No, Day, Amount, Purpose }): IDataObject => {
			return { change, No, Day, Amount, Purpose };
		});
	};
	const as = (change: string, rows: IDataObject[]) => rows.map((row) => ({ change, ...row }));

	test("a bank's CSV needs no other node, and the second run changes nothing", async () => {
		const rows = [
			{ No: 'B-1', Day: '2026-06-01', Amount: -9.99, Purpose: 'Rent' },
			{ No: 'B-2', Day: '2026-10-31T14:30:00.000Z', Amount: 1234.5, Purpose: 'Salary' },
			{ No: 'B-3', Day: '2026-10-31', Amount: -45.67, Purpose: 'Power' },
		];
		expect(await stored('csv')).toEqual(as('created', rows));
		expect(await stored('csv')).toEqual(as('unchanged', rows));
	});

	test('an Excel file with dates needs no other node', async () => {
		expect(await stored('xlsx')).toEqual(
			as('created', [
				{ No: 'X-1', Day: '2026-06-01', Amount: 12.5, Purpose: undefined },
				{ No: 'X-2', Day: '2026-06-01T12:00:00.000Z', Amount: -3, Purpose: undefined },
			]),
		);
	});
});
