/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads and writes the files of n8n, never inside n8n */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { byId } from '../../engine/harness/byId';
import type { Service, ServiceData } from '../../service';
import { changesOf, nodeOf, saveTo, setValues, type Example, type WorkflowJson } from './example';

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

const COLUMNS = ['Customer', 'Amount', 'Due', 'State'];

/** The rows of the first table, with the values of their columns. */
const valuesOf = ({ tables: [table], fields, tableRows }: ServiceData): string[][] => {
	const ids = COLUMNS.map(
		(name) => fields.find((field) => field.tableId === table.id && field.name === name)?.id ?? '',
	);
	return tableRows
		.filter(({ tableId }) => tableId === table.id)
		.map(({ cells }) => ids.map((id) => cells[id]?.value ?? ''));
};

/** A sheet with the rows of the table but the third one, of which every fourth has changed, and with 500 new ones. */
function sheetFor(data: ServiceData): string[][] {
	const rows = valuesOf(data).filter((_row, i) => i !== 2);
	const added = Array.from({ length: 500 }, (_, i) => [`New ${i}`, `${i}`, '2026-12-31', 'paid']);
	const changed = rows.map(([customer, amount, due, state], i) =>
		i % 4 === 0 ? [customer, `${i}.25`, due, 'on hold'] : [customer, amount, due, state],
	);
	return [...changed, ...added];
}

export const tables: Record<string, Example> = {
	/** The message has the values of the first record. */
	'changed-records': {
		prepare(workflow, { inbox, service }) {
			nodeOf(workflow, 'Get Record').parameters.tableId = byId(service.data.tables[0].id);
			setValues(workflow, { webhookUrl: `${inbox.url}/records` });
		},
		verify(_outcome, { inbox, service }) {
			const [values] = valuesOf(service.data);
			const lines = COLUMNS.map((name, i) => `${name}: ${values[i]}`);
			expect(inbox.texts('records')).toEqual([
				['A record was created or updated', ...lines].join('\n'),
			]);
		},
	},
	/** The record of the last run of the flow, as the trigger of the Tables piece returns it. */
	'large-table-changes': {
		prepare(workflow, { service: { data, live } }) {
			const [{ id: flowId }] = data.flows.filter(({ status }) => status === 'ENABLED');
			const cells = { abc: { fieldName: 'Customer', value: 'A new one' } };
			const output = { id: 'record-1', created: '2026-11-28T08:00:00.000Z', cells };
			const { steps } = live.addFlowRun({ status: 'SUCCEEDED', flowId, log: true });
			Object.assign(steps.trigger as object, { output });
			live.addFlowRun({ status: 'SUCCEEDED', flowId: data.flows.at(-1)?.id });
			const { parameters } = nodeOf(workflow, 'Get Last Run');
			(parameters.filters as { flowIds: string[] }).flowIds = [flowId];
		},
		verify({ records }) {
			const record = { Customer: 'A new one', id: 'record-1', created: '2026-11-28T08:00:00.000Z' };
			expect(records('Use Record')).toEqual([record]);
		},
	},
	/** Each row of the sheet has one record with its values; nothing else has changed, and a second run changes nothing. */
	'sync-table': {
		prepare(workflow, { service: { data }, folder }) {
			const { parameters } = nodeOf(workflow, 'Create or Update Records');
			parameters.tableId = byId(data.tables[0].id);
			(parameters.columns as { matchingColumns: string[] }).matchingColumns = ['Customer'];
			setValues(workflow, { folder, file: FILE });
			const lines = [COLUMNS, ...sheetFor(data)].map((row) => row.join(','));
			writeFileSync(join(folder, FILE), lines.join('\n'));
		},
		verify({ records }, { folder, service }) {
			const lines = readFileSync(join(folder, FILE), 'utf8').split('\n').slice(1);
			const stored = valuesOf(service.data).map((row) => row.join(','));
			expect(stored).toHaveLength(lines.length + 1);
			expect(stored).toEqual(expect.arrayContaining(lines));
			expect(records('Create or Update Records')).toHaveLength(lines.length);
			// Three changed records, and ten requests that create 50 each.
			expect(changesOf(service)).toHaveLength(13);
		},
		verifyAgain({ records }, { service }, before) {
			expect(records('Create or Update Records').length).toBeGreaterThan(500);
			expect(service.data).toEqual(before);
			expect(changesOf(service)).toEqual([]);
		},
	},
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
