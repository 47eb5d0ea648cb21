/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads and writes the files of n8n, never inside n8n */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { byId } from '../../engine/harness/byId';
import type { Service } from '../../service';
import {
	changesOf,
	type ExampleContext,
	nodeOf,
	rows,
	type Runs,
	setValues,
	type WorkflowJson,
} from './example';

const FILE = 'table.csv';

/** The table of the example: the first one. */
const rowsOf = ({ data: { tables, tableRows } }: Service) =>
	tableRows.filter(({ tableId }) => tableId === tables[0].id);

function choose(workflow: WorkflowJson, { service, folder }: ExampleContext): void {
	setValues(workflow, 'Settings', { folder });
	for (const name of ['Get Records', 'Create Records']) {
		nodeOf(workflow, name).parameters.tableId = byId(service.data.tables[0].id);
	}
}

export const runs: Runs = {
	/** Each record of the table is a line of the file. */
	'table-to-spreadsheet': {
		prepare(workflow, context) {
			choose(workflow, context);
			nodeOf(workflow, 'Save to Disk').disabled = false;
		},
		verify(outcome, { folder, service }) {
			const text = readFileSync(join(folder, FILE), 'utf8').replace(/^\ufeff/, '');
			const [header, ...lines] = text.trim().split(/\r?\n/);
			expect(header).toBe('id,Customer,Amount,Due,State,created,updated');
			expect(lines.map((line) => line.split(',')[0])).toEqual(rowsOf(service).map(({ id }) => id));
			expect(outcome.executed).not.toContain('Create Records');
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** Each line of the file becomes a record, in their order. */
	'table-to-spreadsheet-back': {
		prepare(workflow, context) {
			choose(workflow, context);
			setValues(workflow, 'Settings', { toTable: true });
			const lines = Array.from({ length: 60 }, (_, i) => `old-${i},Row ${i},${i},2026-12-31,paid`);
			const text = ['id,Customer,Amount,Due,State', ...lines].join('\n');
			writeFileSync(join(context.folder, FILE), text);
		},
		verify(outcome, { service }) {
			const created = rows(outcome, 'Create Records');
			expect(created.map(({ Customer }) => Customer)).toEqual(
				Array.from({ length: 60 }, (_, i) => `Row ${i}`),
			);
			expect(created[7]).toMatchObject({ Amount: '7', Due: '2026-12-31', State: 'paid' });
			// Times of two requests overlap, so the list may mix their rows.
			const stored = new Set(rowsOf(service).map(({ id }) => id));
			for (const { id } of created) expect(stored).toContain(id);
			expect(changesOf(service)).toHaveLength(2);
		},
	},
};
