import type { FastifyRequest } from 'fastify';
import { z } from 'zod/v4';

import { BY_ID, locate, type Context } from '../context';
import { byCreatedDescending } from '../cursor';
import { conflict, duplicateKey, entityNotFound, foreignKey, FrameworkError } from '../errors';
import { makeId, timestamp } from '../ids';
import { every, like, oneOfThese, paged, paginate, wholeList } from '../list';
import { RecordMaker } from '../make';
import { makeField, makeRow, makeTable } from '../makeTables';
import type { FieldRecord, ServiceData, TableRecord, TableRow } from '../records';
import type { Permission } from '../roles';
import { list, required, shape, text } from '../schema';
import {
	columnTypes,
	fulfills,
	MAX_FIELDS_PER_TABLE,
	MAX_RECORDS_PER_TABLE,
	rowAnswer,
	tableSchemas,
} from '../tableRows';

type NewField = Pick<FieldRecord, 'name' | 'type' | 'tableId' | 'projectId'> &
	Partial<Pick<FieldRecord, 'data' | 'externalId'>>;

interface Cell {
	fieldId: string;
	value: string;
}

const LIST = paged({ projectId: required(text), name: text, externalIds: list(text) });
const FIELD = z.object({
	name: z.string(),
	type: z.string(),
	externalId: z.string(),
	data: z.object({ options: z.array(z.object({ value: z.string() })) }).optional(),
});
const CREATE = shape({
	projectId: required(text),
	name: required(text),
	externalId: text,
	folderId: text,
	folderName: text,
	fields: z.array(FIELD).optional(),
});
const OF_TABLE = shape({ tableId: required(text) });

/** Rows are created in batches, which overlap: the 51st row comes after the 25th (comments of the recordings). */
const BATCH = 50;
const BATCH_MS = 25;

export function tableRoutes(context: Context): void {
	const { auth, now, own, platforms, route, traits } = context;
	const schemas = tableSchemas(traits);
	// Up to 0.79, whoever may read the project may.
	const changesRows = traits.newTables ? 'WRITE_TABLE' : undefined;
	let made = 0;

	/** A table of a request */
	function tableOf(request: FastifyRequest, tableId: string, permission?: Permission) {
		const { data, row: table } = locate(context, ({ tables }) => tables, tableId);
		const principal = auth.projectPrincipal(request);
		if (!table) throw entityNotFound({ entityId: tableId, entityType: 'table' });
		auth.checkProject(principal, table.projectId, permission);
		return { data, table };
	}

	route('GET', '/v1/tables', { query: LIST }, (request) => {
		auth.namedProject(request, 'READ_TABLE');
		const { projectId, name, externalIds } = request.query;
		const keep = every<TableRecord>(
			(row) => row.projectId === projectId,
			like(name, (row) => row.name),
			oneOfThese(externalIds, (row) => row.externalId),
		);
		const rows = platforms
			.flatMap(({ tables }) => tables)
			.sort((a, b) => Date.parse(b.created) - Date.parse(a.created));
		return paginate(request, rows, keep, byCreatedDescending);
	});

	route(
		'GET',
		'/v1/tables/:id',
		BY_ID,
		(request) => tableOf(request, request.params.id, 'READ_TABLE').table,
	);

	/** The folder of a new table; one with a new name is made. */
	function folderOf(projectId: string, asked: { folderId?: string; folderName?: string }) {
		const { folderId, folderName } = asked;
		const ofProject = own.folders.filter((folder) => folder.projectId === projectId);
		if (folderName !== undefined) {
			const known = ofProject.find(({ displayName }) => displayName === folderName);
			if (known) return known.id;
			const id = makeId(`${projectId}/folder of a table`, made++);
			const folder = new RecordMaker(traits, own.admin).folder(id, projectId, folderName, now());
			own.folders = [...own.folders, folder];
			return id;
		}
		if (folderId === undefined) return null;
		if (!ofProject.some(({ id }) => id === folderId)) throw foreignKey('table', 'folder');
		return folderId;
	}

	const fields = z.array(FIELD.extend({ type: columnTypes(traits) })).optional();
	route('POST', '/v1/tables', { body: CREATE.extend({ fields }) }, (request) => {
		auth.namedProject(request, 'WRITE_TABLE');
		const { name, externalId, projectId, fields = [] } = request.body;
		const folderId = folderOf(projectId, request.body);
		const id = makeId(`${projectId}/new table`, made++);
		const given = externalId === undefined ? {} : { externalId };
		const table = makeTable({ id, name, projectId, created: now(), folderId, ...given });
		own.tables = [...own.tables, table];
		// Made side by side, so in any order (har/enterprise-0.86-tables and community-0.85-tables, t/14).
		for (const field of fields.reverse()) addField({ ...field, tableId: id, projectId });
		return table;
	});

	route('DELETE', '/v1/tables/:id', BY_ID, (request) => {
		const { id } = request.params;
		const { data, table } = tableOf(request, id, 'WRITE_TABLE');
		const stays = ({ tableId }: { tableId: string }) => tableId !== id;
		data.tables = data.tables.filter((each) => each !== table);
		data.fields = data.fields.filter(stays);
		data.tableRows = data.tableRows.filter(stays);
	});

	route('POST', '/v1/tables/:id/clear', BY_ID, (request) => {
		const { id } = request.params;
		const { data } = tableOf(request, id, 'WRITE_TABLE');
		data.tableRows = data.tableRows.filter(({ tableId }) => tableId !== id);
	});

	function addField(field: NewField) {
		if (field.type === 'STATIC_DROPDOWN' && !field.data) {
			const message = 'Data is required for static dropdown field is null or undefined';
			throw new FrameworkError(500, message);
		}
		const id = makeId(`${field.tableId}/new field`, made++);
		const position = own.fields.filter(({ tableId }) => tableId === field.tableId).length;
		if (position >= MAX_FIELDS_PER_TABLE) {
			throw conflict(`Max fields per table reached: ${MAX_FIELDS_PER_TABLE}`);
		}
		const added = makeField(traits, { id, created: now(), ...field }, position);
		own.fields = [...own.fields, added];
		return added;
	}

	route('GET', '/v1/fields', { query: OF_TABLE }, (request) => {
		const { tableId } = request.query;
		const { data } = tableOf(request, tableId, 'READ_TABLE');
		return data.fields.filter((field) => field.tableId === tableId);
	});

	route('POST', '/v1/fields', { body: schemas.field }, (request, reply) => {
		const { tableId } = request.body as FieldRecord;
		const { projectId } = tableOf(request, tableId, changesRows).table;
		const field = { ...(request.body as FieldRecord), projectId };
		return reply.status(201).send(addField(field));
	});

	route('DELETE', '/v1/fields/:id', {}, (request, reply) => {
		const { id } = request.params;
		const isKnown = own.fields.some((field) => field.id === id);
		if (!isKnown) throw entityNotFound({ entityId: id, entityType: 'field' });
		own.fields = own.fields.filter((field) => field.id !== id);
		for (const row of own.tableRows) delete row.cells[id];
		return reply.send();
	});

	const answer = (data: ServiceData, row: TableRow) => rowAnswer(row, data.fields, traits);

	/** The cells of a request; one of a column that the table does not have is ignored. */
	function cellsOf({ fields }: ServiceData, tableId: string, cells: Cell[], twice: FrameworkError) {
		const known = new Set(
			fields.filter((field) => field.tableId === tableId).map((field) => field.id),
		);
		const kept = cells
			.filter(({ fieldId }) => known.has(fieldId))
			// Half an emoji is not UTF-8, which Node.js writes to the database.
			.map(({ fieldId, value }) => ({ fieldId, value: value.toWellFormed() }));
		if (new Set(kept.map(({ fieldId }) => fieldId)).size < kept.length) throw twice;
		return kept;
	}

	// No pages: `cursor` is ignored, and `next` always null. A negative limit leaves out the last rows.
	route('GET', '/v1/records', { query: schemas.query }, (request) => {
		const { tableId, limit = 10, filters = [] } = request.query;
		const { data } = tableOf(request, tableId, 'READ_TABLE');
		const rows = data.tableRows
			.filter((row) => row.tableId === tableId)
			.filter((row) => fulfills(row, filters, data.fields, traits))
			.sort((a, b) => (a.created < b.created ? -1 : 1))
			.slice(0, limit);
		return wholeList(rows.map((row) => answer(data, row)));
	});

	route('POST', '/v1/records', { body: schemas.create }, (request, reply) => {
		const { tableId, records } = request.body;
		const { data, table } = tableOf(request, tableId, changesRows);
		const twice = duplicateKey('idx_cell_project_id_field_id_record_id_unique');
		const all = records.map((cells) => cellsOf(data, tableId, cells, twice));
		const there = data.tableRows.filter((row) => row.tableId === tableId).length;
		if (there + records.length > MAX_RECORDS_PER_TABLE) {
			throw conflict(`Max records per table reached: ${MAX_RECORDS_PER_TABLE}`);
		}
		const at = now();
		const rows = all.map((cells, i): TableRow => {
			const created = timestamp(at, Math.floor(i / BATCH) * BATCH_MS + (i % BATCH));
			const id = makeId(`${tableId}/new row`, made++);
			return makeRow({ id, created, updated: at, tableId, projectId: table.projectId }, cells, at);
		});
		rows.sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
		data.tableRows = [...data.tableRows, ...rows];
		return reply.status(201).send(rows.map((row) => answer(data, row)));
	});

	/** The row in the path */
	function rowOf(request: FastifyRequest, permission?: Permission) {
		const { id } = request.params as { id: string };
		const { data, row } = locate(context, ({ tableRows }) => tableRows, id);
		const principal = auth.projectPrincipal(request);
		if (!row) throw entityNotFound({ entityId: id, entityType: 'record' });
		auth.checkProject(principal, row.projectId, permission);
		return { id, data, row };
	}

	route('GET', '/v1/records/:id', {}, (request) => {
		const { data, row } = rowOf(request, 'READ_TABLE');
		return answer(data, row);
	});

	route('POST', '/v1/records/:id', { body: schemas.update }, (request) => {
		const { tableId, cells = [] } = request.body;
		const { id, data, row } = rowOf(request, changesRows);
		if (row.tableId !== tableId) throw entityNotFound({ entityType: 'Record', entityId: id });
		const twice = 'ON CONFLICT DO UPDATE command cannot affect row a second time';
		const changes = cellsOf(data, tableId, cells, new FrameworkError(500, twice, '21000'));
		const updated = now();
		for (const { fieldId, value } of changes) {
			const created = row.cells[fieldId]?.created ?? updated;
			row.cells[fieldId] = { value, created, updated };
		}
		return answer(data, row);
	});

	// The table only decides who may delete; the rows are those of the table of the first ID.
	route('DELETE', '/v1/records', { body: schemas.remove }, (request) => {
		const { tableId, ids } = request.body;
		const { data, table } = tableOf(request, tableId, changesRows);
		const { projectId } = table;
		const first = data.tableRows.find((row) => row.id === ids[0] && row.projectId === projectId);
		if (!first && ids.length > 0) {
			throw entityNotFound({ entityType: 'Record', entityId: ids[0] });
		}
		for (const id of ids) {
			const at = data.tableRows.findIndex((row) => row.id === id && row.tableId === first?.tableId);
			if (at >= 0) data.tableRows.splice(at, 1);
		}
		return [];
	});
}
