import type { IDataObject } from 'n8n-workflow';

import { isRecord, recordOf, textOf } from '../../transport/values';
import { stepsOf } from './flow';

/*
 * What the steps of a flow name by an external ID, in fields that hold nothing else: other flows, tables and their columns.
 * Connections, which stand in expressions, are in `connection/usage.ts`.
 */

/** A field that holds an external ID */
interface Reference {
	holder: IDataObject;
	field: string;
}

const SUBFLOWS = '@activepieces/piece-subflows';
const TABLES = '@activepieces/piece-tables';

/** Fields with a name, wherever they are in an input, such as in the tools of an agent. */
function fieldsNamed(field: string, input: unknown): Reference[] {
	const references: Reference[] = [];
	const open = [input];
	for (const holder of open) {
		if (typeof holder !== 'object' || holder === null) continue;
		if (isRecord(holder) && Object.hasOwn(holder, field)) references.push({ holder, field });
		// One by one, because arguments use the stack.
		for (const inner of Object.values(holder)) open.push(inner);
	}
	return references;
}

/** Where a step names other flows: Call Flow before and since version 0.5.0 of its piece, and the tools of an agent. */
function flowReferences({ settings }: IDataObject): Reference[] {
	const { pieceName, input } = recordOf(settings);
	const ofAgent = fieldsNamed('externalFlowId', input);
	if (pieceName !== SUBFLOWS || !isRecord(input)) return ofAgent;
	const before = isRecord(input.flow) ? [{ holder: input.flow, field: 'externalId' }] : [];
	return [...ofAgent, ...before, { holder: input, field: 'flowId' }];
}

/**
 * Where a step names a table: actions and triggers of the piece have the same field (Create and Find Records seen at 0.79 and
 * 0.86, the others read in the service's source).
 */
function tableReferences({ settings }: IDataObject): Reference[] {
	const { pieceName, input } = recordOf(settings);
	return pieceName === TABLES && isRecord(input) ? [{ holder: input, field: 'table_id' }] : [];
}

const REFERENCES = { flow: flowReferences, table: tableReferences };

/**
 * Replaces the external IDs by which the steps of a flow name others. Changes the given steps; an expression stays as it
 * is.
 *
 * @param rename the ID to put there; undefined for one that is not known
 * @returns what is not known, sorted
 */
export function mapReferences(
	kind: keyof typeof REFERENCES,
	trigger: IDataObject,
	rename: (externalId: string) => string | undefined,
): string[] {
	const missing = new Set<string>();
	for (const { holder, field } of stepsOf(trigger).flatMap(REFERENCES[kind])) {
		const externalId = textOf(holder[field]);
		if (externalId === '' || externalId.includes('{{')) continue;
		const renamed = rename(externalId);
		if (renamed === undefined) missing.add(externalId);
		else holder[field] = renamed;
	}
	return [...missing].sort();
}

/** The external IDs by which the steps of a flow name others, sorted. */
export const referencesTo = (kind: keyof typeof REFERENCES, trigger: IDataObject): string[] =>
	mapReferences(kind, trigger, () => undefined);

/** What a step of the Tables piece does with columns of its table. */
interface ColumnUse {
	/** The external ID of the table */
	table: string;
	/** The external IDs of the columns that it writes */
	written: string[];
	/** The columns that it searches, with `id` */
	searched: IDataObject[];
	/**
	 * Whether `id` is the ID of the column, as before version 0.3 of the piece, and not its external ID (seen at 0.79 and
	 * 0.86). With the ID of another column the step finds no rows, and the run succeeds (seen at 0.79)
	 */
	hasIds: boolean;
}

const listOf = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isRecord) : [];

function columnUse(settings: IDataObject, { table_id: table, values, filters }: IDataObject) {
	const isCreate = settings.actionName === 'tables-create-records';
	const rows = isCreate ? listOf(recordOf(values).values) : [recordOf(values)];
	// The piece skips a column without a value (read in its source).
	const isWritten = ([, value]: [string, unknown]) =>
		!['', null, undefined].includes(value as null);
	const columns = rows.flatMap((row) => Object.entries(row).filter(isWritten));
	return {
		table: textOf(table),
		written: [...new Set(columns.map(([column]) => column))],
		searched: listOf(recordOf(filters).filters)
			.map(({ field }) => field)
			.filter(isRecord),
		hasIds: /^[~^]?0\.[0-2]\./.test(textOf(settings.pieceVersion)),
	};
}

/** What the steps of a flow do with columns of tables. */
export const columnUses = (trigger: IDataObject): ColumnUse[] =>
	stepsOf(trigger)
		.flatMap((step) =>
			tableReferences(step).map(({ holder }) => columnUse(recordOf(step.settings), holder)),
		)
		.filter(({ written, searched }) => written.length + searched.length > 0);
