import type { FlowRunRecord } from './flowRunRecords';
import type { FlowRecord } from './records';

/** The rows with a key in the order of a list, which are looked for once in each array. */
function grouped<Row>(keyOf: (row: Row) => string | null, compare: (a: Row, b: Row) => number) {
	const known = new WeakMap<Row[], Map<string, Row[]>>();
	return (rows: Row[], key: string): Row[] => {
		const groups = known.get(rows) ?? new Map<string, Row[]>();
		const group = groups.get(key) ?? rows.filter((row) => keyOf(row) === key).sort(compare);
		known.set(rows, groups.set(key, group));
		return group;
	};
}

const descending = (a: string, b: string): number => (a === b ? 0 : a > b ? -1 : 1);

/** The flows of a project in the order of the list: status, then `updated`; equal records keep their order. */
export const flowsOfProject = grouped<FlowRecord>(
	({ projectId }) => projectId,
	(a, b) => descending(a.status, b.status) || descending(a.updated, b.updated),
);

export const flowsOfFolder = grouped<FlowRecord>(
	({ folderId }) => folderId,
	() => 0,
);

/** The runs of a project in the order of the list: newest first, and those of the same time by ID. */
export const runsOfProject = grouped<FlowRunRecord>(
	({ projectId }) => projectId,
	(a, b) => descending(a.created, b.created) || descending(a.id, b.id),
);
