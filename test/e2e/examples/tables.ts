/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads and writes the files of n8n, never inside n8n */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { byId } from '../../engine/harness/byId';
import type { Service } from '../../service';
import { changesOf, type Example, nodeOf, saveTo, setValues, type WorkflowJson } from './example';

const FILE = 'table.csv';

/** The table of the example: the first one. */
const rowsOf = ({ data: { tables, tableRows } }: Service) =>
	tableRows.filter(({ tableId }) => tableId === tables[0].id).map(({ id }) => id);

function choose(workflow: WorkflowJson, { data }: Service): void {
	for (const name of ['Get Records', 'Create Records']) {
		nodeOf(workflow, name).parameters.tableId = byId(data.tables[0].id);
	}
}

const NEW = Array.from({ length: 60 }, (_, i) => `Row ${i}`);

export const tables: Record<string, Example> = {
	/** Each record of the table is a line of the file. */
	'table-to-spreadsheet': {
		prepare(workflow, { service, folder }) {
			choose(workflow, service);
			saveTo(workflow, folder);
		},
		verify({ executed }, { folder, service }) {
			const text = readFileSync(join(folder, FILE), 'utf8').replace(/^\ufeff/, '');
			const [header, ...lines] = text.trim().split(/\r?\n/);
			expect(header).toBe('id,Customer,Amount,Due,State,created,updated');
			expect(lines.map((line) => line.split(',')[0])).toEqual(rowsOf(service));
			expect(executed).not.toContain('Create Records');
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** Each line of the file becomes a record, in their order. */
	'table-to-spreadsheet-back': {
		of: 'table-to-spreadsheet',
		prepare(workflow, { service, folder }) {
			choose(workflow, service);
			setValues(workflow, { folder, toTable: true });
			const lines = NEW.map((name, i) => `old-${i},${name},${i},2026-12-31,paid`);
			writeFileSync(join(folder, FILE), ['id,Customer,Amount,Due,State', ...lines].join('\n'));
		},
		verify({ records }, { service }) {
			const created = records('Create Records');
			expect(created.map(({ Customer }) => Customer)).toEqual(NEW);
			expect(created[7]).toMatchObject({ Amount: 7, Due: '2026-12-31', State: 'paid' });
			// Times of two requests overlap, so the list may mix their rows.
			expect(rowsOf(service)).toEqual(expect.arrayContaining(created.map(({ id }) => id)));
			expect(changesOf(service)).toHaveLength(2);
		},
	},
};
