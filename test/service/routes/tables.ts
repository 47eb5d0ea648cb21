import type { FastifyRequest } from 'fastify';

import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byCreated } from '../cursor';
import { conflict, entityNotFound, FrameworkError, refuseNul, uselessError } from '../errors';
import { makeId, timestamp } from '../ids';
import { containsLike, every, paginate, when } from '../list';
import { makeTable } from '../makeTables';
import type { FieldRecord, ServiceData, TableRecord, TableRow } from '../records';
import type { Permission } from '../roles';
import { fulfills, ownerOfTable, rowAnswer, type RowFilter } from '../tableRows';
import { tableSchemas } from '../tableSchemas';

interface Cell {
	fieldId: string;
	value: string;
}

const newestFirst = {
	...byCreated,
	compare: (row: { created: string }, second: number) => -byCreated.compare(row, second),
};

/** The error of PostgreSQL in 0.73 for a table that does not exist. */
function foreignKey(of: 'field' | 'record'): FrameworkError {
	const constraint = `violates foreign key constraint "fk_${of}_table_id"`;
	return new FrameworkError(500, `insert or update on table "${of}" ${constraint}`, '23503');
}

/** Rows are created in batches, which overlap: the 51st row comes after the 25th (comments of the recordings). */
const BATCH = 50;
const BATCH_MS = 25;

/**
 * GET, POST and DELETE of /v1/tables, /v1/fields and /v1/records. The node makes no tables and no columns; the
 * recordings do.
 */
export function tableRoutes({ auth, now, own, other, route, traits }: Context): void {
	const platforms = [own, other];
	const schemas = tableSchemas(traits.validation, traits.cellsBecomeText);
	let made = 0;

	/** The project whose tables a request may use: in 0.73 that of the session, whatever was asked. */
	function projectOf(request: FastifyRequest): string | undefined {
		if (!traits.oldAuthorization) return undefined;
		const principal = auth.projectPrincipal(request);
		if (principal.type === 'SERVICE') throw uselessError(409);
		return principal.projectId ?? '';
	}

	/** A table of a request; undefined for one that 0.73 does not know. */
	function tableOf(request: FastifyRequest, tableId: string, permission?: Permission) {
		const projectId = projectOf(request);
		const data = ownerOfTable(platforms, tableId) ?? own;
		const table = data.tables.find(({ id }) => id === tableId);
		if (projectId !== undefined) {
			return { data, table: table?.projectId === projectId ? table : undefined, projectId };
		}
		const principal = auth.projectPrincipal(request);
		if (!table) throw entityNotFound({ entityId: tableId, entityType: 'table' });
		auth.checkProject(principal, table.projectId, permission);
		return { data, table, projectId: table.projectId };
	}

	route(
		'GET',
		'/v1/tables',
		(request) => {
			const ofSession = projectOf(request);
			const { projectId = ofSession, name } = request.query as Record<string, string | undefined>;
			if (ofSession === undefined) auth.projectOfQuery(request, 'READ_TABLE');
			refuseNul(name);
			const { externalIds } = request.query as { externalIds?: string[] };
			const keep = every<TableRecord>(
				(row) => row.projectId === (ofSession ?? projectId),
				when(name, (text) => {
					const matches = containsLike(text);
					return (row) => matches(row.name);
				}),
				when(externalIds, (ids) => (row) => ids.includes(row.externalId)),
			);
			const rows = platforms
				.flatMap(({ tables }) => tables)
				.sort((a, b) => Date.parse(b.created) - Date.parse(a.created));
			return paginate(rows, keep, pageRequest(request), newestFirst);
		},
		{
			query: {
				projectId: { type: 'string', ...(traits.oldAuthorization ? {} : { required: true }) },
				name: { type: 'string' },
				externalIds: { type: 'strings' },
				...PAGE_FIELDS,
			},
		},
	);

	route(
		'POST',
		'/v1/tables',
		(request) => {
			const ofSession = projectOf(request);
			if (ofSession === undefined) auth.projectOfBody(request, 'WRITE_TABLE');
			const body = request.body as Record<string, unknown> & { name: string; projectId: string };
			const projectId = ofSession ?? body.projectId;
			const created = now();
			const id = makeId(`${projectId}/new table`, made++);
			const externalId = (body.externalId as string | undefined) ?? makeId(`${id}/external`);
			const table = makeTable(traits, { id, name: body.name, projectId, created, externalId });
			own.tables = [table, ...own.tables];
			const fields = (body.fields ?? []) as Array<Pick<FieldRecord, 'name' | 'type'>>;
			if (!traits.oldAuthorization) {
				for (const field of fields) addField({ ...field, tableId: id, projectId });
			}
			return table;
		},
		{
			body: {
				projectId: { type: 'string', ...(traits.oldAuthorization ? {} : { required: true }) },
				name: { type: 'string', required: true },
				externalId: { type: 'string' },
				fields: { type: 'objects' },
			},
		},
	);

	route(
		'DELETE',
		'/v1/tables/:id',
		(request, reply) => {
			const { id } = request.params as { id: string };
			const { data, table } = tableOf(request, id, 'WRITE_TABLE');
			if (!table) throw entityNotFound({ entityType: 'Table', entityId: id });
			const stays = ({ tableId }: { tableId: string }) => tableId !== id;
			data.tables = data.tables.filter((each) => each !== table);
			data.fields = data.fields.filter(stays);
			data.tableRows = data.tableRows.filter(stays);
			return reply.status(204).send();
		},
		{ params: { id: { type: 'id' } } },
	);

	function addField(field: Partial<FieldRecord> & Pick<FieldRecord, 'name' | 'type' | 'tableId'>) {
		const at = now();
		const id = makeId(`${field.tableId}/new field`, made++);
		const common = { id, created: at, updated: at, externalId: makeId(`${id}/external`) };
		const added = { ...common, data: null, ...field } as FieldRecord;
		own.fields = [...own.fields, added];
		return added;
	}

	route(
		'GET',
		'/v1/fields',
		(request) => {
			const { tableId } = request.query as { tableId: string };
			const { data, table } = tableOf(request, tableId, 'READ_TABLE');
			return table ? data.fields.filter((field) => field.tableId === tableId) : [];
		},
		{ query: { tableId: { type: 'string', required: true } } },
	);

	route(
		'POST',
		'/v1/fields',
		(request, reply) => {
			const { name, type, tableId, data } = request.body as FieldRecord;
			const { table, projectId } = tableOf(request, tableId, 'WRITE_TABLE');
			if (!table) throw foreignKey('field');
			const field = { name, type, tableId, projectId, ...(data && { data }) };
			return reply.status(201).send(addField(field));
		},
		{ bodySchema: schemas.field },
	);

	route('DELETE', '/v1/fields/:id', (request, reply) => {
		const { id } = request.params as { id: string };
		projectOf(request);
		const isKnown = own.fields.some((field) => field.id === id);
		if (!isKnown && !traits.oldAuthorization) {
			throw entityNotFound({ entityId: id, entityType: 'field' });
		}
		own.fields = own.fields.filter((field) => field.id !== id);
		for (const row of own.tableRows) delete row.cells[id];
		return reply.send();
	});

	const answer = (data: ServiceData, row: TableRow) => rowAnswer(row, data.fields, traits);

	/** The cells of a request; one of a column that the table does not have is ignored. */
	function cellsOf(
		{ fields }: ServiceData,
		tableId: string,
		cells: Cell[],
		twice: FrameworkError,
	): Cell[] {
		refuseNul(...cells.map(({ value }) => value));
		const known = new Set(
			fields.filter((field) => field.tableId === tableId).map((field) => field.id),
		);
		const kept = cells.filter(({ fieldId }) => known.has(fieldId));
		if (new Set(kept.map(({ fieldId }) => fieldId)).size < kept.length) throw twice;
		return kept;
	}

	// No pages: `cursor` is ignored, and `next` always null. A negative limit leaves out the last rows.
	route(
		'GET',
		'/v1/records',
		(request) => {
			const query = request.query as { tableId: string; limit?: number; filters?: RowFilter[] };
			const { tableId, limit = 10, filters = [] } = query;
			const { data, table } = tableOf(request, tableId, 'READ_TABLE');
			refuseNul(...filters.map(({ value }) => value));
			const rows = data.tableRows
				.filter((row) => row.tableId === table?.id)
				.filter((row) => fulfills(row, filters, traits.lackingCellsPass))
				.slice(0, limit);
			return { data: rows.map((row) => answer(data, row)), next: null, previous: null };
		},
		{ querySchema: schemas.query },
	);

	route(
		'POST',
		'/v1/records',
		(request, reply) => {
			const { tableId, records } = request.body as { tableId: string; records: Cell[][] };
			const permission = traits.rowsOfViewers ? undefined : 'WRITE_TABLE';
			const { data, table, projectId } = tableOf(request, tableId, permission);
			const constraint = 'idx_cell_project_id_field_id_record_id_unique';
			const twice = `duplicate key value violates unique constraint "${constraint}"`;
			const all = records.map((cells) =>
				cellsOf(data, tableId, cells, new FrameworkError(500, twice, '23505')),
			);
			if (!table && records.length > 0) throw foreignKey('record');
			const there = data.tableRows.filter((row) => row.tableId === tableId).length;
			const most = traits.maxRecordsPerTable;
			if (there + records.length > most) throw conflict(`Max records per table reached: ${most}`);
			const at = now();
			const rows = all.map((cells, i): TableRow => {
				const created = timestamp(at, Math.floor(i / BATCH) * BATCH_MS + (i % BATCH));
				const values = cells.map(({ fieldId, value }) => [
					fieldId,
					{ value, created: at, updated: at },
				]);
				return {
					id: makeId(`${tableId}/new row`, made++),
					created,
					updated: at,
					tableId,
					projectId,
					cells: Object.fromEntries(values) as TableRow['cells'],
				};
			});
			rows.sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
			data.tableRows = [...data.tableRows, ...rows];
			return reply.status(201).send(rows.map((row) => answer(data, row)));
		},
		{ bodySchema: schemas.create },
	);

	/** The row in the path; its lists are of the project that the principal may use. */
	function rowOf(request: FastifyRequest) {
		const { id } = request.params as { id: string };
		const data = platforms.find(({ tableRows }) => tableRows.some((row) => row.id === id)) ?? own;
		return { id, data, row: data.tableRows.find((row) => row.id === id) };
	}

	route('GET', '/v1/records/:id', (request, reply) => {
		const { id, data, row } = rowOf(request);
		refuseNul(id);
		if (traits.oldAuthorization) {
			const principal = auth.projectPrincipal(request);
			const isKey = principal.type === 'SERVICE';
			// JSON texts (har/enterprise-0.73-tables, t/11 and t/124).
			const text = isKey ? `TypeError: ${uselessError(404).message}` : '[object Object]';
			if (isKey || row?.projectId !== principal.projectId || !row) {
				return reply.status(404).type('application/json').send(JSON.stringify(text));
			}
			return answer(data, row);
		}
		const principal = auth.projectPrincipal(request);
		if (!row) throw entityNotFound({ entityId: id, entityType: 'record' });
		auth.checkProject(principal, row.projectId, 'READ_TABLE');
		return answer(data, row);
	});

	route(
		'POST',
		'/v1/records/:id',
		(request) => {
			const { id, data, row } = rowOf(request);
			const { tableId, cells = [] } = request.body as { tableId: string; cells?: Cell[] };
			const ofSession = projectOf(request);
			if (ofSession === undefined) {
				const principal = auth.projectPrincipal(request);
				if (!row) throw entityNotFound({ entityId: id, entityType: 'record' });
				const permission = traits.rowsOfViewers ? undefined : 'WRITE_TABLE';
				auth.checkProject(principal, row.projectId, permission);
			}
			if (!row || row.tableId !== tableId || row.projectId !== (ofSession ?? row.projectId)) {
				throw entityNotFound({ entityType: 'Record', entityId: id });
			}
			const twice = 'ON CONFLICT DO UPDATE command cannot affect row a second time';
			const changes = cellsOf(data, tableId, cells, new FrameworkError(500, twice, '21000'));
			const updated = now();
			for (const { fieldId, value } of changes) {
				const created = row.cells[fieldId]?.created ?? updated;
				row.cells[fieldId] = { value, created, updated };
			}
			return answer(data, row);
		},
		{ bodySchema: schemas.update },
	);

	// The table only decides who may delete; the rows are those of the table of the first ID.
	route(
		'DELETE',
		'/v1/records',
		(request, reply) => {
			const { tableId, ids } = request.body as { tableId?: string; ids: string[] };
			const permission = traits.rowsOfViewers ? undefined : 'WRITE_TABLE';
			const { data, projectId } = tableOf(request, tableId ?? '', permission);
			const first = data.tableRows.find((row) => row.id === ids[0] && row.projectId === projectId);
			if (!first && ids.length > 0) {
				throw entityNotFound({ entityType: 'Record', entityId: ids[0] });
			}
			data.tableRows = data.tableRows.filter(
				(row) => row.tableId !== first?.tableId || !ids.includes(row.id),
			);
			return traits.oldAuthorization ? reply.status(204).send() : [];
		},
		{ bodySchema: schemas.remove },
	);
}
