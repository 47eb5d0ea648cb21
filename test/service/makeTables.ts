import type { SIZES } from './data';
import { makeId, padded, timestamp } from './ids';
import type { FieldRecord, ProjectRecord, ServiceData, TableRecord, TableRow } from './records';
import type { ReleaseTraits } from './releases';

const NAMES = ['Orders', 'Customers', 'Invoices'];
const STATES = ['open', 'paid', 'on hold'];

/** The columns of each table; that with the index 3 is a drop-down. */
const COLUMNS: Array<[name: string, type: FieldRecord['type']]> = [
	['Customer', 'TEXT'],
	['Amount', 'NUMBER'],
	['Due', 'DATE'],
	['State', 'STATIC_DROPDOWN'],
];

const START = '2026-01-08T08:00:00.318Z';

export function makeTable(
	{ tableFolders }: ReleaseTraits,
	table: Pick<TableRecord, 'id' | 'name' | 'projectId' | 'created'> & Partial<TableRecord>,
): TableRecord {
	const common = { externalId: makeId(`${table.id}/external`), status: null, trigger: null };
	const folder = tableFolders ? { folderId: null } : {};
	return { ...common, ...folder, updated: table.created, ...table };
}

export function makeField({
	id,
	created,
	...field
}: Pick<FieldRecord, 'id' | 'name' | 'type' | 'tableId' | 'projectId' | 'created'> &
	Partial<FieldRecord>): FieldRecord {
	const externalId = makeId(`${id}/external`);
	return { id, created, updated: created, externalId, data: null, ...field };
}

export function makeRow(
	row: Omit<TableRow, 'cells'>,
	cells: Array<{ fieldId: string; value: string }>,
	at = row.created,
): TableRow {
	const entries = cells.map(({ fieldId, value }) => [fieldId, { value, created: at, updated: at }]);
	return { ...row, cells: Object.fromEntries(entries) as TableRow['cells'] };
}

/** Some tables in each project, with rows: every fifth one lacks its amount, and every seventh its state. */
export function addTables(
	data: ServiceData,
	projects: ProjectRecord[],
	{ tablesPerProject, recordsPerTable }: typeof SIZES,
	traits: ReleaseTraits,
): void {
	for (const { id: projectId } of projects) {
		for (let t = 0; t < tablesPerProject; t++) {
			const at = timestamp(START, t * 61_000);
			const id = makeId(`${projectId}/table`, t);
			const name = NAMES[t] ?? `Table ${padded(t + 1)}`;
			// The newest first
			data.tables.unshift(makeTable(traits, { id, name, projectId, created: at }));
			const fields = COLUMNS.map(([column, type], f) =>
				makeField({
					id: makeId(`${id}/field`, f),
					created: timestamp(at, f * 1000),
					name: column,
					type,
					tableId: id,
					projectId,
					data: type === 'STATIC_DROPDOWN' ? { options: STATES.map((value) => ({ value })) } : null,
				}),
			);
			data.fields.push(...fields);
			for (let r = 0; r < recordsPerTable; r++) {
				const created = timestamp(at, 60_000 + r);
				const values = [
					`Customer ${padded(r)}`,
					r % 5 === 4 ? undefined : String(r + 0.5),
					timestamp('2026-11-01T00:00:00.000Z', r * 86_400_000),
					r % 7 === 6 ? undefined : STATES[r % STATES.length],
				];
				const cells = values.flatMap((value, f) =>
					value === undefined ? [] : [{ fieldId: fields[f].id, value }],
				);
				const row = {
					id: makeId(`${id}/row`, r),
					created,
					updated: created,
					tableId: id,
					projectId,
				};
				data.tableRows.push(makeRow(row, cells));
			}
		}
	}
}
