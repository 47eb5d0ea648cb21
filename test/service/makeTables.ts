import type { SIZES } from './data';
import { makeId, padded, timestamp } from './ids';
import type { ProjectRecord, ServiceData } from './records';
import type { ReleaseTraits } from './releases';

const NAMES = ['Orders', 'Customers', 'Invoices'];
const STATES = ['open', 'paid', 'on hold'];

const COLUMNS = [
	['Customer', 'TEXT'],
	['Amount', 'NUMBER'],
	['Due', 'DATE'],
	['State', 'STATIC_DROPDOWN'],
] as const;

interface Seed {
	id: string;
	projectId: string;
	created: string;
}

const START = '2026-01-08T08:00:00.318Z';

interface FieldSeed extends Seed {
	name: string;
	type: string;
	tableId: string;
	data?: { options: Array<{ value: string }> } | null;
	externalId?: string;
}

export function makeTable(
	table: Seed & { name: string; externalId?: string; folderId?: string | null },
) {
	const common = { externalId: makeId(`${table.id}/external`), status: null, trigger: null };
	return { ...common, folderId: null as string | null, updated: table.created, ...table };
}

/** @param position of the column in its table, from 0 */
export function makeField({ dateTimes }: ReleaseTraits, field: FieldSeed, position: number) {
	const { id, created } = field;
	const externalId = makeId(`${id}/external`);
	const place = dateTimes ? { position } : {};
	return { updated: created, externalId, data: null, ...place, ...field };
}

/** @param at when its cells were written */
export function makeRow(
	row: Seed & { updated: string; tableId: string },
	cells: Array<{ fieldId: string; value: string }>,
	at = row.created,
) {
	const entries = cells.map(({ fieldId, value }) => [fieldId, { value, created: at, updated: at }]);
	type Cell = { value: string; created: string; updated: string };
	return { ...row, cells: Object.fromEntries(entries) as Record<string, Cell> };
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
			data.tables.unshift(makeTable({ id, name, projectId, created: at }));
			const fields = COLUMNS.map(([column, type], f) =>
				makeField(
					traits,
					{
						id: makeId(`${id}/field`, f),
						created: timestamp(at, f * 1000),
						name: column,
						type,
						tableId: id,
						projectId,
						data:
							type === 'STATIC_DROPDOWN' ? { options: STATES.map((value) => ({ value })) } : null,
					},
					f,
				),
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
				const row = { id: makeId(`${id}/row`, r), created, updated: created, tableId: id };
				data.tableRows.push(makeRow({ ...row, projectId }, cells));
			}
		}
	}
}
